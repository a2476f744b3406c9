#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "meanfield/explain_atom.h"
#include "meanfield/random_mean_field.h"

namespace sorites {
namespace {

using testing::ElementsAre;

constexpr int kModels = 300;

double sum_of(const std::vector<MeanFieldGrounding>& groundings) {
  return std::accumulate(
      groundings.begin(), groundings.end(), 0.0, [](double sum, const MeanFieldGrounding& one) {
        return sum + one.push;
      });
}

// What the contractions count is what a search of all groundings finds.
TEST(ExplainFormula, GroundingsAddUpToItsCost) {
  const MeanFieldExplainOptions all{.mean_field = {.threads = 1}, .max_groundings = 1'000'000};
  MeanFieldExplainOptions few = all;
  few.max_groundings = 3;
  for (int seed = 0; seed < kModels; ++seed) {
    SCOPED_TRACE(seed);
    RandomMeanField random(static_cast<std::uint64_t>(seed));
    const MeanFieldModel model = random.model();
    ExactMeanField layer(model, {.threads = 1});
    layer.set_options({.iterations = 0, .threads = 1});
    const auto marginals = layer.infer(random.numbers(layer.no_unaries(), -2.0, 2.0)).marginals;
    for (std::size_t f = 0; f < model.formulas.size(); ++f) {
      const MeanFieldFormulaExplanation whole = explain_formula(model, marginals, f, all);
      ASSERT_TRUE(whole.all_seen);
      const double expected = model.formulas[f].hard ? whole.violated : whole.cost;
      ASSERT_NEAR(sum_of(whole.worst), expected, 1e-9 * (1.0 + whole.violated)) << f;
      ASSERT_GE(whole.groundings * (1.0 + 1e-9), whole.violated);
      const MeanFieldFormulaExplanation part = explain_formula(model, marginals, f, few);
      ASSERT_EQ(part.worst.size(), std::min<std::size_t>(whole.worst.size(), 3));
      for (std::size_t i = 0; i < part.worst.size(); ++i) {
        ASSERT_NEAR(std::abs(part.worst[i].push), std::abs(whole.worst[i].push), 1e-12);
      }
    }
  }
}

MeanFieldModel friends() {
  MeanFieldModel model;
  model.domains = {{0, {0, 1, 2}}};
  model.predicates = {{"p", {0}}, {"q", {0, 0}}};
  model.facts.resize(2);
  MeanFieldFormula formula;  // !q(x, y) v p(x)
  formula.place = {"folder/rules", 2, 1, 1};
  formula.variables = {0, 0};
  formula.weights = {2.0};
  formula.clauses = {{{1, {{false, 0}, {false, 1}}, {0}}, {0, {{false, 0}}, {1}}}};
  model.formulas = {formula};
  return model;
}

TEST(ExplainFormula, SaysHowManyAreViolatedAndWhere) {
  MeanFieldModel model = friends();
  const AtomValues<double> marginals = {{0.5, 0.25, 1.0}, {0.1, 0.9, 0, 0.4, 0, 0, 1, 1, 1}};
  MeanFieldExplainOptions options{.mean_field = {.threads = 1}};
  const MeanFieldFormulaExplanation weighted = explain_formula(model, marginals, 0, options);
  EXPECT_DOUBLE_EQ(weighted.groundings, 9.0);
  EXPECT_NEAR(weighted.violated, 0.05 + 0.45 + 0.3, 1e-12);
  EXPECT_NEAR(weighted.cost, 1.6, 1e-12);
  ASSERT_EQ(weighted.worst.size(), 3U);  // none that cannot be violated
  EXPECT_NEAR(weighted.worst[0].push, 0.9, 1e-12);
  ASSERT_EQ(weighted.worst[0].conditions.size(), 2U);
  EXPECT_EQ(weighted.worst[0].conditions[1].predicate, 1U);
  EXPECT_EQ(weighted.worst[0].conditions[1].atom, 1U);  // of the first two constants
  model.formulas[0].hard = true;
  const MeanFieldFormulaExplanation hard = explain_formula(model, marginals, 0, options);
  EXPECT_EQ(hard.cost, 0.0);
  EXPECT_NEAR(hard.violated, 0.8, 1e-12);
  EXPECT_NEAR(hard.worst[0].push, 0.45, 1e-12);
  options.max_steps = 2;
  EXPECT_FALSE(explain_formula(model, marginals, 0, options).all_seen);
  EXPECT_THROW(explain_formula(model, marginals, 1, options), std::invalid_argument);
}

}  // namespace
}  // namespace sorites
