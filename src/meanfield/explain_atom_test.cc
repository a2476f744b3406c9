#include "meanfield/explain_atom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "meanfield/explain_atom.h"
#include "meanfield/random_mean_field.h"

namespace sorites {
namespace {

constexpr int kModels = 300;

// A random model at random marginals.
struct Case {
  explicit Case(std::uint64_t seed)
      : random(seed), model(random.model()), layer(model, {.threads = 1}) {
    layer.set_options({.iterations = 0, .threads = 1});
    marginals = layer.infer(random.numbers(layer.no_unaries(), -2.0, 2.0)).marginals;
    unaries = random.numbers(layer.no_unaries(), -1.0, 1.0);
  }

  // Calls work(predicate, atom) for all atoms of open predicates.
  template <class Work>
  void for_atoms(const Work& work) {
    for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
      const std::size_t count = std::max<std::size_t>(model.predicates[p].num_classes(), 1);
      for (std::uint64_t atom = 0; atom < marginals[p].size() / count; ++atom) work(p, atom);
    }
  }

  RandomMeanField random;
  MeanFieldModel model;
  ExactMeanField layer;
  AtomValues<double> marginals, unaries;
};

WeightScale scale_for(int seed) { return static_cast<WeightScale>(seed % 4); }

void expect_near(const std::vector<double>& x, const std::vector<double>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(x[i], y[i], 1e-9 * (1.0 + std::abs(y[i]))) << i;
  }
}

TEST(ExplainAtom, PushesAddUpToTheLogOddsOfAFurtherIteration) {
  const MeanFieldExplainOptions options{.mean_field = {.threads = 1}, .max_formulas = 0};
  for (int seed = 0; seed < kModels; ++seed) {
    SCOPED_TRACE(seed);
    Case random(static_cast<std::uint64_t>(seed));
    const auto messages = random.layer.messages(random.marginals);
    random.for_atoms([&](std::uint32_t predicate, std::uint64_t atom) {
      const MeanFieldAtomExplanation found =
          explain_atom(random.model, random.marginals, random.unaries, predicate, atom, options);
      std::vector<double> expected = numbers_of(random.model, messages, predicate, atom);
      const auto unary = numbers_of(random.model, random.unaries, predicate, atom);
      for (std::size_t v = 0; v < expected.size(); ++v) expected[v] += unary[v];
      expect_near(found.log_odds, centred(expected));
    });
    if (HasFatalFailure()) return;
  }
}

TEST(ExplainAtom, CentredAndScaledPushesAddUpAsWell) {
  for (int seed = 0; seed < kModels; ++seed) {
    SCOPED_TRACE(seed);
    Case random(static_cast<std::uint64_t>(seed));
    const MeanFieldExplainOptions options{
        .mean_field = {.weight_scale = scale_for(seed), .centre_messages = true, .threads = 1},
        .max_formulas = 0};
    ExactMeanField layer(random.model, options.mean_field);
    const auto messages = layer.messages(random.marginals);
    random.for_atoms([&](std::uint32_t predicate, std::uint64_t atom) {
      const MeanFieldAtomExplanation found = explain_atom(
          random.model, random.marginals, layer.no_unaries(), predicate, atom, options);
      expect_near(found.log_odds, centred(numbers_of(random.model, messages, predicate, atom)));
    });
    if (HasFatalFailure()) return;
  }
}

TEST(ExplainAtom, GroundingsAddUpToThePushOfTheirFormula) {
  for (int seed = 0; seed < kModels; ++seed) {
    SCOPED_TRACE(seed);
    Case random(static_cast<std::uint64_t>(seed));
    const MeanFieldExplainOptions options{
        .mean_field = {.weight_scale = scale_for(seed), .threads = 1},
        .max_formulas = 100,
        .max_groundings = 100'000};
    random.for_atoms([&](std::uint32_t predicate, std::uint64_t atom) {
      const MeanFieldAtomExplanation found =
          explain_atom(random.model, random.marginals, random.unaries, predicate, atom, options);
      const std::size_t classes = random.model.predicates[predicate].num_classes();
      for (const FormulaPush& push : found.formulas) {
        std::vector<double> sum(std::max<std::size_t>(classes, 1), 0.0);
        EXPECT_TRUE(push.all_seen);
        for (const MeanFieldGrounding& grounding : push.groundings) {
          for (const std::uint32_t value : grounding.values) {
            if (classes > 0) sum[value] += grounding.push;
            if (classes == 0) sum[0] += value == 1 ? grounding.push : -grounding.push;
          }
        }
        expect_near(centred(sum), push.log_odds);
      }
    });
    if (HasFatalFailure()) return;
  }
}

TEST(ExplainAtom, FindsTheHardestGroundingsFirst) {
  MeanFieldExplainOptions all{
      .mean_field = {.threads = 1}, .max_formulas = 100, .max_groundings = 100'000};
  MeanFieldExplainOptions few = all;
  few.max_groundings = 3;
  for (int seed = 0; seed < kModels; ++seed) {
    SCOPED_TRACE(seed);
    Case random(static_cast<std::uint64_t>(seed));
    random.for_atoms([&](std::uint32_t predicate, std::uint64_t atom) {
      const auto explain = [&](const MeanFieldExplainOptions& options) {
        return explain_atom(
            random.model, random.marginals, random.unaries, predicate, atom, options);
      };
      const MeanFieldAtomExplanation whole = explain(all), part = explain(few);
      for (std::size_t f = 0; f < whole.formulas.size(); ++f) {
        const auto &expected = whole.formulas[f].groundings, &found = part.formulas[f].groundings;
        ASSERT_EQ(found.size(), std::min<std::size_t>(expected.size(), 3));
        for (std::size_t i = 0; i < found.size(); ++i) {
          ASSERT_NEAR(std::abs(found[i].push), std::abs(expected[i].push), 1e-12);
        }
      }
    });
    if (HasFatalFailure()) return;
  }
}

TEST(ExplainAtom, SaysWhenItDidNotSeeAllGroundings) {
  MeanFieldModel model;
  model.domains = {{0, {0, 1, 2}}};
  model.predicates = {{"p", {0}}, {"q", {0, 0}}};
  model.facts.resize(2);
  MeanFieldFormula formula;  // !q(x, y) v p(x)
  formula.variables = {0, 0};
  formula.weights = {1.0};
  formula.clauses = {{{1, {{false, 0}, {false, 1}}, {0}}, {0, {{false, 0}}, {1}}}};
  model.formulas = {formula};
  ExactMeanField layer(model, {.threads = 1});
  const AtomValues<double> marginals = {{0.5, 0.5, 0.5}, {0.1, 0.9, 0.2, 0, 0, 0, 0, 0, 0}};
  MeanFieldExplainOptions options{.mean_field = {.threads = 1}};
  const auto whole = explain_atom(model, marginals, layer.no_unaries(), 0, 0, options).formulas[0];
  EXPECT_TRUE(whole.all_seen);
  ASSERT_EQ(whole.groundings.size(), 3U);
  EXPECT_DOUBLE_EQ(whole.groundings[0].push, 0.9);
  ASSERT_EQ(whole.groundings[0].conditions.size(), 1U);
  EXPECT_EQ(whole.groundings[0].conditions[0].predicate, 1U);
  EXPECT_EQ(whole.groundings[0].conditions[0].atom, 1U);
  EXPECT_NEAR(whole.log_odds[0], 1.2, 1e-12);
  options.max_steps = 2;
  const auto part = explain_atom(model, marginals, layer.no_unaries(), 0, 0, options).formulas[0];
  EXPECT_FALSE(part.all_seen);
  EXPECT_EQ(part.groundings.size(), 2U);
}

TEST(ExplainAtom, RefusesAtomsThatAreNotInferred) {
  MeanFieldModel model;
  model.domains = {{0, {0}}};
  model.predicates = {{.name = "p", .arguments = {0}, .closed = true}, {"q", {0}}};
  model.facts.resize(2);
  EXPECT_THROW(explain_atom(model, {{}, {0.5}}, {{}, {0.0}}, 0, 0), std::invalid_argument);
  EXPECT_THROW(explain_atom(model, {{}, {0.5}}, {{}, {0.0}}, 1, 1), std::invalid_argument);
  EXPECT_THROW(explain_atom(model, {{}, {0.5}}, {{}, {0.0}}, 2, 0), std::invalid_argument);
}

}  // namespace
}  // namespace sorites
