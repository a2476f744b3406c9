#include "meanfield/explain_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meanfield/lower.h"

namespace sorites {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::SizeIs;

// Documents that cite each other have the same label; d1's is known.
TEST(ExplainProgram, NamesRulesAtomsAndWhatTheyHangOn) {
  const auto text = ArgumentType::kUniqueStringId;
  Program program;
  program.predicates = {
      {.name = "Cites", .types = {text, text}},
      {.name = "Label", .types = {text, text}, .open = true, .has_classes = true}};
  add_rules(program,
            "1: !Label(D, 'B')\n"
            "2: Cites(D, E) & (D != E) & Label(D, C) -> Label(E, C)");
  Database database(program.predicates, program.domains);
  database.add(Partition::kObserved, "Cites", {"d1", "d2"});
  database.add(Partition::kObserved, "Label", {"d1", "A"});
  for (const char* label : {"A", "B", "C"}) {
    database.add(Partition::kTarget, "Label", {"d2", label});
  }
  const MeanFieldModel model = mean_field_model(program, database);
  ExactMeanField layer(model, {.iterations = 1, .threads = 1});
  const auto marginals = layer.infer(layer.no_unaries()).marginals;
  const MeanFieldAtom atom = model.task.targets[0];
  const InferredProgram what{program, database, model, marginals};
  const MeanFieldExplainOptions options{.mean_field = {.threads = 1}};
  const MeanFieldExplanation why = explain(what, layer.no_unaries(), atom, options);
  EXPECT_EQ(why.text, "Label('d2')");
  EXPECT_THAT(why.classes, ElementsAre("A", "B", "C"));
  ASSERT_THAT(why.rules, SizeIs(2));
  EXPECT_EQ(why.rules[0].rule, 1U);
  // 2 for A against the others, less the mean.
  EXPECT_THAT(
      why.rules[0].log_odds,
      ElementsAre(
          DoubleNear(4.0 / 3, 1e-9), DoubleNear(-2.0 / 3, 1e-9), DoubleNear(-2.0 / 3, 1e-9)));
  ASSERT_FALSE(why.rules[0].groundings.empty());
  const ProgramGrounding& hardest = why.rules[0].groundings[0];
  EXPECT_NEAR(hardest.push, 2.0, 1e-9);
  EXPECT_THAT(hardest.values, ElementsAre(0U));
  std::vector<std::string> texts;
  for (const FailedLiteral& condition : hardest.conditions) texts.push_back(condition.text);
  EXPECT_THAT(texts, testing::UnorderedElementsAre("Cites('d1', 'd2')", "Label('d1', 'A')"));
  EXPECT_EQ(why.rules[1].rule, 0U);

  const RuleViolations rule = explain_rule(what, 1, options);
  EXPECT_NEAR(rule.violated, 1.0 - marginals[1][3], 1e-9);  // d2 is not A
  ASSERT_FALSE(rule.worst.empty());
  EXPECT_THAT(rule.worst[0].conditions, SizeIs(3));
  EXPECT_FALSE(find_atom(model, 0, std::vector<Code>{0, 0}));  // closed
}

}  // namespace
}  // namespace sorites
