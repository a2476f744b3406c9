#include <gtest/gtest.h>

#include <cmath>

#include "meanfield/random_markov.h"
#include "meanfield/reference_messages.h"
#include "sorites/meanfield.h"

namespace sorites {
namespace {

constexpr int kModels = 1500;

// Numbers of classes matter up to a constant per atom.
void centre(const MarkovModel& model, AtomValues<double>& values) {
  for (std::size_t p = 0; p < values.size(); ++p) {
    const std::size_t classes = model.predicates[p].classes.size();
    for (std::size_t i = 0; classes > 0 && i < values[p].size(); i += classes) {
      double mean = 0.0;
      for (std::size_t c = 0; c < classes; ++c) mean += values[p][i + c] / static_cast<double>(classes);
      for (std::size_t c = 0; c < classes; ++c) values[p][i + c] -= mean;
    }
  }
}

void expect_near(const AtomValues<double>& x, const AtomValues<double>& y, double tolerance) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t p = 0; p < x.size(); ++p) {
    ASSERT_EQ(x[p].size(), y[p].size());
    for (std::size_t i = 0; i < x[p].size(); ++i) {
      ASSERT_NEAR(x[p][i], y[p][i], tolerance * (1.0 + std::abs(y[p][i]))) << p << ' ' << i;
    }
  }
}

// Marginals of random log-odds, as inference without iterations gives them.
AtomValues<double> some_marginals(RandomMarkov& random, ExactMeanField& layer) {
  layer.set_options({.iterations = 0, .threads = 1});
  return layer.infer(random.numbers(layer.no_unaries(), -2.0, 2.0)).marginals;
}

void expect_reference_messages(std::uint64_t seed, const MeanFieldPlanOptions& plan) {
  RandomMarkov random(seed);
  const MarkovModel model = random.model();
  ExactMeanField layer(model, {.threads = 1, .plan = plan});
  const auto marginals = some_marginals(random, layer);
  const ReferenceMessages reference(model, marginals, MeanFieldOptions{}.hard_weight);

  AtomValues<double> messages = layer.messages(marginals), expected = reference.messages();
  centre(model, messages);
  centre(model, expected);
  expect_near(messages, expected, 1e-10);
  expect_near(layer.violations(marginals), reference.violations(), 1e-10);
}

TEST(MeanField, MessagesAreTheSumOverAllGroundings) {
  for (int seed = 0; seed < kModels; ++seed) {
    SCOPED_TRACE(seed);
    expect_reference_messages(static_cast<std::uint64_t>(seed), {});
    if (HasFatalFailure()) return;
  }
}

TEST(MeanField, PlansDifferInCostAlone) {
  for (int seed = 0; seed < kModels / 5; ++seed) {
    SCOPED_TRACE(seed);
    const auto number = static_cast<std::uint64_t>(seed);
    expect_reference_messages(number, {.complements = false});
    expect_reference_messages(number, {.order = false});
    expect_reference_messages(number, {.sparse_evidence = false});
    expect_reference_messages(number, {.share = false});
    if (HasFatalFailure()) return;
  }
}

// A loss with a slope in every marginal.
double loss_of(const AtomValues<double>& slopes, const AtomValues<double>& marginals) {
  double sum = 0.0;
  for (std::size_t p = 0; p < slopes.size(); ++p) {
    for (std::size_t i = 0; i < slopes[p].size(); ++i) sum += slopes[p][i] * marginals[p][i];
  }
  return sum;
}

TEST(MeanField, GradientsAreThoseOfDifferences) {
  for (int seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomMarkov random(static_cast<std::uint64_t>(seed) + 10'000);
    const MarkovModel model = random.model();
    const MeanFieldOptions options{
        .iterations = 3, .damping = seed % 2 == 0 ? 0.0 : 0.3, .hard_weight = 1.0, .threads = 1};
    ExactMeanField layer(model, options);
    auto unaries = random.numbers(layer.no_unaries(), -1.0, 1.0);
    const auto slopes = random.numbers(layer.no_unaries(), -1.0, 1.0);
    layer.infer(unaries, true);
    const auto gradient = layer.backward(slopes);

    constexpr double kStep = 1e-5;
    const auto difference = [&](double& number, const auto& changed) {
      const double before = number;
      number = before + kStep;
      changed();
      const double above = loss_of(slopes, layer.infer(unaries).marginals);
      number = before - kStep;
      changed();
      const double below = loss_of(slopes, layer.infer(unaries).marginals);
      number = before;
      changed();
      return (above - below) / (2 * kStep);
    };
    for (std::size_t p = 0; p < unaries.size(); ++p) {
      for (std::size_t i = 0; i < unaries[p].size(); ++i) {
        const double expected = difference(unaries[p][i], [] {});
        ASSERT_NEAR(gradient.in_unaries[p][i], expected, 1e-7 * (1.0 + std::abs(expected)));
      }
    }
    for (std::size_t f = 0; f < model.formulas.size(); ++f) {
      if (model.formulas[f].hard) continue;
      std::vector<double> weights(layer.weights(f).begin(), layer.weights(f).end());
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const double expected = difference(weights[i], [&] { layer.set_weights(f, weights); });
        ASSERT_NEAR(gradient.in_weights[f][i], expected, 1e-7 * (1.0 + std::abs(expected)));
      }
    }
  }
}

}  // namespace
}  // namespace sorites
