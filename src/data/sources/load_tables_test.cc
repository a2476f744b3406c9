#include "data/sources/load_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "data/sources/load.h"

namespace sorites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Predicate> one_predicate(ArgumentType type) {
  return {{.name = "P", .types = {type, ArgumentType::kUniqueStringId}}};
}

// Rows of a number and a text, as a table and as a file would have them.
struct Rows {
  std::vector<std::int64_t> numbers;
  std::vector<std::uint32_t> codes;
  std::vector<std::string> texts;
  std::vector<double> values;

  RowTable table() const {
    RowColumn first{numbers, {}, {}}, second{{}, codes, {texts.begin(), texts.end()}};
    return {"<rows>", numbers.size(), {first, second}, values};
  }
  std::string file() const {
    std::string text;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      text += fmt::format("{}\t{}\t{}\n", numbers[i], texts[codes[i]], values[i]);
    }
    return text;
  }
};

Rows random_rows() {
  Rows rows{{}, {}, {"ann", "bob", "zo\xC3\xAB", "a b"}, {}};
  std::set<std::pair<std::int64_t, std::uint32_t>> seen;
  const auto count = *rc::gen::inRange(0, 200);
  for (int i = 0; i < count; ++i) {
    const auto number = *rc::gen::inRange<std::int64_t>(-20, 20);
    const auto code = *rc::gen::inRange<std::uint32_t>(0, 4);
    if (!seen.insert({number, code}).second) continue;
    rows.numbers.push_back(number);
    rows.codes.push_back(code);
    rows.values.push_back(*rc::gen::inRange(0, 5) / 4.0);
  }
  return rows;
}

std::vector<std::string> mistakes_of(Diagnostics& sink) {
  std::vector<std::string> said;
  for (const Diagnostic& one : sink.take_sorted()) {
    said.push_back(fmt::format("{}:{}: {}", one.span.file, one.span.line, one.message));
  }
  return said;
}

TEST(LoadTables, TablesAndFilesOfTheSameRowsGiveTheSameAtoms) {
  rc::check([] {
    const Rows rows = random_rows();
    const auto type = *rc::gen::element(
        ArgumentType::kUniqueIntId, ArgumentType::kUniqueStringId, ArgumentType::kDouble);
    const auto partition =
        *rc::gen::element(Partition::kObserved, Partition::kTarget, Partition::kTruth);
    Database by_table(one_predicate(type)), by_file(one_predicate(type));
    Diagnostics sink;
    const RowTable table = rows.table();
    const TableSource source{0, partition, &table};
    load_tables(by_table, {&source, 1}, {}, sink);
    load_text(by_file, {0, partition, "rows.tsv", {}}, rows.file(), {}, sink);
    RC_ASSERT(!sink.has_errors());
    const Table& made = by_table.relation(0).table(partition);
    const Table& read = by_file.relation(0).table(partition);
    RC_ASSERT(made.num_rows == read.num_rows);
    for (std::uint32_t row = 0; row < made.num_rows; ++row) {
      RC_ASSERT(by_table.arguments(0, {partition, row}) == by_file.arguments(0, {partition, row}));
      RC_ASSERT(made.value(row) == read.value(row));
      const std::vector<Code> codes = {made.columns[0][row], made.columns[1][row]};
      const bool found = partition == Partition::kTruth
                             ? by_table.relation(0).find_truth(codes) == row
                             : by_table.relation(0).find(codes) == RowId{partition, row};
      RC_ASSERT(found);
    }
  });
}

TEST(LoadTables, ManyBlocksOfRowsKeepTheirOrder) {
  constexpr std::int64_t kRows = 200'000;  // several blocks
  std::vector<std::int64_t> numbers(kRows);
  for (std::int64_t i = 0; i < kRows; ++i) numbers[static_cast<std::size_t>(i)] = i * 7 % kRows;
  Database database({{.name = "P", .types = {ArgumentType::kUniqueStringId}}});
  const RowTable table{"<rows>", numbers.size(), {{numbers, {}, {}}}, {}};
  const TableSource source{0, Partition::kTarget, &table};
  Diagnostics sink;
  load_tables(database, {&source, 1}, {}, sink);
  ASSERT_FALSE(sink.has_errors());
  for (const std::uint32_t row : {0U, 1U, 65'535U, 65'536U, 199'999U}) {
    EXPECT_THAT(database.arguments(0, {Partition::kTarget, row}),
                ElementsAre(std::to_string(numbers[row])));
  }
}

TEST(LoadTables, TablesAddToWhatIsThere) {
  Database database(one_predicate(ArgumentType::kUniqueIntId));
  database.add(Partition::kObserved, "P", {"7", "ann"}, 0.5);
  const Rows rows{{8}, {0}, {"bob"}, {}};
  const RowTable table = rows.table();
  const TableSource source{0, Partition::kObserved, &table};
  Diagnostics sink;
  load_tables(database, {&source, 1}, {}, sink);
  const Table& observed = database.relation(0).table(Partition::kObserved);
  ASSERT_EQ(observed.num_rows, 2U);
  EXPECT_EQ(observed.value(0), 0.5);
  EXPECT_EQ(observed.value(1), 1.0);
}

TEST(LoadTables, NamesTableAndRowOfEveryMistake) {
  Database database(one_predicate(ArgumentType::kUniqueStringId));
  const Rows rows{{1, 1, 2, 3}, {0, 0, 9, 1}, {"a", "b"}, {0.5, 0.5, 1.0, std::nan("")}};
  const RowTable table = rows.table();
  const TableSource source{0, Partition::kObserved, &table};
  Diagnostics sink;
  load_tables(database, {&source, 1}, {}, sink);
  EXPECT_THAT(mistakes_of(sink),
              ElementsAre(HasSubstr("<rows>:2: "),
                          HasSubstr("<rows>:3: argument 2 of P is missing"),
                          HasSubstr("<rows>:4: the truth value nan is outside")));
}

TEST(LoadTables, RefusesTextsThatAreNoNumbers) {
  Database database({{.name = "P", .types = {ArgumentType::kUniqueIntId}}});
  const std::vector<std::uint32_t> codes = {0, 1};
  const RowTable table{"<rows>", 2, {{{}, codes, {"7", "x"}}}, {}};
  const TableSource source{0, Partition::kTarget, &table};
  Diagnostics sink;
  load_tables(database, {&source, 1}, {}, sink);
  EXPECT_THAT(mistakes_of(sink), ElementsAre(HasSubstr("<rows>:2: ")));
}

}  // namespace
}  // namespace sorites
