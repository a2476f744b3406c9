#include "meanfield/learn_markov.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lang/mln/test_programs.h"
#include "meanfield/lower.h"

namespace sorites {
namespace {

using testing::Each;
using testing::ElementsAre;

using markov::LoadedProgram;

LoadedProgram model_of(const markov::ProgramTexts& texts) {
  markov::ReadProgram read = markov::read_texts(texts);
  EXPECT_EQ(read.rendered(), "");
  return std::move(read.loaded);
}

MarkovLearnResult learned_from(const LoadedProgram& model,
                               const MarkovLearnOptions& options,
                               const std::function<void(const MarkovEpoch&)>& on_epoch = {}) {
  return learn_markov(model.program, model.database, options, on_epoch);
}

// Friends share a habit: the first formula is right, the second wrong, and words tell it as well.
LoadedProgram habits(std::uint64_t seed = 7) {
  constexpr int kGroups = 12, kSize = 4;
  std::mt19937_64 random(seed);
  std::string facts;
  for (int g = 0; g < kGroups; ++g) {
    const bool smokes = random() % 2 == 0;
    for (int i = 0; i < kSize; ++i) {
      const std::string person = "P" + std::to_string(g) + "_" + std::to_string(i);
      facts += (smokes ? "smokes(" : "!smokes(") + person + ")\n";
      facts += "says(" + person + (smokes ? ", Cough" : ", Jog") + ")\n";
      facts += "says(" + person + ", Hello)\n";
      for (int j = 0; j < kSize; ++j) {
        if (i == j) continue;
        facts += "friend(" + person + ", P" + std::to_string(g) + "_" + std::to_string(j) + ")\n";
      }
    }
  }
  return model_of({"smokes(person)\n*friend(person, person)\n*says(person, word)\n",
                   "0.1 friend(x, y) ^ smokes(x) => smokes(y)\n"
                   "0.1 friend(x, y) ^ smokes(x) => !smokes(y)\n"
                   "0.3 says(x, +w) => smokes(x)\n",
                   facts,
                   ""});
}

const MarkovLearnOptions kQuick{.inference = {.iterations = 3, .threads = 1},
                                .epochs = 60,
                                .weight_step = 0.05,
                                .weight_prior = 0.01};

TEST(LearnMarkov, RaisesTheWeightsOfFormulasThatHold) {
  const MarkovLearnResult learned = learned_from(habits(), kQuick);
  ASSERT_EQ(learned.epochs.size(), 60U);
  EXPECT_GT(learned.weights[0][0], 0.3);
  EXPECT_LT(learned.weights[1][0], -0.1);
  EXPECT_LT(learned.epochs.back().loss, 0.5 * learned.epochs.front().loss);
  EXPECT_FALSE(learned.stopped);
  EXPECT_FALSE(learned.diverged);
}

// Half of the people smoke, so that each step, which is far too long, ruins the weight.
TEST(LearnMarkov, KeepsTheBestEpoch) {
  std::string facts;
  for (int i = 0; i < 40; ++i) {
    facts += (i % 2 == 0 ? "smokes(P" : "!smokes(P") + std::to_string(i) + ")\n";
  }
  MarkovLearnOptions options = kQuick;
  options.weight_step = 10.0;
  options.epochs = 7;
  const MarkovLearnResult learned =
      learned_from(model_of({"smokes(person)\n", "0.01 smokes(x)\n", facts, ""}), options);
  EXPECT_GT(learned.epochs.back().loss, 1.5 * learned.epochs.front().loss);
  EXPECT_LT(learned.kept_epoch, 7U);
  EXPECT_LT(std::abs(learned.weights[0][0]), 1.5);
}

TEST(LearnMarkov, LetsWordsDecideWhereTheyStart) {
  MarkovLearnOptions options = kQuick;
  options.learn_weights = LearnedWeights::kPlus;
  const LoadedProgram model = habits();
  const MarkovLearnResult learned = learned_from(model, options);
  EXPECT_THAT(learned.weights[0], ElementsAre(0.1));
  EXPECT_THAT(learned.weights[1], ElementsAre(0.1));
  const auto weight = [&](const std::string& word) {
    const DomainId words = model.program.predicates[2].domain(1);
    return learned.weights[2].at(*model.database.dictionary(words).find(word));
  };
  EXPECT_GT(weight("Cough"), 0.5);
  EXPECT_LT(weight("Jog"), -0.5);
  options.epochs = 0;
  EXPECT_THAT(learned_from(model, options).weights[2], Each(0.0));
  options.plus_start = 0.25;
  EXPECT_THAT(learned_from(model, options).weights[2], Each(0.25));
  options.learn_weights = LearnedWeights::kNone;
  options.dimension = 2;
  EXPECT_THAT(learned_from(model, options).weights[2], Each(0.3));  // as they were written
}

TEST(LearnMarkov, IsTheSameWithTheSameSeed) {
  MarkovLearnOptions options = kQuick;
  options.epochs = 5;
  options.dimension = 3;
  const MarkovLearnResult one = learned_from(habits(), options),
                          two = learned_from(habits(), options);
  EXPECT_EQ(one.weights, two.weights);
  EXPECT_EQ(one.unaries, two.unaries);
  options.seed = 1;
  EXPECT_NE(learned_from(habits(), options).weights, one.weights);
}

TEST(LearnMarkov, StopsWhenAsked) {
  std::stop_source stop;
  MarkovLearnOptions options = kQuick;
  options.stop = stop.get_token();
  const MarkovLearnResult learned = learned_from(habits(), options, [&](const MarkovEpoch& epoch) {
    if (epoch.epoch == 7) stop.request_stop();
  });
  EXPECT_TRUE(learned.stopped);
  EXPECT_EQ(learned.epochs.size(), 7U);
  EXPECT_NE(learned.weights[0][0], 0.1);
}

TEST(LearnMarkov, KeepsTheLastGoodWeightsWhenTheLossIsNoNumber) {
  MarkovLearnOptions options = kQuick;
  options.weight_step = 1e308;
  const MarkovLearnResult learned = learned_from(habits(), options);
  EXPECT_TRUE(learned.diverged);
  EXPECT_LT(learned.epochs.size(), 60U);
  for (const auto& weights : learned.weights) {
    for (const double weight : weights) EXPECT_TRUE(std::isfinite(weight));
  }
}

TEST(LearnMarkov, SaysThatThereIsNothingToLearn) {
  const LoadedProgram hard = model_of({"p(t)\n", "p(x).\n", "p(A)\n", ""});
  EXPECT_THROW(learned_from(hard, {}), std::invalid_argument);
  EXPECT_NO_THROW(learned_from(hard, {.epochs = 1, .dimension = 2}));
  const LoadedProgram no_facts = model_of({"p(t)\n*q(t)\n", "1 q(x) => p(x)\n", "q(A)\n", ""});
  const MarkovLearnResult kept = learned_from(no_facts, {});
  EXPECT_FALSE(kept.had_facts);
  EXPECT_TRUE(kept.epochs.empty());
  EXPECT_THAT(kept.weights[0], ElementsAre(1.0));
}

// Fathers are male and mothers are not, by rules; uncles and aunts are in no rule, and only
// brothers are told of. What brother means, the encoder learns from those of whom rules tell more.
TEST(LearnMarkov, EncoderFindsOutWhatRulesTellOfOthers) {
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
  const MarkovLearnResult learned = learned_from(model,
                                                 {.inference = {.iterations = 3, .threads = 1},
                                                  .epochs = 150,
                                                  .weight_step = 0.0,
                                                  .dimension = 8,
                                                  .encoder_step = 0.02,
                                                  .encoder_decay = 0.003,
                                                  .through_layer = 0.0});
  MeanField layer(model.program, model.database, {.iterations = 3, .threads = 1});
  const std::vector<double> marginals = layer.of_targets(layer.infer(learned.unaries).marginals);
  const std::vector<double> truth = mean_field_model(model.program, model.database).task.labels;
  ASSERT_EQ(marginals.size(), 2U * kFamilies);
  int num_right = 0;
  for (std::size_t i = 0; i < marginals.size(); ++i) {
    num_right += (marginals[i] > 0.5) == (truth[i] == 1.0) ? 1 : 0;
  }
  EXPECT_GE(num_right, 2 * kFamilies - 2);
  EXPECT_LT(learned.epochs.back().distillation, learned.epochs.front().distillation);
}

TEST(LearnMarkov, AddsTheEncoderToTheUnariesOfTheModel) {
  const LoadedProgram model =
      model_of({"p(t)\n*q(t)\n", "1 q(x) => p(x)\n", "q(A)\np(A)\n!p(B)\n", "", "p(B) 2\n"});
  const MarkovLearnResult weights = learned_from(model, {.epochs = 2});
  EXPECT_THAT(weights.unaries[0], ElementsAre(0.0F, 2.0F));
  const MarkovLearnResult encoder = learned_from(model, {.epochs = 2, .dimension = 2});
  EXPECT_NEAR(encoder.unaries[0][1], 2.0F, 0.2F);
  EXPECT_NE(encoder.unaries[0][0], 0.0F);
}

TEST(LearnMarkov, NamesWhoseWeightsAreLearned) {
  for (const auto weights : {LearnedWeights::kAll, LearnedWeights::kPlus, LearnedWeights::kNone}) {
    EXPECT_EQ(learned_weights_named(name_of(weights)), weights);
  }
  EXPECT_EQ(learned_weights_named("some"), std::nullopt);
}

}  // namespace
}  // namespace sorites
