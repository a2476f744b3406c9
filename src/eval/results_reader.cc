#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <stdexcept>

#include "base/constant.h"
#include "base/diagnostics.h"
#include "data/mistakes.h"
#include "data/sources/file_bytes.h"
#include "data/sources/records.h"
#include "eval/results.h"
#include "eval/results_escape.h"
#include "sorites/evaluate.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

constexpr double kRoundingError = 1e-6;  // by which a value may be outside [0, 1]

class ResultsFile {
 public:
  ResultsFile(std::string path,
              const Database& database,
              PredicateId predicate,
              std::span<double> values)
      : path_(std::move(path)),
        database_(database),
        predicate_(predicate),
        declared_(database.predicates()[predicate]),
        relation_(database.relation(predicate)),
        values_(values),
        line_of_(values.size(), 0),
        codes_(declared_.arity()) {}

  void read(std::string_view text) {
    const char* end = text.data() + text.size();
    for (const char* p = text.data(); p < end;) {
      const Record record = next_record(p, end, false);
      p = record.next;
      ++line_;
      std::string_view row = record.text;
      if (row.ends_with('\r')) row.remove_suffix(1);
      if (!is_blank(row)) read_row(row);
    }
  }

  void report(Diagnostics& sink) {
    const bool any_mistake = mistakes_.total > 0;
    report_mistakes(std::move(mistakes_), sink);
    if (num_unknown_ > 0) {
      sink.warning(DiagnosticCode::kUnknownResult,
                   Span{path_, first_unknown_, 0, 0},
                   fmt::format("not among the targets of `{}`: {}, from this line on",
                               declared_.name,
                               counted(num_unknown_, "row")))
          .notes.push_back({"the results may be of other data than the model has now", {}});
    }
    if (!any_mistake) report_missing(sink);
  }

 private:
  void read_row(std::string_view row) {
    if (!split(row)) return;
    double value = 0.0;
    if (!read_value(row, value)) return;
    const auto target = find_target(row);
    if (!target) return;
    if (line_of_[*target] != 0) {
      mistake(DiagnosticCode::kDuplicateAtom,
              row,
              row,
              fmt::format("{} has a value already", atom_text(*target)),
              fmt::format("the first one is on line {}", line_of_[*target]));
      return;
    }
    line_of_[*target] = line_;
    values_[*target] = value;
    next_ = *target + 1;
  }

  bool split(std::string_view row) {
    fields_.clear();
    while (true) {
      const std::size_t tab = std::min(row.find('\t'), row.size());
      fields_.push_back(row.substr(0, tab));
      if (tab == row.size()) break;
      row.remove_prefix(tab + 1);
    }
    const std::size_t arity = codes_.size();
    if (fields_.size() == arity + 1) return true;
    const std::string_view whole(
        fields_[0].data(), static_cast<std::size_t>(row.data() + row.size() - fields_[0].data()));
    mistake(DiagnosticCode::kColumnCount,
            whole,
            whole,
            fmt::format("the row has {} instead of {}: {} and a value",
                        counted(fields_.size(), "column"),
                        arity + 1,
                        counted(arity, "argument")),
            "columns are separated by one tab");
    return false;
  }

  bool read_value(std::string_view row, double& value) {
    std::string_view text = fields_.back();
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    const auto number = parse_real(text);
    if (!number) {
      mistake(DiagnosticCode::kBadValue,
              row,
              fields_.back(),
              fmt::format("the value `{}` is not a number", shortened(text)),
              "the last column is a number from 0 to 1, such as 0.5");
      return false;
    }
    if (*number < -kRoundingError || *number > 1.0 + kRoundingError) {
      mistake(DiagnosticCode::kValueRange,
              row,
              fields_.back(),
              fmt::format("the value {} is outside [0, 1]", shortened(text)),
              "inferred truth values go from 0 (false) to 1 (true)");
      return false;
    }
    value = std::clamp(*number, 0.0, 1.0);
    return true;
  }

  // The row of the target that the fields name. The rows come mostly in the order of the targets,
  // so the next one is tried first, without a look into any index.
  std::optional<std::size_t> find_target(std::string_view row) {
    if (next_ < values_.size() && is_target(next_)) return next_;
    bool known = true;
    for (std::size_t k = 0; k < codes_.size(); ++k) {
      const auto code = find_constant(row, k);
      if (!code) return std::nullopt;  // a mistake, and reported
      known = known && *code != kNoCode;
      codes_[k] = *code;
    }
    const auto found = known ? relation_.find(codes_) : std::nullopt;
    if (found && found->partition == Partition::kTarget) return found->row;
    if (num_unknown_++ == 0) first_unknown_ = line_;
    return std::nullopt;
  }

  bool is_target(std::size_t target) const {
    const Table& targets = relation_.table(Partition::kTarget);
    for (std::size_t k = 0; k < codes_.size(); ++k) {
      const Dictionary& dictionary = dictionary_of(k);
      const Code code = targets.columns[k][target];
      const std::string_view field = fields_[k];
      if (dictionary.type() == ConstantType::kText) {
        if (dictionary.bytes_of(code) != field) return false;
        if (field.find('\\') != std::string_view::npos) return false;  // may mean something else
      } else if (dictionary.type() == ConstantType::kInteger) {
        std::int64_t number = 0;
        const auto end = std::from_chars(field.data(), field.data() + field.size(), number).ptr;
        if (end != field.data() + field.size() || dictionary.integer(code) != number) return false;
      } else {
        return false;
      }
    }
    return true;
  }

  // kNoCode if the data has no such constant; none if it is of the wrong type.
  std::optional<Code> find_constant(std::string_view row, std::size_t k) {
    const Dictionary& dictionary = dictionary_of(k);
    std::string_view field = fields_[k];
    if (dictionary.type() == ConstantType::kText) {
      if (field.find('\\') != std::string_view::npos) {
        if (const auto code = dictionary.find(unescaped(field))) return code;
      }
      return dictionary.find(field).value_or(kNoCode);  // as written: other tools do not escape
    }
    if (canonical_constant(dictionary.type(), field)) {
      return dictionary.find(field).value_or(kNoCode);
    }
    mistake(DiagnosticCode::kTypeMismatch,
            row,
            field,
            type_mismatch_message(declared_, k, field),
            "is this the file of another predicate?");
    return std::nullopt;
  }

  const Dictionary& dictionary_of(std::size_t k) const {
    return database_.dictionary(declared_.domain(k));
  }

  std::string atom_text(std::size_t target) const {
    const auto arguments =
        database_.arguments(predicate_, {Partition::kTarget, static_cast<std::uint32_t>(target)});
    return fmt::format("{}('{}')", declared_.name, fmt::join(arguments, "', '"));
  }

  void mistake(DiagnosticCode code,
               std::string_view row,
               std::string_view at,
               std::string message,
               std::string hint) {
    if (!mistakes_.count()) return;
    mistakes_.first.push_back(mistake_at(code,
                                         Span{path_, line_, 0, 0},
                                         row,
                                         static_cast<std::size_t>(at.data() - row.data()),
                                         at.size(),
                                         std::move(message)));
    mistakes_.first.back().notes.push_back({std::move(hint), {}});
  }

  void report_missing(Diagnostics& sink) const {
    const auto first = std::find(line_of_.begin(), line_of_.end(), 0U);
    if (first == line_of_.end()) return;
    const auto target = static_cast<std::uint32_t>(first - line_of_.begin());
    Diagnostic& diagnostic =
        sink.error(DiagnosticCode::kMissingResults,
                   Span{path_},
                   fmt::format("without a value: {} of {} of `{}`",
                               std::count(line_of_.begin(), line_of_.end(), 0U),
                               counted(line_of_.size(), "target"),
                               declared_.name));
    diagnostic.notes.push_back({fmt::format("the first is {}", atom_text(target)),
                                database_.origin(predicate_, {Partition::kTarget, target})});
    diagnostic.notes.push_back({"infer again with the data that the model has now", {}});
  }

  const std::string path_;
  const Database& database_;
  const PredicateId predicate_;
  const Predicate& declared_;
  const Relation& relation_;
  std::span<double> values_;
  std::vector<std::uint32_t> line_of_;  // per target: where its value stands; 0 if not yet seen
  std::uint32_t line_ = 0;
  std::size_t next_ = 0;  // the target that the row at hand is likely to be
  std::vector<std::string_view> fields_;
  std::vector<Code> codes_;
  MistakeList mistakes_;
  std::uint64_t num_unknown_ = 0;
  std::uint32_t first_unknown_ = 0;
};

void read_predicate(const fs::path& path,
                    const Database& database,
                    PredicateId predicate,
                    std::span<double> values,
                    Diagnostics& sink) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    sink.error(DiagnosticCode::kMissingResults,
               Span{path.string()},
               fmt::format("there are no results of `{}`: the file does not exist",
                           database.predicates()[predicate].name))
        .notes.push_back({"`infer MODEL --output DIR` writes it", {}});
    return;
  }
  const OpenedFile file = open_file(path.string());
  if (!file.error.empty()) {
    sink.error(DiagnosticCode::kUnreadableFile,
               Span{path.string()},
               fmt::format("cannot read the results: {}", file.error));
    return;
  }
  ResultsFile results(path.string(), database, predicate, values);
  results.read(file.bytes.view());
  results.report(sink);
}

}  // namespace

std::vector<double> read_results(const std::string& directory,
                                 const Database& database,
                                 std::span<const AtomRange> ranges,
                                 std::vector<Diagnostic>* warnings) {
  std::size_t num_atoms = 0;
  for (const AtomRange& range : ranges) {
    if (range.count != database.relation(range.predicate).table(Partition::kTarget).num_rows) {
      throw std::invalid_argument("a range of atoms does not have the length of its predicate");
    }
    num_atoms = std::max(num_atoms, std::size_t{range.first} + range.count);
  }
  std::vector<double> truth(num_atoms, 0.0);
  Diagnostics sink;
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    sink.error(DiagnosticCode::kUnreadableFile,
               Span{directory},
               error ? fmt::format("cannot read the folder of results: {}", error.message())
                     : "the results are a folder, and this is none");
    throw InputError(sink.take_sorted());
  }
  for (const AtomRange& range : ranges) {
    const Predicate& predicate = database.predicates()[range.predicate];
    read_predicate(fs::path(directory) / results_file_name(predicate),
                   database,
                   range.predicate,
                   std::span(truth).subspan(range.first, range.count),
                   sink);
  }
  const bool wrong = sink.has_errors();
  std::vector<Diagnostic> diagnostics = sink.take_sorted();
  if (wrong) throw InputError(std::move(diagnostics));
  if (warnings != nullptr) {
    std::move(diagnostics.begin(), diagnostics.end(), std::back_inserter(*warnings));
  }
  return truth;
}

}  // namespace sorites
