#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "base/whole_file.h"
#include "eval/results.h"
#include "eval/results_escape.h"
#include "sorites/evaluate.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

template <class Number>
void append_number(Number number, std::string& out) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  out.append(std::begin(digits), end);
}

void append_value(double value, std::string& out) {
  if (value == 0.0 || value == 1.0) {
    out += value == 0.0 ? "0.0" : "1.0";
  } else {
    append_number(value, out);
  }
}

void append_argument(const Dictionary& dictionary, Code code, std::string& out) {
  switch (dictionary.type()) {
    case ConstantType::kText:
      return append_escaped(dictionary.bytes_of(code), out);
    case ConstantType::kInteger:
      return append_number(dictionary.integer(code), out);
    case ConstantType::kReal:
      out += dictionary.text(code);
      return;
  }
}

WholeFile write_predicate(const std::string& directory,
                          const Database& database,
                          const AtomRange& range,
                          std::span<const double> truth) {
  constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;  // of one call of write()
  const Predicate& predicate = database.predicates()[range.predicate];
  const Table& targets = database.relation(range.predicate).table(Partition::kTarget);
  WholeFile file((fs::path(directory) / results_file_name(predicate)).string());
  std::string block;
  for (std::size_t row = 0; row < range.count; ++row) {
    for (std::size_t k = 0; k < predicate.arity(); ++k) {
      append_argument(database.dictionary(predicate.domain(k)), targets.columns[k][row], block);
      block += '\t';
    }
    append_value(truth[range.first + row], block);
    block += '\n';
    if (block.size() >= kBlockBytes) {
      file.write(block);
      block.clear();
    }
  }
  file.write(block);
  file.close();
  return file;
}

void check(const Database& database,
           std::span<const AtomRange> ranges,
           std::span<const double> truth) {
  for (const AtomRange& range : ranges) {
    const std::size_t num_targets =
        database.relation(range.predicate).table(Partition::kTarget).num_rows;
    if (range.count != num_targets || std::size_t{range.first} + range.count > truth.size()) {
      throw std::invalid_argument(
          fmt::format("the results of {} do not fit: {} values from {} of {} on, for {} targets",
                      database.predicates()[range.predicate].name,
                      range.count,
                      range.first,
                      truth.size(),
                      num_targets));
    }
    for (const double value : truth.subspan(range.first, range.count)) {
      if (!(value >= 0.0 && value <= 1.0)) {
        throw std::invalid_argument(fmt::format("a truth value is {}, outside [0, 1]", value));
      }
    }
  }
}

}  // namespace

std::string results_file_name(const Predicate& predicate) {
  std::string name = predicate.name;
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name + ".txt";
}

void write_results(const std::string& directory,
                   const Database& database,
                   std::span<const AtomRange> ranges,
                   std::span<const double> truth) {
  check(database, ranges, truth);
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) throw IoError(fmt::format("cannot make `{}`: {}", directory, error.message()));
  std::vector<WholeFile> files;
  for (const AtomRange& range : ranges) {
    files.push_back(write_predicate(directory, database, range, truth));
  }
  for (WholeFile& file : files) file.put_in_place();  // all are whole by now
}

}  // namespace sorites
