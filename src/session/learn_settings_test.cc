#include "session/learn_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "learn/learning.h"

namespace sorites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Settings = std::vector<OptionSetting>;

LearnSettings with(const Settings& overrides, const Settings& flags = {}) {
  return learn_settings(ModelFile{}, overrides, flags);
}

std::string mistakes_of(const Settings& overrides) {
  try {
    with(overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LearnSettings, DefaultsOfTheTableAreThoseOfTheLibrary) {
  const LearnOptions mine = with({}).learn, library;
  EXPECT_EQ(mine.algorithm, library.algorithm);
  EXPECT_EQ(to_text(mine.loss), to_text(library.loss));
  EXPECT_EQ(mine.domain, library.domain);
  EXPECT_EQ(mine.regularizers.negative_log, library.regularizers.negative_log);
  EXPECT_EQ(mine.regularizers.relative_log, library.regularizers.relative_log);
  EXPECT_EQ(mine.regularizers.entropy, library.regularizers.entropy);
  EXPECT_EQ(mine.regularizers.l2, library.regularizers.l2);
  EXPECT_EQ(mine.step_size, library.step_size);
  EXPECT_EQ(mine.schedule, library.schedule);
  EXPECT_EQ(mine.max_gradient, library.max_gradient);
  EXPECT_EQ(mine.max_gradient_norm, library.max_gradient_norm);
  EXPECT_EQ(mine.max_epochs, library.max_epochs);
  EXPECT_EQ(mine.movement_tolerance, library.movement_tolerance);
  EXPECT_EQ(mine.movement_period, library.movement_period);
  EXPECT_EQ(mine.training_patience, library.training_patience);
  EXPECT_EQ(mine.validation_patience, library.validation_patience);
  EXPECT_EQ(mine.metric_period, library.metric_period);
  EXPECT_EQ(mine.time_limit_seconds, library.time_limit_seconds);
  EXPECT_EQ(mine.keep_best, library.keep_best);
  EXPECT_EQ(mine.seed, library.seed);
}

TEST(LearnSettings, DefaultsOfTheAlgorithmsAreThoseOfTheLibrary) {
  const LearnOptions mine = with({}).learn, library;
  EXPECT_EQ(mine.bilevel.proximity, library.bilevel.proximity);
  EXPECT_EQ(mine.bilevel.energy_loss, library.bilevel.energy_loss);
  EXPECT_EQ(mine.bilevel.linear_penalty, library.bilevel.linear_penalty);
  EXPECT_EQ(mine.bilevel.squared_penalty, library.bilevel.squared_penalty);
  EXPECT_EQ(mine.bilevel.penalty_growth, library.bilevel.penalty_growth);
  EXPECT_EQ(mine.bilevel.max_inner_epochs, library.bilevel.max_inner_epochs);
  EXPECT_EQ(mine.bilevel.constraint_tolerance, library.bilevel.constraint_tolerance);
  EXPECT_EQ(mine.bilevel.movement_tolerance, library.bilevel.movement_tolerance);
  EXPECT_EQ(mine.search.grid, library.search.grid);
  EXPECT_EQ(mine.search.max_points, library.search.max_points);
  EXPECT_EQ(mine.search.dirichlet, library.search.dirichlet);
  EXPECT_EQ(mine.search.dirichlet_alpha, library.search.dirichlet_alpha);
  EXPECT_EQ(mine.search.guided_seeds, library.search.guided_seeds);
  EXPECT_EQ(mine.search.guided_explored, library.search.guided_explored);
  EXPECT_EQ(mine.search.hyperband_base, library.search.hyperband_base);
  EXPECT_EQ(mine.search.hyperband_brackets, library.search.hyperband_brackets);
  EXPECT_EQ(mine.search.hyperband_survival, library.search.hyperband_survival);
  EXPECT_EQ(mine.search.gp_explore, library.search.gp_explore);
  EXPECT_EQ(mine.search.gp_scale, library.search.gp_scale);
  EXPECT_EQ(mine.search.gp_candidates, library.search.gp_candidates);
}

TEST(LearnSettings, KnowsEveryMethodOfTheTable) {
  const auto algorithm = [](const char* method) {
    return with({{"runtime.learn.method", method, {}}}).learn.algorithm;
  };
  EXPECT_EQ(algorithm("Energy"), LearnAlgorithm::kGradient);
  EXPECT_EQ(algorithm("SquaredError"), LearnAlgorithm::kBilevel);
  EXPECT_EQ(algorithm("org.linqs.psl.BinaryCrossEntropy"), LearnAlgorithm::kBilevel);
  EXPECT_EQ(algorithm("implicitsquarederror"), LearnAlgorithm::kGradient);
  EXPECT_EQ(algorithm("GridSearch"), LearnAlgorithm::kGridSearch);
  EXPECT_EQ(algorithm("RandomGridSearch"), LearnAlgorithm::kRandomGrid);
  EXPECT_EQ(algorithm("ContinuousRandomGridSearch"), LearnAlgorithm::kRandomSearch);
  EXPECT_EQ(algorithm("GuidedRandomGridSearch"), LearnAlgorithm::kGuidedSearch);
  EXPECT_EQ(algorithm("Hyperband"), LearnAlgorithm::kHyperband);
  EXPECT_EQ(algorithm("GaussianProcessPrior"), LearnAlgorithm::kGaussianProcess);
  EXPECT_EQ(algorithm("PolicyGradientEvaluation"), LearnAlgorithm::kPolicy);
  EXPECT_EQ(algorithm("PolicyGradientSquaredError"), LearnAlgorithm::kPolicy);
  EXPECT_EQ(algorithm("PolicyGradientBinaryCrossEntropy"), LearnAlgorithm::kPolicy);
}

TEST(LearnSettings, TakesThePoliciesOfPsl) {
  const LearnOptions plain = with({{"runtime.learn.method", "PolicyGradientEvaluation", {}}}).learn;
  EXPECT_EQ(plain.loss.metric, 1.0);
  EXPECT_EQ(plain.policy.draws, 10U);
  EXPECT_EQ(plain.policy.energy_loss, 1.0);
  EXPECT_EQ(plain.policy.estimator, PolicyEstimator::kIndecater);
  const LearnOptions given = with({{"runtime.learn.method", "PolicyGradientSquaredError", {}},
                                   {"policygradient.numsamples", "3", {}},
                                   {"policygradient.energylosscoefficient", "0.5", {}},
                                   {"policygradient.policyupdate", "REINFORCE", {}},
                                   {"policygradient.rewardfunction", "EVALUATION", {}}})
                                 .learn;
  EXPECT_EQ(given.loss.squared_error, 1.0);
  EXPECT_EQ(given.policy.draws, 3U);
  EXPECT_EQ(given.policy.energy_loss, 0.5);
  EXPECT_EQ(given.policy.estimator, PolicyEstimator::kReinforce);
}

TEST(LearnSettings, RefusesLossesAndStepsThatAnAlgorithmCannotFollow) {
  EXPECT_THAT(mistakes_of({{"learn.loss", "metric", {}}}), HasSubstr("`metric` has no slopes"));
  EXPECT_THAT(
      mistakes_of({{"learn.algorithm", "gradient-following", {}}, {"learn.loss", "energy", {}}}),
      HasSubstr("gradient following needs a loss of the inferred values"));
  EXPECT_THAT(
      mistakes_of({{"learn.algorithm", "policy", {}}, {"learn.steps_per_inference", "2", {}}}),
      HasSubstr("take several steps per inference"));
  EXPECT_EQ(with({{"learn.algorithm", "gradient-following", {}}}).learn.loss.cross_entropy, 1.0);
  EXPECT_EQ(with({{"learn.algorithm", "policy", {}}}).learn.loss.metric, 1.0);
}

TEST(LearnSettings, TakesEveryNameOfTheLibrary) {
  for (const LearnAlgorithm algorithm : kLearnAlgorithms) {
    EXPECT_EQ(with({{"learn.algorithm", std::string(name_of(algorithm)), {}}}).learn.algorithm,
              algorithm);
  }
  for (const auto domain : {WeightDomain::kSoftmaxSimplex,
                            WeightDomain::kMirrorSimplex,
                            WeightDomain::kProjectedSimplex,
                            WeightDomain::kNonNegative}) {
    EXPECT_EQ(with({{"learn.domain", std::string(name_of(domain)), {}}}).learn.domain, domain);
  }
  for (const auto schedule :
       {StepSchedule::kConstant, StepSchedule::kInverse, StepSchedule::kInverseRoot}) {
    EXPECT_EQ(with({{"learn.schedule", std::string(name_of(schedule)), {}}}).learn.schedule,
              schedule);
  }
}

TEST(LearnSettings, TakesPslsOptions) {
  const LearnOptions learn = with({{"gradientdescent.numsteps", "7", {}},
                                   {"gradientdescent.scalestepsize", "false", {}},
                                   {"gradientdescent.symbolicweightupdate", "gradient_descent", {}},
                                   {"gradientdescent.maxgradientnorm", "2", {}},
                                   {"gradientdescent.maxgradientmagnitude", "3", {}},
                                   {"gradientdescent.movementbreak", "false", {}},
                                   {"gradientdescent.validationbreak", "true", {}},
                                   {"gradientdescent.validationpatience", "5", {}},
                                   {"minimizer.proxruleweight", "0.5", {}},
                                   {"gridsearch.weights", "0:1:2.5", {}},
                                   {"gppker.reldep", "4", {}},
                                   {"weightlearning.timeout", "30", {}}})
                                 .learn;
  EXPECT_EQ(learn.max_epochs, 7U);
  EXPECT_EQ(learn.schedule, StepSchedule::kConstant);
  EXPECT_EQ(learn.domain, WeightDomain::kNonNegative);
  EXPECT_EQ(learn.max_gradient, kInfinity);
  EXPECT_EQ(learn.max_gradient_norm, 3.0);
  EXPECT_EQ(learn.movement_tolerance, 0.0);
  EXPECT_EQ(learn.training_patience, 0U);
  EXPECT_EQ(learn.validation_patience, 5U);
  EXPECT_EQ(learn.bilevel.proximity, 0.5);
  EXPECT_THAT(learn.search.grid, ElementsAre(0.0, 1.0, 2.5));
  EXPECT_EQ(learn.search.gp_scale, 0.25);
  EXPECT_EQ(learn.time_limit_seconds, 30.0);
}

TEST(LearnSettings, RunsAllEpochsIfPslsOptionSaysSo) {
  const LearnOptions learn = with({{"gradientdescent.runfulliterations", "true", {}},
                                   {"gradientdescent.trainingevaluationbreak", "true", {}}})
                                 .learn;
  EXPECT_EQ(learn.movement_tolerance, 0.0);
  EXPECT_EQ(learn.training_patience, 0U);
}

TEST(LearnSettings, LetsOursWinOverPsls) {
  ModelFile model;
  model.sections[0].options = {{"learn.loss", "cross_entropy:2,energy:0.5", {}},
                               {"learn.algorithm", "gradient", {}},
                               {"learn.step_size", "0.25", {}},
                               {"learn.gap", "1e-6", {}},
                               {"learn.time_limit", "9", {}},
                               {"learn.warm_start", "false", {}},
                               {"inference.gap", "0.1", {}},
                               {"runtime.learn.method", "GridSearch", {}},
                               {"gradientdescent.stepsize", "1", {}},
                               {"weightlearning.timeout", "30", {}}};
  const LearnSettings settings = learn_settings(model, {}, {});
  EXPECT_EQ(settings.learn.algorithm, LearnAlgorithm::kGradient);
  EXPECT_EQ(settings.learn.loss.cross_entropy, 2.0);
  EXPECT_EQ(settings.learn.loss.energy, 0.5);
  EXPECT_EQ(settings.learn.step_size, 0.25);
  EXPECT_EQ(settings.learn.time_limit_seconds, 9.0);
  EXPECT_EQ(settings.energy.solve.gap, 1e-6);
  EXPECT_FALSE(settings.energy.warm_start);
}

TEST(LearnSettings, LetsFlagsWinOverTheModelAndUnsetIt) {
  ModelFile model;
  model.sections[1].options = {{"learn.loss", "energy", {}}, {"learn.max_epochs", "9", {}}};
  EXPECT_EQ(to_text(learn_settings(model).learn.loss), "energy");
  const Settings flags = {{"learn.loss", "", {}},
                          {"runtime.learn.method", "SquaredError", {}},
                          {"learn.max_epochs", "3", {}}};
  const LearnOptions learn = learn_settings(model, {}, flags).learn;
  EXPECT_EQ(to_text(learn.loss), "squared_error");
  EXPECT_EQ(learn.algorithm, LearnAlgorithm::kBilevel);
  EXPECT_EQ(learn.max_epochs, 3U);
}

TEST(LearnSettings, LetsTheMethodOfACallerWinOverTheModelByEitherWay) {
  ModelFile model;
  model.sections[0].options = {{"learn.loss", "energy", {}}, {"learn.algorithm", "policy", {}}};
  const Settings method = {{"Runtime.Learn.Method", "SquaredError", {}}};
  for (const LearnSettings& settings :
       {learn_settings(model, method), learn_settings(model, {}, method)}) {
    EXPECT_EQ(to_text(settings.learn.loss), "squared_error");
    EXPECT_EQ(settings.learn.algorithm, LearnAlgorithm::kBilevel);
  }
  const Settings energy = {{"learn.loss", "energy:2", {}}};
  EXPECT_EQ(to_text(learn_settings(model, energy, method).learn.loss), "squared_error");
  model.sections[0].options.push_back({"runtime.learn.method", "SquaredError", {}});
  EXPECT_EQ(to_text(learn_settings(model).learn.loss), "energy");
}

TEST(LearnSettings, LetsALossWinOverTheMethodBesideIt) {
  const Settings both = {{"learn.loss", "cross_entropy", {}},
                         {"runtime.learn.method", "SquaredError", {}}};
  EXPECT_EQ(to_text(with(both).learn.loss), "cross_entropy");
  EXPECT_EQ(to_text(with({}, both).learn.loss), "cross_entropy");
  EXPECT_EQ(with(both).learn.algorithm, LearnAlgorithm::kBilevel);
  EXPECT_EQ(to_text(with({both[1]}, {both[0]}).learn.loss), "cross_entropy");
}

TEST(LearnSettings, GivesPatienceToTheMetricThatDecides) {
  const Settings patience = {{"learn.patience", "4", {}}};
  EXPECT_EQ(with(patience).learn.training_patience, 4U);
  EXPECT_EQ(with(patience).learn.validation_patience, 0U);
  const Settings both = {{"learn.patience", "4", {}}, {"runtime.validation", "true", {}}};
  EXPECT_EQ(with(both).learn.training_patience, 0U);
  EXPECT_EQ(with(both).learn.validation_patience, 4U);
}

TEST(LearnSettings, TakesBatchesOfConnectedComponents) {
  EXPECT_EQ(with({}).batch.components, 0U);
  const Settings psl = {{"gradientdescent.batchgenerator", "ConnectedComponentBatchGenerator", {}}};
  EXPECT_EQ(with(psl).batch.components, 32U);
  EXPECT_EQ(with(psl).learn.samples_per_step, 1U);
  EXPECT_EQ(with(psl, {{"learn.batch_components", "0", {}}}).batch.components, 0U);
}

TEST(LearnSettings, LimitsThePointsOfTheSearchThatRuns) {
  const Settings limits = {{"randomgridsearch.maxlocations", "11", {}},
                           {"continuousrandomgridsearch.maxlocations", "12", {}}};
  const auto points = [&](const char* algorithm) {
    return with(limits, {{"learn.algorithm", algorithm, {}}}).learn.search.max_points;
  };
  EXPECT_EQ(points("random-grid"), 11U);
  EXPECT_EQ(points("random-search"), 12U);
  EXPECT_EQ(points("gaussian-process"), 0U);  // what suits it
}

TEST(LearnSettings, TellsAllMistakesAtOnceWithTheirPlaces) {
  ModelFile model;
  model.path = "m.json";
  model.texts.push_back(
      {"m.json", "{\n \"learn.step_size\": -1,\n \"learn.loss\": \"sqared_error\"\n}"});
  model.sections[0].options = {{"learn.step_size", "-1", {"m.json", 2, 2, 17}},
                               {"learn.loss", "sqared_error", {"m.json", 3, 2, 12}}};
  try {
    learn_settings(model);
    FAIL() << "expected InputError";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2U);
    EXPECT_THAT(
        error.what(),
        HasSubstr("m.json:2:2: error: `learn.step_size` takes a positive number, not `-1`"));
    EXPECT_THAT(error.what(), HasSubstr("did you mean `squared_error`?"));
  }
}

TEST(LearnSettings, RefusesWhatDoesNotGoTogether) {
  EXPECT_THAT(mistakes_of({{"learn.algorithm", "bilevel", {}}, {"learn.loss", "energy", {}}}),
              HasSubstr("the bilevel algorithm needs a loss of the inferred values"));
  EXPECT_EQ(to_text(with({{"learn.algorithm", "bilevel", {}}}).learn.loss), "squared_error");
  EXPECT_THAT(mistakes_of({{"gradientdescent.symbolicweightlearning", "false", {}}}),
              HasSubstr("nothing is left to learn"));
  EXPECT_THAT(mistakes_of({{"gradientdescent.maxgradientnorm", "3", {}}}),
              HasSubstr("takes 2 or inf"));
  EXPECT_THAT(mistakes_of({{"gridsearch.weights", "1:x", {}}}), HasSubstr("separated by colons"));
}

TEST(LossFromText, ReadsWhatToTextWrites) {
  for (const char* text : {"energy", "structured_perceptron", "energy:0.1,squared_error:2"}) {
    EXPECT_EQ(to_text(loss_from_text(text)), text);
  }
}

TEST(LossFromText, SaysWhatIsWrong) {
  EXPECT_THROW(loss_from_text(""), std::invalid_argument);
  EXPECT_THROW(loss_from_text("energy:0"), std::invalid_argument);
  EXPECT_THROW(loss_from_text("energy:-1"), std::invalid_argument);
  EXPECT_THROW(loss_from_text("energy:inf"), std::invalid_argument);
  EXPECT_THROW(loss_from_text("energy,energy"), std::invalid_argument);
  EXPECT_THROW(loss_from_text("energy,"), std::invalid_argument);
}

TEST(LearnSettings, NetworksLearnFromBatchesThatAreDrawnAnew) {
  ModelFile file;
  file.predicates.emplace_back().neural = true;
  const LearnSettings plain = learn_settings(file);
  EXPECT_EQ(plain.components_per_sample, 1U);
  EXPECT_EQ(plain.learn.samples_per_step, 32U);
  const Settings whole = {{"learn.batch_components", "0", {}}, {"learn.weights", "false", {}}};
  EXPECT_EQ(learn_settings(file, whole).learn.samples_per_step, 0U);
  EXPECT_FALSE(learn_settings(file, whole).weights);
  EXPECT_THAT(mistakes_of({{"learn.weights", "false", {}}}), HasSubstr("nothing is left to learn"));
}

ModelFile markov_text() {
  ModelFile file;
  file.mln_path = "model.mln";
  file.semantics = "markov-logic";
  return file;
}

std::string mistakes_of_text(const Settings& overrides) {
  try {
    learn_settings(markov_text(), overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LearnSettings, FactsHaveDefaultsOfTheirOwn) {
  const LearnSettings settings = learn_settings(markov_text());
  EXPECT_TRUE(settings.from_facts);
  EXPECT_EQ(settings.learn.domain, WeightDomain::kReal);
  EXPECT_EQ(settings.learn.optimizer, WeightOptimizer::kAdam);
  EXPECT_EQ(settings.learn.step_size, 0.02);
  EXPECT_EQ(settings.learn.regularizers.pull_to_start, 0.1);
  EXPECT_EQ(settings.learn.validation_patience, 20U);
  EXPECT_EQ(settings.plus_start, 0.0);
  const LearnSettings older = learn_settings(markov_text(),
                                             Settings{{"markov.weight_step", "0.5", {}},
                                                      {"meanfield.weight_prior", "2", {}},
                                                      {"markov.epochs", "7", {}},
                                                      {"markov.learn_weights", "plus", {}},
                                                      {"markov.plus_start", "1", {}}});
  EXPECT_EQ(older.learn.step_size, 0.5);
  EXPECT_EQ(older.learn.regularizers.pull_to_start, 2.0);
  EXPECT_EQ(older.learn.max_epochs, 7U);
  EXPECT_EQ(older.rules, LearnedRules::kPlus);
  EXPECT_EQ(older.plus_start, 1.0);
}

TEST(LearnSettings, RefusesOptionsOfAnotherKindOfLearning) {
  EXPECT_THAT(mistakes_of({{"markov.hidden", "0.5", {}}}),
              HasSubstr("`markov.hidden` means nothing where there are labels"));
  for (const char* foreign :
       {"learn.bilevel.proximity", "learn.policy.draws", "learn.search.gp_scale"}) {
    EXPECT_THAT(mistakes_of_text({{foreign, "1", {}}}),
                HasSubstr(std::string("`") + foreign + "` means nothing when the facts"));
  }
  EXPECT_THAT(mistakes_of_text({{"learn.algorithm", "hyperband", {}}}),
              HasSubstr("learned from by `gradient`"));
  EXPECT_THAT(mistakes_of_text({{"learn.loss", "energy", {}}}), HasSubstr("how they are inferred"));
  EXPECT_THAT(mistakes_of_text({{"learn.batch_components", "3", {}}}), HasSubstr("all at once"));
  EXPECT_EQ(mistakes_of_text({{"learn.loss", "squared_error", {}}}), "");
}

TEST(LearnSettings, NegativeWeightsAreForMarkovLogicAlone) {
  EXPECT_THAT(mistakes_of({{"learn.domain", "real", {}}}),
              HasSubstr("weights of the semantics `hinge` are not negative"));
  EXPECT_THAT(mistakes_of_text({{"learn.negative_log", "1", {}}}),
              HasSubstr("negative weights have no logarithms"));
}

}  // namespace
}  // namespace sorites
