// The loader against the plain one of reference_loader.h, on random files.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <random>

#include "base/constant.h"
#include "data/sources/load.h"
#include "data/sources/reference_loader.h"

namespace sorites {
namespace {

using Types = std::vector<ArgumentType>;

Predicate predicate_of(const Types& types) {
  Predicate predicate;
  predicate.name = "P";
  predicate.types = types;
  return predicate;
}

std::string rendered(Diagnostics& sink) {
  std::string text;
  for (const Diagnostic& d : sink.take_sorted()) text += render(d);
  return text;
}

// All that a load leaves, as text: equal texts, equal databases.
std::string dump(const Database& database, Diagnostics& sink) {
  std::string text = rendered(sink);
  if (!text.empty()) return text;
  for (const Partition partition : {Partition::kObserved, Partition::kTarget, Partition::kTruth}) {
    const Table& table = database.relation(0).table(partition);
    for (std::uint32_t row = 0; row < table.num_rows; ++row) {
      for (const auto& column : table.columns) text += std::to_string(column[row]) + " ";
      for (const auto& argument : database.arguments(0, {partition, row})) text += argument + "|";
      text += to_text(table.value(row)) + " ";
      const Span at = database.origin(0, {partition, row});
      text += at.file + ":" + std::to_string(at.line) + "\n";
    }
  }
  return text;
}

// Random text that is mostly a data file. Few constants, so that atoms come twice now and then.
class FileWriter {
 public:
  FileWriter(std::uint32_t seed, Types types, bool commas)
      : random_(seed), types_(std::move(types)), commas_(commas) {
    mistakes_ = chance(3);
    values_ = chance(2);
    crlf_ = chance(3);
    distinct_ = chance(2) ? 1000000 : 8;
  }

  std::string write(int num_rows) {
    std::string text = chance(4) ? "\xEF\xBB\xBF" : "";
    for (int row = 0; row < num_rows; ++row) {
      if (chance(10)) text += blank_line();
      text += line();
      const bool last = row + 1 == num_rows;
      if (!last || chance(2)) text += end_of_line();
    }
    return text;
  }

 private:
  bool chance(int one_in) { return random_() % static_cast<unsigned>(one_in) == 0; }
  std::string pick(std::initializer_list<const char*> choices) {
    return std::data(choices)[random_() % choices.size()];
  }
  std::string end_of_line() { return crlf_ ? "\r\n" : "\n"; }
  std::string blank_line() { return pick({"", " ", "\t", " \t ", "\r"}) + end_of_line(); }

  std::string line() {
    if (mistakes_ && chance(20))
      return pick({"a b c", "\xFF", "x\ty\tz\tw", "\"", "a\"b,c", ",", "1"});
    std::string text;
    for (const ArgumentType type : types_) {
      if (!text.empty()) text += separator();
      text += field(constant_type(type));
    }
    if (values_ != (mistakes_ && chance(30))) text += separator() + value();
    if (!commas_ && chance(10)) text = pick({" ", "\t", ""}) + text + pick({" ", "\t", " \t"});
    return text;
  }

  std::string separator() {
    if (commas_) return ",";
    return chance(10) ? pick({" \t", "\t ", " \t "}) : "\t";
  }

  std::string field(ConstantType domain) {
    const auto number = std::to_string(random_() % distinct_);
    if (domain == ConstantType::kInteger) {
      if (mistakes_ && chance(40)) return pick({"x", "1.5", "", "99999999999999999999", "1 2"});
      return (chance(5) ? pick({"-", "+", "00", "000000000000000000000"}) : "") + number;
    }
    if (domain == ConstantType::kReal) {
      if (mistakes_ && chance(40)) return pick({"x", "inf", "nan", ""});
      return number + (chance(2) ? pick({".5", ".25", "e3", ".1234567890123456789", "."}) : "");
    }
    return text_field(number);
  }

  std::string text_field(const std::string& number) {
    if (!commas_ || !chance(3)) {
      return pick({"", "\xC3\xA9", "a b", "it's "}) + number + pick({"", "", "x"});
    }
    return pick({"\"\"\"", "\"a,b\n", "\"\n\n", "\"", "\"\r\n\"\""}) + number + "\"";
  }

  std::string value() {
    if (mistakes_ && chance(30)) return pick({"1.5", "-1", "x", "nan", "", "1e"});
    return pick({"1", "0", "0.5", "1.0", "1e-3", "0.123456789012345678", ".5", "+0.25", "-0"});
  }

  std::mt19937 random_;
  Types types_;
  bool commas_, mistakes_ = false, values_ = false, crlf_ = false;
  unsigned distinct_ = 8;
};

Types random_types() {
  const auto numbers =
      *rc::gen::suchThat(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6)),
                         [](const std::vector<int>& v) { return !v.empty() && v.size() <= 4; });
  Types types;
  for (const int number : numbers) types.push_back(static_cast<ArgumentType>(number));
  return types;
}

constexpr LoadLimits kTiny{.chunk_bytes = 16, .max_line_bytes = 60};

TEST(LoadText, AgreesWithThePlainLoader) {
  EXPECT_TRUE(rc::check([] {
    const Types types = random_types();
    const bool commas = *rc::gen::arbitrary<bool>();
    const std::string text = FileWriter(*rc::gen::arbitrary<std::uint32_t>(), types, commas)
                                 .write(*rc::gen::inRange(0, 60));
    const auto expected = reference_load(text, commas, types, kTiny.max_line_bytes);

    Database database({predicate_of(types)});
    Diagnostics sink;
    const DataFile file{0, Partition::kTarget, commas ? "f.csv" : "f.tsv", {}};
    load_text(database, file, text, {.threads = 2}, sink, kTiny);
    RC_LOG() << text << "\n" << (expected ? "" : "wrong\n");
    RC_ASSERT(sink.has_errors() == !expected.has_value());
    RC_CLASSIFY(expected.has_value());
    if (!expected) return;
    const Relation& relation = database.relation(0);
    RC_ASSERT(relation.table(Partition::kTarget).num_rows == expected->size());
    std::map<std::pair<ConstantType, std::string>, Code> codes;  // by first appearance
    std::map<ConstantType, Code> num_codes;
    for (std::uint32_t row = 0; row < expected->size(); ++row) {
      const RowId id{Partition::kTarget, row};
      RC_ASSERT(database.arguments(0, id) == (*expected)[row].arguments);
      RC_ASSERT(relation.table(Partition::kTarget).value(row) == (*expected)[row].value);
      RC_ASSERT(database.origin(0, id) == (Span{file.path, (*expected)[row].line, 0, 0}));
      std::vector<Code> arguments;
      for (std::size_t k = 0; k < types.size(); ++k) {
        const ConstantType domain = constant_type(types[k]);
        const auto [entry, is_new] =
            codes.try_emplace({domain, (*expected)[row].arguments[k]}, num_codes[domain]);
        if (is_new) ++num_codes[domain];
        arguments.push_back(entry->second);
        RC_ASSERT(relation.table(Partition::kTarget).columns[k][row] == entry->second);
      }
      RC_ASSERT(relation.find(arguments) == std::optional(id));
    }
  }));
}

TEST(LoadText, GivesTheSameForAnyThreadsAndChunks) {
  EXPECT_TRUE(rc::check([] {
    const Types types = random_types();
    const bool commas = *rc::gen::arbitrary<bool>();
    FileWriter writer(*rc::gen::arbitrary<std::uint32_t>(), types, commas);
    const std::string texts[] = {writer.write(*rc::gen::inRange(0, 90)),
                                 writer.write(*rc::gen::inRange(0, 20)),
                                 writer.write(*rc::gen::inRange(0, 20))};
    const std::string ending = commas ? ".csv" : ".tsv";
    const auto load = [&](unsigned threads, std::size_t chunk_bytes) {
      Database database({predicate_of(types)});
      Diagnostics sink;
      LoadLimits limits = kTiny;
      limits.chunk_bytes = chunk_bytes;
      const Partition partitions[] = {Partition::kObserved, Partition::kTruth, Partition::kTarget};
      for (int i = 0; i < 3; ++i) {
        const DataFile file{0, partitions[i], "f" + std::to_string(i) + ending, {}};
        load_text(database, file, texts[i], {.threads = threads}, sink, limits);
        if (sink.has_errors()) break;
      }
      return dump(database, sink);
    };
    const std::string expected = load(1, 1000000);
    for (const std::size_t chunk_bytes : {1, 7, 64}) {
      for (const unsigned threads : {1U, 2U, 5U}) {
        RC_ASSERT(load(threads, chunk_bytes) == expected);
      }
    }
  }));
}

}  // namespace
}  // namespace sorites
