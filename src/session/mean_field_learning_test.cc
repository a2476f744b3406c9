// learn() on Markov logic, through the layer.
#include <gtest/gtest.h>

#include <string>

#include "lang/mln/compile.h"
#include "sorites/learn.h"
#include "sorites/meanfield_energy.h"

namespace sorites {
namespace {

// Friends share a habit: the first formula is right, the second wrong; the labels are those of half
// of them.
MarkovModel habits() {
  std::string facts, queries;
  for (int i = 0; i < 10; ++i) {
    const std::string a = "A" + std::to_string(i), b = "B" + std::to_string(i);
    const std::string sign = i % 2 == 0 ? "" : "!";
    facts += "friend(" + a + ", " + b + ")\n" + sign + "smokes(" + a + ")\n";
    queries += sign + "smokes(" + b + ")\n";
  }
  const Source declarations("predicates", "smokes(person)\n*friend(person, person)\n");
  const Source rules("rules",
                     "0.5 friend(x, y) => (smokes(x) <=> smokes(y))\n"
                     "0.5 friend(x, y) => (smokes(x) <=> !smokes(y))\n");
  const Source fact_lines("facts", facts), query_lines("queries", queries);
  Diagnostics sink;
  return *markov::compile({.declarations = {&declarations},
                           .formulas = {&rules},
                           .statements = {},
                           .facts = {&fact_lines},
                           .queries = {&query_lines}},
                          sink);
}

TEST(MeanFieldLearning, CrossEntropyThroughTheLayerFindsTheRightFormula) {
  const MarkovModel model = habits();
  const auto energy =
      make_mean_field_energy(model, task_of(model), {.iterations = 5, .threads = 1});
  LearnOptions options;
  options.loss = {.cross_entropy = 1.0};
  options.domain = WeightDomain::kNonNegative;
  options.max_epochs = 60;
  const LearnResult result =
      learn({.samples = {{energy.get(), {}}}}, nullptr, weights_of(model), {false, false}, options);
  EXPECT_GT(result.weights[0], result.weights[1] + 0.5);
  ASSERT_FALSE(result.state.history.empty());
  EXPECT_LT(result.state.history.back().loss, result.state.history.front().loss);
  const EnergyValue before = energy->full({.weights = {0.5, 0.5}, .outputs = {}});
  const EnergyValue after = energy->full({.weights = result.weights, .outputs = {}});
  for (std::size_t t = 0; t < after.state.size(); ++t) {
    EXPECT_NEAR(before.state[t], 0.5, 1e-9);
    EXPECT_GT(energy->labels()[t] == 1.0 ? after.state[t] : 1.0 - after.state[t], 0.7);
  }
}

}  // namespace
}  // namespace sorites
