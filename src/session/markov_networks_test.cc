#include "session/markov_networks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "perception/fake_networks.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

// Three tokens; a network says which pairs belong together, transitivity stands above it.
class MarkovNetworksTest : public testing::Test {
 protected:
  MarkovNetworksTest() {
    folder_ =
        fs::temp_directory_path() / (std::string("sorites_markov_networks_") +
                                     testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write("model.json", R"json({
      "semantics": "markov-logic",
      "predicates": {
        "Together/2": {
          "type": "DeepPredicate",
          "types": ["token", "token"],
          "targets": ["pairs.txt"],
          "truth": ["truth.txt"],
          "options": {"layer": "logicmp", "network": "mlp", "features": "features.txt",
                      "entity-arguments": [0, 1], "class-argument": "none"}
        }
      },
      "rules": ["2.0 Together(a, b) ^ Together(b, c) => Together(a, c)"]
    })json");
    std::string pairs, truth, features;
    for (const std::string a : {"T1", "T2", "T3"}) {
      for (const std::string b : {"T1", "T2", "T3"}) {
        pairs += a + "\t" + b + "\n";
        truth += a + "\t" + b + "\t" + ((a == "T3") == (b == "T3") ? "1" : "0") + "\n";
        features += a + "\t" + b + "\t1.0\n";
      }
    }
    write("pairs.txt", pairs);
    write("truth.txt", truth);
    write("features.txt", features);
  }
  ~MarkovNetworksTest() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  LoadedMarkovModel load(Phase phase) const {
    return load_markov_model((folder_ / "model.json").string(), phase);
  }
  static MakeNetworks fakes(double rate) {
    return [rate](std::vector<NetworkOptions> options, std::uint64_t) {
      return std::make_unique<FakeNetworks>(std::move(options), rate);
    };
  }

  fs::path folder_;
};

TEST_F(MarkovNetworksTest, OutputsAreUnaryPotentials) {
  LoadedMarkovModel loaded = load(Phase::kInfer);
  std::vector<Diagnostic> warnings;
  const MarkovNetworks networks =
      make_markov_networks(loaded, Phase::kInfer, 1, false, warnings, fakes(0.1));
  ASSERT_EQ(networks.outputs.size(), 9U);
  EXPECT_EQ(networks.outputs[5].atom, 5U);
  add_network_unaries(loaded.file, networks, loaded.model);
  ASSERT_EQ(loaded.model.unaries[0].size(), 9U);
  for (const float unary : loaded.model.unaries[0])
    EXPECT_NEAR(unary, 0.0F, 1e-6F);  // fakes say 1/2
}

TEST_F(MarkovNetworksTest, LearnThroughTheLayer) {
  LoadedMarkovModel loaded = load(Phase::kLearn);
  std::vector<Diagnostic> warnings;
  MarkovNetworks networks =
      make_markov_networks(loaded, Phase::kLearn, 1, false, warnings, fakes(0.2));
  LearnOptions options;
  options.loss = {.cross_entropy = 1.0};
  options.max_epochs = 200;
  options.step_size = 0.01;
  std::vector<double> losses;
  const MeanFieldOptions inference{.iterations = 3, .threads = 1};
  learn_markov_networks(loaded, networks, inference, options, [&](const LearnEpoch& epoch) {
    losses.push_back(epoch.loss);
  });
  ASSERT_GT(losses.size(), 10U);
  EXPECT_LT(losses.back(), 0.3 * losses.front());
  // What networks and weights learned is what inference then takes.
  use_data_of(loaded, Phase::kLearn, networks);
  add_network_unaries(loaded.file, networks, loaded.model);
  MeanField layer(loaded.model, inference);
  const auto marginals = layer.infer(unaries_of<float>(loaded.model)).marginals[0];
  for (std::size_t pair = 0; pair < 9; ++pair) {
    const bool together = (pair / 3 == 2) == (pair % 3 == 2);
    EXPECT_EQ(marginals[pair] > 0.5F, together) << pair;
  }
}

TEST_F(MarkovNetworksTest, NeedMarkovLogicForALogicLayer) {
  write("model.json", R"json({
    "predicates": {"A/1": {"type": "DeepPredicate", "targets": ["a.txt"],
                           "options": {"layer": "logicmp", "features": "f.txt"}},
                   "B/1": {"targets": ["a.txt"]}},
    "rules": ["1: A(x) -> B(x)"]})json");
  write("a.txt", "x\n");
  write("f.txt", "x\t1\n");
  try {
    load_model(read_model((folder_ / "model.json").string()), Phase::kInfer);
    FAIL() << "a logic layer without Markov logic";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("markov-logic"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sorites
