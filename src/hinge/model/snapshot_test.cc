#include "hinge/model/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "hinge/model/term_block.h"
#include "sorites/ground.h"

namespace sorites {
namespace {

Model small_model() {
  Model model;
  model.num_atoms = 3;
  model.num_outputs = 1;
  model.atom_ranges = {{0, 0, 3}};
  model.output_ranges = {{1, 0, 1}};
  model.rules = {{2.5, false, "2.5: A(X) -> B(X)", {"m.rules", 3, 1, 9}},
                 {0.0, true, "B(X) = 1 .", {}}};
  TermBlock pairs{.rule = 0, .kind = TermKind::kSquaredHinge, .coefficients = {1.0, -1.0}};
  pairs.output_coefficients = {0.5};
  add_term(pairs, std::vector<AtomId>{0, 1}, std::vector<std::uint32_t>{0}, -1.0);
  add_term(pairs, std::vector<AtomId>{1, 2}, std::vector<std::uint32_t>{0}, 0.25);
  TermBlock single{.rule = 1, .kind = TermKind::kEqual, .coefficients = {1.0}};
  add_term(single, std::vector<AtomId>{2}, {}, -1.0);
  model.blocks = {pairs, single};
  return model;
}

class SnapshotTest : public testing::Test {
 protected:
  SnapshotTest() {
    path_ = std::filesystem::temp_directory_path() /
            ("sorites_snapshot_" + std::to_string(::getpid()) + ".ground");
    save_snapshot(small_model(), 77, path_);
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  ~SnapshotTest() override { std::filesystem::remove(path_); }

  std::string problem(std::string_view bytes, std::uint64_t fingerprint = 77) {
    const auto result = read_snapshot({bytes.data(), bytes.size()}, fingerprint);
    const auto* text = std::get_if<std::string>(&result);
    return text == nullptr ? "" : *text;
  }

  std::string path_;
  std::string bytes_;
};

TEST_F(SnapshotTest, ReadsBackWhatWasSaved) {
  const Model expected = small_model(), model = load_snapshot(path_, 77);
  EXPECT_EQ(model.num_atoms, expected.num_atoms);
  EXPECT_EQ(model.rules[0].text, expected.rules[0].text);
  EXPECT_EQ(model.rules[0].source, expected.rules[0].source);
  EXPECT_TRUE(model.rules[1].hard);
  ASSERT_EQ(model.blocks.size(), 2U);
  EXPECT_EQ(model.blocks[0].coefficients, expected.blocks[0].coefficients);
  EXPECT_TRUE(model.blocks[0].atoms == expected.blocks[0].atoms);
  EXPECT_TRUE(model.blocks[0].offsets == expected.blocks[0].offsets);
  EXPECT_EQ(model.blocks[0].outputs_of(1)[0], 0U);
  EXPECT_EQ(model.blocks[1].offset_of(0), -1.0);
}

TEST_F(SnapshotTest, TellsEveryTruncation) {
  for (std::size_t length = 0; length < bytes_.size(); ++length) {
    EXPECT_NE(problem(bytes_.substr(0, length)), "") << length;
  }
  EXPECT_THAT(problem(bytes_.substr(0, bytes_.size() - 1)), testing::HasSubstr("cut off"));
}

TEST_F(SnapshotTest, TellsEveryDamagedByte) {
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    std::string damaged = bytes_;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_NE(problem(damaged), "") << i;
  }
}

TEST_F(SnapshotTest, TellsForeignFilesAndOtherModels) {
  EXPECT_THAT(problem("PK\x03\x04 something else"), testing::HasSubstr("no snapshot"));
  EXPECT_THAT(problem(""), testing::HasSubstr("no snapshot"));
  EXPECT_THAT(problem(bytes_, 78), testing::HasSubstr("other rules or data"));
  EXPECT_THAT(problem(bytes_ + "x"), testing::HasSubstr("after its end"));
}

// Somebody may change a file and mend its checksums.
TEST_F(SnapshotTest, TellsNumbersThatFitNothingThoughChecksumsDo) {
  const auto problem_with = [&](const auto& change) {
    Model model = small_model();
    change(model);
    save_snapshot(model, 77, path_);
    std::ifstream file(path_, std::ios::binary);
    return problem(std::string(std::istreambuf_iterator<char>(file), {}));
  };
  EXPECT_THAT(problem_with([](Model& m) { m.num_atoms = 1U << 30U; }), testing::HasSubstr("atoms"));
  EXPECT_THAT(problem_with([](Model& m) { m.atom_ranges[0].count = 4'000'000'000U; }),
              testing::HasSubstr("range"));
  EXPECT_THAT(problem_with([](Model& m) { m.output_ranges[0].first = 7; }),
              testing::HasSubstr("range"));
  EXPECT_THAT(problem_with([](Model& m) { m.blocks[0].atoms[1] = 3; }),
              testing::HasSubstr("not there"));
  EXPECT_THAT(problem_with([](Model& m) { m.blocks[1].rule = 2; }), testing::HasSubstr("no rule"));
  EXPECT_EQ(problem_with([](Model&) {}), "");
}

// Observations alone break it: there is nothing to solve, but a conflict to tell.
TEST_F(SnapshotTest, KeepsHardRulesWithoutAtoms) {
  Model model = small_model();
  TermBlock broken{.rule = 1, .kind = TermKind::kEqual};
  add_term(broken, {}, {}, 0.5);
  model.blocks.push_back(broken);
  save_snapshot(model, 77, path_);
  EXPECT_EQ(load_snapshot(path_, 77).blocks.back().num_terms, 1U);
  model.blocks.back().num_terms = std::size_t{1} << 40U;
  model.blocks.back().offsets.clear();
  save_snapshot(model, 77, path_);
  EXPECT_ANY_THROW(load_snapshot(path_, 77));
}

TEST_F(SnapshotTest, LeavesTheOldFileIfWritingFails) {
  EXPECT_THROW(save_snapshot(small_model(), 1, "/nonexistent/folder/x"), IoError);
  EXPECT_THROW(load_snapshot("/nonexistent/x", 1), IoError);
  EXPECT_THROW(load_snapshot(path_, 78), InputError);
}

}  // namespace
}  // namespace sorites
