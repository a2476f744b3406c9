#include "meanfield/hidden_facts_energy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lang/mln/test_programs.h"
#include "learn/learning.h"
#include "meanfield/encoder_source.h"
#include "meanfield/lower.h"

namespace sorites {
namespace {

using markov::LoadedProgram;

LoadedProgram model_of(const markov::ProgramTexts& texts) {
  markov::ReadProgram read = markov::read_texts(texts);
  EXPECT_EQ(read.rendered(), "");
  return std::move(read.loaded);
}

// Friends share a habit: the first formula is right, the second wrong, and words tell it as well.
LoadedProgram habits() {
  constexpr int kGroups = 12, kSize = 4;
  std::mt19937_64 random(7);
  std::string facts;
  for (int g = 0; g < kGroups; ++g) {
    const bool smokes = random() % 2 == 0;
    for (int i = 0; i < kSize; ++i) {
      const std::string person = "P" + std::to_string(g) + "_" + std::to_string(i);
      facts += (smokes ? "smokes(" : "!smokes(") + person + ")\n";
      facts += "says(" + person + (smokes ? ", Cough" : ", Jog") + ")\n";
      for (int j = 0; j < kSize; ++j) {
        if (i == j) continue;
        facts += "friend(" + person + ", P" + std::to_string(g) + "_" + std::to_string(j) + ")\n";
      }
    }
  }
  return model_of({"smokes(person)\n*friend(person, person)\n*says(person, word)\n",
                   "0.1 friend(x, y) ^ smokes(x) => smokes(y)\n"
                   "0.1 friend(x, y) ^ smokes(x) => !smokes(y)\n"
                   "0 says(x, +w) => smokes(x)\n",
                   facts,
                   ""});
}

// Learning from facts with as few parts as there can be.
struct FactTask {
  explicit FactTask(const LoadedProgram& loaded, const EncoderOptions& encoder_options = {})
      : model(mean_field_model(loaded.program, loaded.database)),
        layer(std::make_shared<FactLayer>(
            model, FactOptions{}, MeanFieldOptions{.iterations = 3, .threads = 1}, 1)) {
    const bool encoded = encoder_options.dimension > 0;
    training = make_hidden_facts_energy(layer, encoded);
    validation = make_held_out_facts_energy(layer, encoded);
    if (encoded) encoder = std::make_unique<EncoderSource>(layer, encoder_options, 1);
    options.loss = {.cross_entropy = 1.0 / layer->draws().mean_size()};
    options.domain = WeightDomain::kReal;
    options.optimizer = WeightOptimizer::kAdam;
    options.step_size = 0.05;
    options.regularizers = {.relative_log = 0.0, .pull_to_start = 0.01};
    options.max_epochs = 60;
  }

  LearnResult learned(const LearnHooks& hooks = {}, bool learns_weights = true) {
    const LearnSet from{.samples = {{.energy = training.get()}}, .networks = encoder.get()};
    const LearnSet judge{.samples = {{.energy = validation.get()}}, .networks = encoder.get()};
    std::vector<bool> fixed;
    for (const MeanFieldRule& rule : model.rules) {
      fixed.insert(fixed.end(), rule.num_weights, rule.hard || !learns_weights);
    }
    return learn(from, &judge, model.weights, fixed, options, hooks);
  }

  MeanFieldModel model;
  std::shared_ptr<FactLayer> layer;
  std::unique_ptr<Energy> training, validation;
  std::unique_ptr<EncoderSource> encoder;
  LearnOptions options;
};

TEST(HiddenFactsEnergy, RaisesTheWeightsOfFormulasThatHold) {
  FactTask task(habits());
  const LearnResult result = task.learned();
  ASSERT_EQ(result.state.history.size(), 61U);
  EXPECT_GT(result.weights[0], 0.3);
  EXPECT_LT(result.weights[1], 0.0);
  EXPECT_LT(result.state.history.back().loss, 0.5 * result.state.history.front().loss);
  EXPECT_LT(*result.state.history.back().validation_loss,
            0.5 * *result.state.history.front().validation_loss);
}

// Half of the people smoke, so that each step, which is far too long, ruins the weight.
TEST(HiddenFactsEnergy, KeepsTheEpochThatInfersHeldOutFactsBest) {
  std::string facts;
  for (int i = 0; i < 40; ++i) {
    facts += (i % 2 == 0 ? "smokes(P" : "!smokes(P") + std::to_string(i) + ")\n";
  }
  FactTask task(model_of({"smokes(person)\n", "0.01 smokes(x)\n", facts, ""}));
  task.options.step_size = 10.0;
  task.options.max_epochs = 7;
  const LearnResult result = task.learned();
  const std::vector<LearnEpoch>& history = result.state.history;
  EXPECT_GT(history[1].loss, 1.5 * history[0].loss);
  EXPECT_LT(result.state.best_epoch, 7U);
  for (const LearnEpoch& epoch : history) {
    EXPECT_GE(*epoch.validation_loss, *history[result.state.best_epoch].validation_loss);
  }
  EXPECT_LT(std::abs(result.weights[0]), 1.5);
}

TEST(HiddenFactsEnergy, SlopesAreThoseOfTheLikelihoodOfOneDraw) {
  FactTask task(habits());
  std::vector<double> weights = task.model.weights;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.2 + 0.1 * static_cast<double>(i);
  const auto loss_at = [&](const std::vector<double>& at, std::vector<double>* slopes) {
    task.training->restore({});  // the same draw
    const EnergyValue value = task.training->full({.weights = at});
    const auto labels = task.training->labels();
    double sum = 0.0;
    std::vector<double> in_log_odds;
    for (std::size_t t = 0; t < labels.size(); ++t) {
      sum += std::log1p(std::exp(value.log_odds[t])) - labels[t] * value.log_odds[t];
      in_log_odds.push_back(value.state[t] - labels[t]);
    }
    if (slopes != nullptr) {
      const std::vector<double> none(labels.size(), 0.0);
      *slopes =
          task.training->through_minimiser({.weights = at}, value, {none, in_log_odds}).in_weights;
    }
    return sum;
  };
  std::vector<double> slopes;
  loss_at(weights, &slopes);
  constexpr double kStep = 1e-2;  // the layer is one of single precision
  for (std::size_t i = 0; i < weights.size(); ++i) {
    std::vector<double> more = weights, less = weights;
    more[i] += kStep;
    less[i] -= kStep;
    const double difference = (loss_at(more, nullptr) - loss_at(less, nullptr)) / (2.0 * kStep);
    EXPECT_NEAR(slopes[i], difference, 0.02 * std::max(1.0, std::abs(difference))) << i;
  }
}

TEST(HiddenFactsEnergy, DrawsTheSameAfterItsMemoryIsRestored) {
  FactTask task(habits());
  const Parameters parameters{.weights = task.model.weights};
  task.training->full(parameters);
  const EnergyMemory memory = task.training->memory();
  const std::vector<double> next = task.training->full(parameters).log_odds;
  EXPECT_NE(task.training->full(parameters).log_odds, next);
  task.training->restore(memory);
  EXPECT_EQ(task.training->full(parameters).log_odds, next);
  EXPECT_THROW(task.training->latent(parameters), LearnError);
  EXPECT_THROW(task.training->at(parameters, {}), LearnError);
}

TEST(HiddenFactsEnergy, GoesOnBitForBit) {
  for (const std::size_t dimension : {0U, 3U}) {
    FactTask whole(habits(), {.dimension = dimension});
    whole.options.max_epochs = 8;
    const LearnResult all = whole.learned();
    FactTask first(habits(), {.dimension = dimension}), second(habits(), {.dimension = dimension});
    first.options.max_epochs = 3;
    second.options.max_epochs = 8;
    const LearnState state = first.learned({.keep_memory = true}).state;
    const LearnResult resumed = second.learned({.resume = &state});
    EXPECT_EQ(resumed.weights, all.weights);
    EXPECT_EQ(resumed.state.weights, all.state.weights);
    if (dimension == 0) continue;
    EXPECT_EQ(second.encoder->potentials(), whole.encoder->potentials());
  }
}

TEST(HiddenFactsEnergy, ClassesAreJudgedByTheirOwnProbability) {
  std::string facts;
  for (int i = 0; i < 30; ++i) {
    facts += "topic(P" + std::to_string(i) + (i % 3 == 0 ? ", Maths)\n" : ", Art)\n");
    facts += "has(P" + std::to_string(i) + (i % 3 == 0 ? ", Proof)\n" : ", Paint)\n");
  }
  FactTask task(model_of(
      {"topic(paper, area!)\n*has(paper, word)\n", "0 has(p, +w) => topic(p, +a)\n", facts, ""}));
  const LearnResult result = task.learned();
  EXPECT_NEAR(result.state.history.front().loss, std::log(2.0), 0.3);
  EXPECT_LT(*result.state.history.back().validation_loss, 0.3);
}

TEST(HiddenFactsEnergy, TellsThatTheLossIsNoNumberAnyMore) {
  FactTask task(habits());
  task.options.step_size = 1e308;
  EXPECT_THROW(task.learned(), LearnError);
}

// Fathers are male and mothers are not, by rules; uncles and aunts are in no rule, and only
// brothers are told of. What brother means, the encoder learns from those of whom rules tell more.
TEST(EncoderSource, FindsOutWhatRulesTellOfOthers) {
  constexpr int kFamilies = 12;
  std::string facts, queries;
  for (int f = 0; f < kFamilies; ++f) {
    const std::string n = std::to_string(f);
    facts += "father(F" + n + ", C" + n + ")\nmother(M" + n + ", C" + n + ")\n";
    facts += "brother(F" + n + ", A" + n + ")\nbrother(U" + n + ", M" + n + ")\n";
    facts += "!brother(M" + n + ", U" + n + ")\n!brother(A" + n + ", F" + n + ")\n";
    queries += "male(U" + n + ")\n!male(A" + n + ")\n";
  }
  const LoadedProgram model = model_of(
      {"male(person)\nbrother(person, person)\n*father(person, person)\n*mother(person, person)\n",
       "3 father(x, y) => male(x)\n3 mother(x, y) => !male(x)\n",
       facts,
       queries});
  FactTask task(model, {.dimension = 8, .step = 0.02, .decay = 0.003, .through_layer = 0.0});
  task.options.max_epochs = 150;
  task.options.keep_best = false;
  const LearnResult result = task.learned({}, false);
  EXPECT_LT(result.state.history.back().loss, result.state.history.front().loss);
  MeanField layer(model.program, model.database, {.iterations = 3, .threads = 1});
  const std::vector<double> marginals =
      layer.of_targets(layer.infer(task.encoder->potentials()).marginals);
  const std::vector<double> truth = task.model.task.labels;
  ASSERT_EQ(marginals.size(), 2U * kFamilies);
  int num_right = 0;
  for (std::size_t i = 0; i < marginals.size(); ++i) {
    num_right += (marginals[i] > 0.5) == (truth[i] == 1.0) ? 1 : 0;
  }
  EXPECT_GE(num_right, 2 * kFamilies - 2);
}

TEST(EncoderSource, AddsToTheUnariesOfTheModel) {
  const LoadedProgram model =
      model_of({"p(t)\n*q(t)\n", "1 q(x) => p(x)\n", "q(A)\np(A)\n!p(B)\n", "", "p(B) 2\n"});
  FactTask task(model, {.dimension = 2});
  EXPECT_NEAR(task.encoder->potentials()[0][1], 2.0F, 0.2F);
  EXPECT_NE(task.encoder->potentials()[0][0], 0.0F);
}

TEST(EncoderSource, RefusesTheStateOfAnother) {
  FactTask task(habits(), {.dimension = 2}), other(habits(), {.dimension = 3});
  const std::vector<NetworkState> memory = other.encoder->memory();
  EXPECT_THROW(task.encoder->restore(memory), LearnError);
}

}  // namespace
}  // namespace sorites
