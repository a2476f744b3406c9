#include "hinge/model/relax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hinge/model/term_block.h"

namespace sorites {
namespace {

using testing::ElementsAre;

Model model_with_one_rule_of_each_kind() {
  Model model;
  model.num_atoms = 2;
  model.atom_ranges = {{0, 0, 2}};
  model.rules = {{2.0, false, "soft", {}}, {0.0, true, "at most", {}}, {0.0, true, "equal", {}}};
  TermBlock soft{.rule = 0, .kind = TermKind::kSquaredHinge, .coefficients = {1.0}};
  add_term(soft, std::vector<AtomId>{0}, {}, 0.0);
  TermBlock at_most{.rule = 1, .kind = TermKind::kAtMost, .coefficients = {1.0, 1.0}};
  add_term(at_most, std::vector<AtomId>{0, 1}, {}, -1.0);
  TermBlock equal{.rule = 2, .kind = TermKind::kEqual, .coefficients = {1.0, -2.0}};
  add_term(equal, std::vector<AtomId>{0, 1}, {}, 0.25);
  add_term(equal, std::vector<AtomId>{1, 0}, {}, 0.5);
  model.blocks = {soft, at_most, equal};
  return model;
}

TEST(RelaxHardRules, GivesHardRulesTheWeightAndLeavesOthersAsTheyAre) {
  Model model = model_with_one_rule_of_each_kind();
  relax_hard_rules(model, 200.0, false);
  EXPECT_EQ(model.rules[0].weight, 2.0);
  EXPECT_EQ(model.rules[1].weight, 200.0);
  EXPECT_FALSE(model.rules[1].hard);
  EXPECT_FALSE(model.rules[2].hard);
  EXPECT_EQ(model.blocks[0].kind, TermKind::kSquaredHinge);
  EXPECT_EQ(model.blocks[1].kind, TermKind::kHinge);
}

TEST(RelaxHardRules, MakesTwoHingesOfAnEquality) {
  Model model = model_with_one_rule_of_each_kind();
  relax_hard_rules(model, 1.0, true);
  ASSERT_EQ(model.blocks.size(), 4U);
  const TermBlock &up = model.blocks[2], &down = model.blocks[3];
  EXPECT_EQ(up.kind, TermKind::kSquaredHinge);
  EXPECT_EQ(down.kind, TermKind::kSquaredHinge);
  EXPECT_EQ(down.rule, 2U);
  EXPECT_THAT(up.coefficients, ElementsAre(1.0, -2.0));
  EXPECT_THAT(down.coefficients, ElementsAre(-1.0, 2.0));
  EXPECT_THAT(down.atoms_of(1), ElementsAre(1, 0));
  EXPECT_EQ(down.offset_of(0), -0.25);
  EXPECT_EQ(down.offset_of(1), -0.5);
}

}  // namespace
}  // namespace sorites
