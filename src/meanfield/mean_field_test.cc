#include <gtest/gtest.h>

#include <cmath>

#include "meanfield/random_mean_field.h"
#include "meanfield/reference_messages.h"
#include "sorites/meanfield.h"

namespace sorites {
namespace {

constexpr int kModels = 1500;

// Numbers of classes matter up to a constant per atom.
void centre(const MeanFieldModel& model, AtomValues<double>& values) {
  for (std::size_t p = 0; p < values.size(); ++p) {
    const std::size_t classes = model.predicates[p].num_classes();
    for (std::size_t i = 0; classes > 0 && i < values[p].size(); i += classes) {
      double mean = 0.0;
      for (std::size_t c = 0; c < classes; ++c)
        mean += values[p][i + c] / static_cast<double>(classes);
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
AtomValues<double> some_marginals(RandomMeanField& random, ExactMeanField& layer) {
  layer.set_options({.iterations = 0, .threads = 1});
  return layer.infer(random.numbers(layer.no_unaries(), -2.0, 2.0)).marginals;
}

void expect_reference_messages(std::uint64_t seed, const MeanFieldPlanOptions& plan) {
  RandomMeanField random(seed);
  const MeanFieldModel model = random.model();
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

// Literals of one predicate can be the same atom in many ways.
TEST(MeanField, MessagesOfClausesOverOnePredicate) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomMeanField random(seed + 40'000);
    MeanFieldModel model;
    model.domains = {{0, {0, 1}}};
    model.predicates = {{"p", std::vector<std::uint32_t>(1 + random.upto(1), 0)}};
    model.facts.resize(1);
    MeanFieldFormula formula;
    const std::size_t num_literals = 2 + random.upto(4);
    formula.variables.assign(std::min<std::size_t>(num_literals, 5), 0);
    formula.weights = {0.7};
    formula.clauses.resize(1);
    for (std::uint32_t i = 0; i < num_literals; ++i) {
      std::vector<MeanFieldTerm> terms;
      for (std::size_t k = 0; k < model.predicates[0].arguments.size(); ++k) {
        const std::size_t variable = random.upto(formula.variables.size() - 1);
        terms.push_back({false, static_cast<std::uint32_t>(variable)});
      }
      formula.clauses[0].push_back({0, terms, {static_cast<std::uint32_t>(random.upto(1))}});
    }
    add_formula(model, formula);
    ExactMeanField layer(model, {.threads = 1});
    const auto marginals = some_marginals(random, layer);
    const ReferenceMessages reference(model, marginals, 1.0);
    expect_near(layer.messages(marginals), reference.messages(), 1e-10);
    if (HasFatalFailure()) return;
  }
}

// 0.7 !P(x) v P(y) v !P(z) v P(u), two constants.
TEST(MeanField, FourLiteralsOfOnePredicate) {
  MeanFieldModel model;
  model.domains = {{0, {0, 1}}};
  model.predicates = {{"P", {0}}};
  model.facts.resize(1);
  MeanFieldFormula formula;
  formula.variables = {0, 0, 0, 0};
  formula.weights = {0.7};
  formula.clauses.resize(1);
  for (std::uint32_t v = 0; v < 4; ++v) formula.clauses[0].push_back({0, {{false, v}}, {v % 2}});
  add_formula(model, formula);
  ExactMeanField layer(model, {.iterations = 1, .threads = 1});
  const auto marginals = layer.infer({{0.5, -1.0}}).marginals[0];
  EXPECT_NEAR(marginals[0], 0.5440, 5e-5);
  EXPECT_NEAR(marginals[1], 0.3040, 5e-5);
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
    RandomMeanField random(static_cast<std::uint64_t>(seed) + 10'000);
    const MeanFieldModel model = random.model();
    MeanFieldOptions options{.iterations = 3,
                             .damping = seed % 2 == 0 ? 0.0 : 0.3,
                             .hard_weight = 1.0,
                             .weight_scale = static_cast<WeightScale>(seed / 2 % 4),
                             .centre_messages = seed % 3 == 0,
                             .threads = 1};
    if (seed % 5 == 0 && seed / 2 % 4 < 3 && seed % 3 != 0) {
      options.updates = MeanFieldUpdates::kDescending;
    }
    ExactMeanField layer(model, options);
    auto unaries = random.numbers(layer.no_unaries(), -1.0, 1.0);
    const auto slopes = random.numbers(layer.no_unaries(), -1.0, 1.0);
    layer.infer(unaries, true);
    const auto gradient = layer.backward(slopes);
    const auto without_weights = layer.backward(slopes, false, false);
    for (std::size_t p = 0; p < unaries.size(); ++p) {
      for (std::size_t i = 0; i < unaries[p].size(); ++i) {
        ASSERT_NEAR(without_weights.in_unaries[p][i], gradient.in_unaries[p][i], 1e-9);
      }
    }
    for (const auto& of_formula : without_weights.in_weights) ASSERT_TRUE(of_formula.empty());

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

// Smokers: friend(a,b) known for three of a's friends, smoke unknown.
MeanFieldModel friends() {
  MeanFieldModel model;
  model.domains = {{0, {0, 1, 2, 3}}};
  model.predicates = {{.name = "friend", .arguments = {0, 0}, .closed = true},
                      {.name = "smoke", .arguments = {0}}};
  model.facts = {{{1, 1}, {2, 1}, {3, 1}}, {{1, 1}, {2, 1}}};
  MeanFieldFormula formula;
  formula.variables = {0, 0};
  formula.weights = {0.5};
  formula.clauses = {
      {{0, {{false, 0}, {false, 1}}, {0}}, {1, {{false, 1}}, {0}}, {1, {{false, 0}}, {1}}}};
  model.formulas = {formula};
  return model;
}

// If friends smoke, A does: B and C do, D nobody knows (1/2).
TEST(MeanField, MessagesCanBeSumsOrMeans) {
  const MeanFieldModel model = friends();
  const auto message_to_a = [&](WeightScale scale) {
    ExactMeanField layer(model, {.weight_scale = scale, .threads = 1});
    return layer.messages({{}, {0.5, 1.0, 1.0, 0.5}})[1][0];
  };
  EXPECT_NEAR(message_to_a(WeightScale::kNone), 0.5 * 2.5, 1e-12);
  EXPECT_NEAR(message_to_a(WeightScale::kLargestMessage), 0.5, 1e-6);
  EXPECT_NEAR(message_to_a(WeightScale::kMeanMessage), 0.5 * 2.5 / 3, 1e-6);
}

TEST(MeanField, CentredMessagesOnlyRankUnknownAtoms) {
  const MeanFieldModel model = friends();
  const auto messages = [&](bool centred) {
    ExactMeanField layer(model, {.centre_messages = centred, .threads = 1});
    return layer.messages({{}, {0.5, 1.0, 1.0, 0.5}})[1];
  };
  const std::vector<double> plain = messages(false), centred = messages(true);
  const double mean = (plain[0] + plain[3]) / 2;  // A and D are unknown
  ASSERT_GT(std::abs(mean), 0.1);
  EXPECT_NEAR(centred[0], plain[0] - mean, 1e-12);
  EXPECT_NEAR(centred[3], plain[3] - mean, 1e-12);
}

// Where every grounding has one unknown atom, the posterior is a product, and one iteration finds
// it.
TEST(MeanField, IsExactWhereThePosteriorFactorises) {
  MeanFieldModel model = friends();
  model.formulas[0].clauses[0].erase(model.formulas[0].clauses[0].begin() + 1);
  model.facts[1] = {};
  ExactMeanField layer(model, {.iterations = 1, .threads = 1});
  const std::vector<double> unaries{0.3, -0.2, 0.0, 1.0};
  const auto marginals = layer.infer({{}, unaries}).marginals[1];
  for (std::size_t person = 0; person < 4; ++person) {
    // smoke(x) satisfies as many groundings as x has friends.
    const double odds = std::exp(unaries[person] + 0.5 * (person == 0 ? 3.0 : 0.0));
    EXPECT_NEAR(marginals[person], odds / (1.0 + odds), 1e-12);
  }
}

TEST(MeanField, DampedIterationsLowerTheFreeEnergy) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomMeanField random(seed + 20'000);
    const MeanFieldModel model = random.model();
    ExactMeanField layer(model,
                         {.iterations = 200,
                          .damping = 0.9,
                          .hard_weight = 2.0,
                          .track_free_energy = true,
                          .threads = 1});
    const auto result = layer.infer(random.numbers(layer.no_unaries(), -1.0, 1.0));
    for (std::size_t i = 1; i < result.free_energy.size(); ++i) {
      ASSERT_LE(result.free_energy[i], result.free_energy[i - 1] + 1e-9) << seed << ' ' << i;
    }
  }
}

void expect_calls_end(std::uint64_t seed, MeanFieldUpdates updates) {
  RandomMeanField random(seed);
  const MeanFieldModel model = random.model();
  std::stop_source stop;
  MeanFieldOptions options{.updates = updates, .threads = 1, .stop = stop.get_token()};
  ExactMeanField layer(model, options);
  if (layer.plan().operations == 0.0) return;  // messages do not change
  const auto unaries = random.numbers(layer.no_unaries(), -1.0, 1.0);
  const auto result = layer.infer(unaries, true);
  EXPECT_FALSE(result.stopped);
  stop.request_stop();
  const auto none = layer.infer(unaries, true);
  EXPECT_TRUE(none.stopped);
  EXPECT_EQ(none.iterations, 0U);
  EXPECT_THROW(layer.violations(result.marginals), Interrupted);
  EXPECT_THROW(layer.messages(result.marginals), Interrupted);
  EXPECT_THROW(layer.free_energy(unaries, result.marginals), Interrupted);
  EXPECT_THROW(ExactMeanField(model, options), Interrupted);
  options.stop = {};
  layer.set_options(options);
  expect_near(layer.infer(unaries).marginals, result.marginals, 0.0);
}

TEST(MeanField, EveryCallEndsWhenItIsToStop) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    expect_calls_end(seed, MeanFieldUpdates::kPlain);
    expect_calls_end(seed, MeanFieldUpdates::kDescending);
  }
}

TEST(MeanField, DescendingUpdatesKnowTheViolationsWhereTheyEnd) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomMeanField random(seed);
    const MeanFieldModel model = random.model();
    ExactMeanField layer(model, {.updates = MeanFieldUpdates::kDescending, .threads = 1});
    const auto unaries = random.numbers(layer.no_unaries(), -1.0, 1.0);
    const auto result = layer.infer(unaries);
    const auto violations = layer.violations(result.marginals);
    expect_near(result.violations, violations, 1e-12);
    ASSERT_NEAR(layer.free_energy(unaries, result.marginals, result.violations),
                layer.free_energy(unaries, result.marginals),
                1e-9);
  }
}

void expect_descent(std::uint64_t seed, double hard_weight) {
  RandomMeanField random(seed + 50'000);
  const MeanFieldModel model = random.model();
  ExactMeanField layer(model,
                       {.updates = MeanFieldUpdates::kDescending,
                        .iterations = 2000,
                        .tolerance = 1e-6,
                        .hard_weight = hard_weight,
                        .track_free_energy = true,
                        .threads = 1});
  const auto unaries = random.numbers(layer.no_unaries(), -1.0, 1.0);
  const auto result = layer.infer(unaries);
  EXPECT_LE(result.change, 1e-6) << result.iterations;
  for (std::size_t i = 1; i < result.free_energy.size(); ++i) {
    ASSERT_LE(result.free_energy[i], result.free_energy[i - 1] + 1e-10);
  }
  if (result.iterations == 0) return;
  EXPECT_NEAR(layer.free_energy(unaries, result.marginals), result.free_energy.back(), 1e-9);
  // A plain step from there changes nothing.
  AtomValues<double> goals = layer.messages(result.marginals);
  for (std::size_t p = 0; p < goals.size(); ++p) {
    for (std::size_t i = 0; i < goals[p].size(); ++i) goals[p][i] += unaries[p][i];
  }
  layer.set_options({.iterations = 0, .threads = 1});
  expect_near(layer.infer(goals).marginals, result.marginals, 1e-6);
}

TEST(MeanField, DescendingUpdatesNeverRaiseTheFreeEnergyAndEndAtAFixedPoint) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    expect_descent(seed, seed % 2 == 0 ? 20.0 : 1.0);
    if (HasFailure()) return;
  }
}

TEST(MeanField, DescendingUpdatesNeedAFreeEnergy) {
  const MeanFieldOptions centred{.updates = MeanFieldUpdates::kDescending, .centre_messages = true};
  EXPECT_THROW(MeanField(friends(), centred), std::invalid_argument);
}

TEST(MeanField, DoesNotDependOnTheNumberOfThreads) {
  RandomMeanField random(7);
  const MeanFieldModel model = random.model();
  MeanField one(model, {.threads = 1}), three(model, {.threads = 3});
  EXPECT_EQ(one.infer(one.no_unaries()).marginals, three.infer(three.no_unaries()).marginals);
}

// next(x, y) ^ label(x) => label(y) over a chain of tokens.
TEST(MeanField, EvidenceThatIsAListIsCountedAsOne) {
  constexpr std::uint32_t kTokens = 46'000;
  MeanFieldModel model;
  model.domains.resize(1);
  for (Code token = 0; token < kTokens; ++token) model.domains[0].codes.push_back(token);
  model.predicates = {{.name = "next", .arguments = {0, 0}, .closed = true},
                      {.name = "label", .arguments = {0}}};
  model.facts.resize(2);
  for (std::size_t t = 0; t + 1 < kTokens; ++t) model.facts[0].push_back({t * kTokens + t + 1, 1});
  MeanFieldFormula formula;
  formula.variables = {0, 0};
  formula.weights = {1.0};
  formula.clauses = {
      {{0, {{false, 0}, {false, 1}}, {0}}, {1, {{false, 0}}, {0}}, {1, {{false, 1}}, {1}}}};
  add_formula(model, formula);
  MeanFieldOptions options;
  options.plan.max_bytes = 20'000'000;
  ExactMeanField layer(model, options);
  EXPECT_LT(layer.plan().bytes, options.plan.max_bytes);
  EXPECT_GT(layer.infer({{}, std::vector<double>(kTokens, 1.0)}).marginals[1].back(), 0.7);
  // As a tensor, which it is if lists are not allowed, it does not fit.
  options.plan.sparse_evidence = false;
  EXPECT_THROW(ExactMeanField(model, options), InputError);
}

TEST(MeanField, RefusesWhatDoesNotFit) {
  MeanFieldModel model = friends();
  model.formulas[0].text = "friend(x,y) ^ smoke(y) => smoke(x)";
  try {
    const MeanField layer(model, {.plan = {.max_bytes = 8}});
    FAIL() << "a plan of more than 8 bytes";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("more than the 8 B"), std::string::npos)
        << error.what();
  }
  MeanField layer(model);
  EXPECT_THROW(layer.infer({}), std::invalid_argument);
  EXPECT_THROW(layer.set_known(1, {{4, 1}}), std::invalid_argument);
  EXPECT_THROW(layer.set_known(0, {{0, 1}}), std::invalid_argument);
  EXPECT_THROW(layer.backward(layer.no_unaries()), std::logic_error);
}

}  // namespace
}  // namespace sorites
