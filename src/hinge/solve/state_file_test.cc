#include "hinge/solve/state_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "base/saved_struct.h"
#include "hinge/model/term_block.h"
#include "sorites/diagnostic.h"
#include "sorites/solve.h"

namespace sorites {

// What a state file holds, to be written as it should not be.
struct AnyState {
  std::vector<double> truth, multipliers;
};
template <>
inline constexpr auto kFields<AnyState> =
    std::tuple{Field{"truth", &AnyState::truth}, Field{"multipliers", &AnyState::multipliers}};

namespace {

using testing::HasSubstr;

Model small_model() {
  Model model;
  model.num_atoms = 2;
  model.atom_ranges = {{0, 0, 2}};
  model.rules = {{2.5, false, "2.5: A(X) -> B(X)", {}}};
  TermBlock block{.rule = 0, .kind = TermKind::kHinge, .coefficients = {1.0, -1.0}};
  add_term(block, std::vector<AtomId>{0, 1}, {}, -1.0);
  add_term(block, std::vector<AtomId>{1, 0}, {}, 0.25);
  model.blocks = {block};
  return model;
}

Solution small_solution() {
  Solution solution;
  solution.truth = {0.25, 1.0};
  solution.multipliers = {0.0, 2.5};
  return solution;
}

class StateFile : public testing::Test {
 protected:
  StateFile() {
    path_ = std::filesystem::temp_directory_path() /
            ("sorites_state_" + std::to_string(::getpid()) + ".state");
    save_state(small_solution(), small_model(), path_);
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  ~StateFile() override { std::filesystem::remove(path_); }

  static std::string problem(std::string_view bytes) {
    const auto result =
        read_state({bytes.data(), bytes.size()}, structure_fingerprint(small_model()), 2, 2);
    const auto* text = std::get_if<std::string>(&result);
    return text == nullptr ? "" : *text;
  }

  std::string problem_with(const Model& model) const {
    try {
      load_state(path_, model);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::string path_;
  std::string bytes_;
};

TEST_F(StateFile, ReadsBackWhatWasSaved) {
  const Solution solution = load_state(path_, small_model());
  EXPECT_EQ(solution.truth, small_solution().truth);
  EXPECT_EQ(solution.multipliers, small_solution().multipliers);
}

TEST_F(StateFile, FitsAModelWithOtherWeightsAndOffsets) {
  Model model = small_model();
  model.rules[0].weight = 7.0;
  model.blocks[0].offsets[1] = 0.5;
  EXPECT_EQ(load_state(path_, model).truth, small_solution().truth);
}

TEST_F(StateFile, DoesNotFitAModelWithOtherAtomsOrGroundRules) {
  Model other_atom = small_model();
  other_atom.blocks[0].atoms[1] = 0;
  Model other_kind = small_model();
  other_kind.blocks[0].kind = TermKind::kAtMost;
  Model one_more = small_model();
  add_term(one_more.blocks[0], std::vector<AtomId>{1, 0}, {}, 0.25);
  for (const Model& model : {other_atom, other_kind, one_more}) {
    EXPECT_THAT(problem_with(model), HasSubstr("other atoms or ground rules"));
  }
}

TEST_F(StateFile, SaysWhichFileAndWhatToDo) {
  Model model = small_model();
  model.num_atoms = 3;
  EXPECT_THAT(problem_with(model), HasSubstr(path_));
  EXPECT_THAT(problem_with(model), HasSubstr("sorites infer --save-state"));
}

TEST_F(StateFile, TellsEveryTruncation) {
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    EXPECT_NE(problem(std::string_view(bytes_).substr(0, size)), "") << size;
  }
}

TEST_F(StateFile, TellsEveryDamagedByte) {
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    std::string damaged = bytes_;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_NE(problem(damaged), "") << i;
  }
}

TEST_F(StateFile, RefusesValuesOutOfRangeThoughTheChecksumIsRight) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const AnyState& state :
       {AnyState{{1.5, 1.0}, {0.0, 2.5}}, AnyState{{0.25, 1.0}, {kInfinity, 2.5}}}) {
    save_struct(state, kStateFormat, structure_fingerprint(small_model()), path_);
    EXPECT_THAT(problem_with(small_model()), HasSubstr("out of range"));
  }
}

// What could not be read back is not written.
TEST_F(StateFile, IsNotWrittenWithoutASolution) {
  Solution outside = small_solution(), fewer = small_solution();
  outside.truth[0] = 1.5;
  fewer.multipliers.pop_back();
  for (const Solution& none : {Solution{}, outside, fewer}) {
    EXPECT_THROW(save_state(none, small_model(), path_), std::logic_error);
  }
  EXPECT_EQ(load_state(path_, small_model()).truth, small_solution().truth);  // the old file stays
  Solution without_multipliers = small_solution();
  without_multipliers.multipliers.clear();
  save_state(without_multipliers, small_model(), path_);
  EXPECT_EQ(load_state(path_, small_model()).truth, small_solution().truth);
}

TEST_F(StateFile, NamesTheFileThatIsNotThere) {
  EXPECT_THROW(load_state("/nonexistent/x.state", small_model()), IoError);
  EXPECT_THROW(save_state(small_solution(), small_model(), "/nonexistent/x.state"), IoError);
}

}  // namespace
}  // namespace sorites
