#include "data/index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "data/access.h"

namespace sorites {
namespace {

// `num_rows` random rows of two codes below `num_codes`, in the table.
void fill(Relation& relation, Partition partition, std::size_t num_rows, std::uint32_t num_codes) {
  std::mt19937 random(static_cast<unsigned>(partition) + 1);
  Table& table = DataAccess::table(relation, partition);
  table.num_rows = num_rows;
  for (auto& column : table.columns) {
    column.resize(num_rows);
    for (Code& code : column) code = static_cast<Code>(random() % num_codes);
  }
}

struct Built {
  Relation relation{2};
  std::vector<Duplicate> duplicates;
};

Built build(std::size_t num_rows, std::uint32_t num_codes, unsigned threads) {
  Built built;
  fill(built.relation, Partition::kObserved, num_rows, num_codes);
  fill(built.relation, Partition::kTarget, num_rows / 2, num_codes);
  ThreadPool pool(threads);
  built.duplicates = build_index(built.relation, Partition::kTarget, 0, pool);
  return built;
}

TEST(BuildIndex, FindsTheFirstOfEqualRowsAndNamesTheOthers) {
  for (const std::uint32_t num_codes : {1U, 300U, 100'000U}) {
    const Built built = build(80'000, num_codes, 3);
    std::map<std::pair<Code, Code>, RowId> first;
    std::size_t next_duplicate = 0;
    for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
      const Table& table = built.relation.table(partition);
      for (std::uint32_t row = 0; row < table.num_rows; ++row) {
        const Code atom[] = {table.columns[0][row], table.columns[1][row]};
        const auto [entry, is_new] = first.try_emplace({atom[0], atom[1]}, RowId{partition, row});
        ASSERT_EQ(built.relation.find(atom), entry->second);
        if (is_new) continue;
        ASSERT_LT(next_duplicate, built.duplicates.size());
        ASSERT_EQ(built.duplicates[next_duplicate].first, entry->second);
        ASSERT_EQ(built.duplicates[next_duplicate].second, (RowId{partition, row}));
        ++next_duplicate;
      }
    }
    EXPECT_EQ(next_duplicate, built.duplicates.size());
    const Code unknown[] = {num_codes, 0};
    EXPECT_EQ(built.relation.find(unknown), std::nullopt);
  }
}

TEST(BuildIndex, GivesTheSameSlotsForAnyThreads) {
  Built one = build(100'000, 500, 1), five = build(100'000, 500, 5);
  EXPECT_EQ(DataAccess::atoms(one.relation).slots, DataAccess::atoms(five.relation).slots);
  EXPECT_EQ(one.duplicates.size(), five.duplicates.size());
}

TEST(BuildIndex, LeavesOutRowsThatCouldNotBeRead) {
  Built built;
  fill(built.relation, Partition::kTruth, 10, 1000);
  DataAccess::table(built.relation, Partition::kTruth).columns[0][4] = kNoCode;
  ThreadPool pool(1);
  EXPECT_TRUE(build_index(built.relation, Partition::kTruth, 0, pool).empty());
  const Code bad[] = {kNoCode, built.relation.table(Partition::kTruth).columns[1][4]};
  EXPECT_EQ(built.relation.find_truth(bad), std::nullopt);
}

TEST(BuildIndex, StopsWhenAsked) {
  Built built;
  fill(built.relation, Partition::kObserved, 10, 1000);
  ThreadPool pool(2);
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(build_index(built.relation, Partition::kObserved, 0, pool, source.get_token()),
               Interrupted);
}

TEST(AppendRow, KeepsTheIndexInStep) {
  Relation relation(3);
  std::mt19937 random(5);
  std::vector<std::array<Code, 3>> atoms;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const std::array<Code, 3> atom{i, static_cast<Code>(random()) / 2, i % 7};
    const Partition partition = i % 3 == 0 ? Partition::kTarget : Partition::kObserved;
    append_row(relation, partition, atom, i % 2 == 0 ? 1.0 : 0.5);
    atoms.push_back(atom);
  }
  EXPECT_EQ(relation.find(atoms[0]), (RowId{Partition::kTarget, 0}));
  EXPECT_EQ(relation.find(atoms[1]), (RowId{Partition::kObserved, 0}));
  EXPECT_EQ(relation.find(atoms[4999]), (RowId{Partition::kObserved, 3332}));
  EXPECT_EQ(relation.table(Partition::kObserved).value(0), 0.5);
  EXPECT_EQ(relation.table(Partition::kTarget).value(0), 1.0);
  EXPECT_EQ(relation.find_truth(atoms[0]), std::nullopt);
}

}  // namespace
}  // namespace sorites
