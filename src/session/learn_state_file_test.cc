#include "session/learn_state_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sorites/diagnostic.h"

namespace sorites {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kStructure = 77;

const std::vector<double> kLabels = {1.0, kLatent};

std::uint64_t small_fingerprint() { return learning_fingerprint(kStructure, kLabels, {}); }

LearnState small_state() {
  LearnState state;
  state.epoch = 2;
  state.weights = {0.1 + 0.2, 1e-300};
  state.best_weights = {0.5, 0.5};
  state.best_metric = -0.25;
  state.best_loss = 12.5;
  state.best_epoch = 1;
  state.history.resize(3);
  state.history[1].loss = 1.5;
  state.history[1].validation_metric = 0.75;
  state.history[2].movement = 1e-4;
  state.energies.resize(2);
  state.energies[0].latent = {{0.25, 1.0}, {2.0}, {}, {0.5, 2.0}};
  state.energies[1].proximal.group_multipliers = {-3.0};
  state.steps.loss = 1.25;
  state.steps.converged = true;
  state.steps.weights = {0.5, {1.0, 3.0}, {7, {0.1}, {0.2}}};
  state.steps.bilevel = BilevelState{.squared_penalty = 20.0, .inner_epochs = 3};
  state.steps.bilevel->samples = {{.state = {0.0, 1.0}, .constraint = 0.5}, {}};
  state.tried = {4.0};
  state.history[2].network_seconds = 0.5;
  state.history[2].num_trained = 77;
  state.networks = {{.temperature = 0.5, .steps = 9, .first_moments = {0.25F}},
                    {.parameters = {1.0F, 2.0F}, .buffers = {{}, {std::byte{1}}}}};
  state.best_networks = {{.learning_rate = 0.1, .random = {std::byte{3}}}};
  return state;
}

class LearnStateFile : public testing::Test {
 protected:
  LearnStateFile() {
    path_ = std::filesystem::temp_directory_path() /
            ("sorites_learn_" + std::to_string(::getpid()) + ".state");
    save_learn_state(small_state(), small_fingerprint(), path_);
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  ~LearnStateFile() override { std::filesystem::remove(path_); }

  static std::string problem(std::string_view bytes) {
    const auto result = read_learn_state({bytes.data(), bytes.size()}, small_fingerprint());
    const auto* text = std::get_if<std::string>(&result);
    return text == nullptr ? "" : *text;
  }

  std::string path_;
  std::string bytes_;
};

TEST_F(LearnStateFile, ReadsBackWhatWasSaved) {
  const LearnState read = load_learn_state(path_, small_fingerprint()), state = small_state();
  EXPECT_EQ(read.epoch, state.epoch);
  EXPECT_EQ(read.weights, state.weights);
  EXPECT_EQ(read.best_weights, state.best_weights);
  EXPECT_EQ(read.best_metric, state.best_metric);
  EXPECT_EQ(read.best_loss, state.best_loss);
  EXPECT_EQ(read.best_epoch, state.best_epoch);
  ASSERT_EQ(read.history.size(), 3U);
  EXPECT_EQ(read.history[1].loss, 1.5);
  EXPECT_EQ(read.history[1].training_metric, std::nullopt);
  EXPECT_EQ(read.history[1].validation_metric, 0.75);
  EXPECT_EQ(read.history[2].movement, 1e-4);
  EXPECT_EQ(read.energies, state.energies);
  EXPECT_EQ(read.steps.loss, state.steps.loss);
  EXPECT_TRUE(read.steps.converged);
  EXPECT_EQ(read.steps.weights.log_unit, 0.5);
  EXPECT_EQ(read.steps.weights.log_shares, state.steps.weights.log_shares);
  EXPECT_EQ(read.steps.weights.adam.steps, 7U);
  EXPECT_EQ(read.steps.weights.adam.mean_square, state.steps.weights.adam.mean_square);
  ASSERT_TRUE(read.steps.bilevel);
  EXPECT_FALSE(read.steps.bilevel->units);
  EXPECT_EQ(read.steps.bilevel->squared_penalty, 20.0);
  EXPECT_EQ(read.steps.bilevel->inner_epochs, 3U);
  ASSERT_EQ(read.steps.bilevel->samples.size(), 2U);
  EXPECT_EQ(read.steps.bilevel->samples[0].state, state.steps.bilevel->samples[0].state);
  EXPECT_EQ(read.steps.bilevel->samples[0].constraint, 0.5);
  EXPECT_EQ(read.tried, state.tried);
  EXPECT_EQ(read.networks, state.networks);
  EXPECT_EQ(read.best_networks, state.best_networks);
  EXPECT_EQ(read.history[2].network_seconds, 0.5);
  EXPECT_EQ(read.history[2].num_trained, 77U);
}

TEST_F(LearnStateFile, IsRefusedWhereverItIsCutOff) {
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    EXPECT_NE(problem(std::string_view(bytes_).substr(0, size)), "") << size;
  }
}

TEST_F(LearnStateFile, IsRefusedIfAnyByteIsDamaged) {
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    std::string damaged = bytes_;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    EXPECT_NE(problem(damaged), "") << i;
  }
}

TEST_F(LearnStateFile, IsRefusedByAnotherModelOrWayOfLearning) {
  const auto refused = [&](std::uint64_t fingerprint) {
    try {
      load_learn_state(path_, fingerprint);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused(learning_fingerprint(kStructure, kLabels, {})), "");
  EXPECT_THAT(refused(learning_fingerprint(kStructure + 1, kLabels, {})),
              HasSubstr("other rules, weights, data"));
  const std::vector<double> labels = {0.0, kLatent};
  EXPECT_NE(refused(learning_fingerprint(kStructure, labels, {})), "");
  LearnOptions options;
  options.max_epochs = 7;
  EXPECT_EQ(refused(learning_fingerprint(kStructure, kLabels, options)), "");
  options.loss.energy = 1.0;
  EXPECT_NE(refused(learning_fingerprint(kStructure, kLabels, options)), "");
}

TEST_F(LearnStateFile, SaysThatAnOlderVersionWroteIt) {
  FrameFormat older = kLearnStateFormat;
  older.version = 2;  // all numbers of an algorithm in one list
  const FrameHeader header = make_header(older, small_fingerprint(), 0, checksum(0, {}));
  EXPECT_THAT(problem({reinterpret_cast<const char*>(&header), sizeof header}),
              HasSubstr("was written by an older version"));
}

TEST_F(LearnStateFile, SaysWhatAForeignFileIs) {
  EXPECT_THAT(problem("epoch,loss\n0,1\n"), HasSubstr("state of learning"));
}

}  // namespace
}  // namespace sorites
