// Runs `sorites learn` and `sorites infer` on a model with a network, which really learns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "program_folder.h"

namespace sorites {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

// Points on a spiral: the class is the side of the plane. Only Class has truth, so that the network
// learns through the rules.
constexpr const char* kModel = R"json({
  "predicates": {
    "Side/2": {
      "type": "DeepPredicate",
      "options": {
        "features": "points.tsv",
        "class-size": 2,
        "hidden": [16],
        "learning-rate": 0.05
      },
      "evaluations": ["CategoricalEvaluator"],
      "truth": {"infer": ["truth.tsv"]}
    },
    "Class/2": {
      "targets": {"learn": ["learn_targets.tsv"], "infer": ["targets.tsv"]},
      "truth": {"learn": ["learn_truth.tsv"], "infer": ["truth.tsv"]},
      "evaluations": [{"evaluator": "CategoricalEvaluator", "primary": true}]
    }
  },
  "rules": ["1: Side(P, C) = Class(P, C) ^2", "Class(P, +C) = 1 ."]
})json";

class NetworkCommand : public ProgramFolder {
 protected:
  NetworkCommand() {
    if (!SORITES_HAS_NETWORKS) return;
    std::string points, learn_targets, learn_truth, targets, truth;
    for (int i = 0; i < 120; ++i) {
      const double angle = 0.7 * i, radius = 0.3 + 0.01 * i;
      const double x = radius * std::cos(angle), y = radius * std::sin(angle);
      points += fmt::format("p{}\t{}\t{}\n", i, x, y);
      const bool learns = i < 80;
      for (int c = 0; c < 2; ++c) {
        (learns ? learn_targets : targets) += fmt::format("p{}\t{}\n", i, c);
        (learns ? learn_truth : truth) +=
            fmt::format("p{}\t{}\t{}\n", i, c, (x > 0) == (c == 1) ? 1 : 0);
      }
    }
    write("points.tsv", points);
    write("learn_targets.tsv", learn_targets);
    write("learn_truth.tsv", learn_truth);
    write("targets.tsv", targets);
    write("truth.tsv", truth);
    write("model.json", kModel);
  }

  void SetUp() override {
    if (!SORITES_HAS_NETWORKS) GTEST_SKIP() << "this build has no networks";
  }

  static double accuracy(const Json& document, const char* predicate) {
    return document["metrics"][predicate]["categorical_accuracy"].get<double>();
  }
};

TEST_F(NetworkCommand, LearnsThroughTheRulesAndInfersWithWhatItLearned) {
  const Outcome learned =
      run("learn model.json --json --epochs 15 --seed 3 --output learned.json --log log.csv "
          "--set learn.batch_components=16");
  ASSERT_EQ(learned.exit_code, 0) << learned.out << learned.err;
  const Json report = Json::parse(learned.out);
  EXPECT_LT(accuracy(report["untrained"], "CLASS"), 0.9);
  EXPECT_GT(accuracy(report["learned"], "CLASS"), 0.9);
  EXPECT_GT(report["seconds"]["networks"].get<double>(), 0.0);
  EXPECT_EQ(report["networks"][0]["entities"].get<int>(), 120);
  EXPECT_THAT(read("log.csv"), HasSubstr("network_seconds,trained_entities,entities_per_second"));

  const Outcome inferred = run("infer learned.json --json");
  ASSERT_EQ(inferred.exit_code, 0) << inferred.out << inferred.err;
  const Json result = Json::parse(inferred.out);
  EXPECT_EQ(accuracy(result, "CLASS"), accuracy(report["learned"], "CLASS"));
  EXPECT_GT(accuracy(result, "SIDE"), 0.9);
  EXPECT_TRUE(result["networks"][0]["loaded"].get<bool>());
  EXPECT_TRUE(result["diagnostics"].empty()) << result["diagnostics"];
}

TEST_F(NetworkCommand, LearnsByPoliciesAndByGradientFollowing) {
  for (const char* how : {"--algorithm policy --set learn.policy.energy_loss=0.1",
                          "--algorithm policy --set learn.policy.estimator=reinforce "
                          "--set learn.policy.draws=6",
                          "--algorithm gradient-following --set learn.steps_per_inference=2"}) {
    const Outcome learned =
        run(fmt::format("learn model.json --json --epochs 25 --seed 3 {} --log log.csv "
                        "--set learn.batch_components=16 --set learn.weights=false",
                        how));
    ASSERT_EQ(learned.exit_code, 0) << learned.out << learned.err;
    const Json report = Json::parse(learned.out);
    EXPECT_LT(accuracy(report["untrained"], "CLASS"), 0.9) << how;
    EXPECT_GT(accuracy(report["learned"], "CLASS"), 0.9) << how;
  }
}

TEST_F(NetworkCommand, RefusesPoliciesOfRootsOfProbabilities) {
  std::string model = kModel;
  const std::string hidden = R"("hidden": [16],)";
  model.replace(model.find(hidden), hidden.size(), hidden + R"( "output": "root-softmax",)");
  write("model.json", model);
  const Outcome outcome = run("learn model.json --algorithm policy");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the outputs of `Side` are roots of probabilities"));
}

TEST_F(NetworkCommand, WarnsOfNetworksThatNobodyTrained) {
  const Outcome inferred = run("infer model.json --output results");
  EXPECT_EQ(inferred.exit_code, 0) << inferred.err;
  EXPECT_THAT(inferred.err, HasSubstr("[untrained-network]"));
  EXPECT_THAT(inferred.out, HasSubstr("network    Side: mlp, 82 parameters, 120 entities of 2"));
  EXPECT_THAT(read("results/SIDE.txt"), HasSubstr("p119\t1\t"));
}

TEST_F(NetworkCommand, GoesOnFromAStateBitForBit) {
  const std::string learn = "learn model.json --json --no-eval --seed 3 ";
  const Json whole = Json::parse(run(learn + "--epochs 6").out);
  ASSERT_EQ(run(learn + "--epochs 3 --save-state half.state").exit_code, 0);
  const Json rest = Json::parse(run(learn + "--epochs 6 --resume half.state").out);
  ASSERT_EQ(whole["history"].size(), 7U);
  for (int epoch = 3; epoch < 7; ++epoch) {
    EXPECT_EQ(whole["history"][epoch]["loss"], rest["history"][epoch]["loss"]) << epoch;
  }
}

TEST_F(NetworkCommand, ANetworkAsPriorIsLearnedAndWritten) {
  write("prior.json", R"json({
  "predicates": {
    "Class/2": {
      "type": "DeepPredicate",
      "options": {"features": "points.tsv", "class-size": 2, "hidden": 16, "learning-rate": 0.05,
                  "paradigm": "parameter", "prior-weight": 3},
      "targets": {"learn": ["learn_targets.tsv"], "infer": ["targets.tsv"]},
      "truth": {"learn": ["learn_truth.tsv"], "infer": ["truth.tsv"]},
      "evaluations": ["CategoricalEvaluator"]
    }
  },
  "rules": ["1: !Class(P, C) ^2", "Class(P, +C) = 1 ."]
})json");
  const Outcome learned = run("learn prior.json --json --epochs 15 --seed 3 --output learned.json");
  ASSERT_EQ(learned.exit_code, 0) << learned.out << learned.err;
  EXPECT_GT(accuracy(Json::parse(learned.out)["learned"], "CLASS"), 0.9);
  EXPECT_THAT(read("learned.json"), HasSubstr("\"paradigm\": \"parameter\""));
  const Outcome inferred = run("infer learned.json --json");
  ASSERT_EQ(inferred.exit_code, 0) << inferred.out << inferred.err;
  EXPECT_GT(accuracy(Json::parse(inferred.out), "CLASS"), 0.9);
}

TEST_F(NetworkCommand, ADamagedFileOfParametersIsTold) {
  ASSERT_EQ(run("learn model.json --epochs 1 --no-eval --output learned.json").exit_code, 0);
  write("learned.Side.pt", read("learned.Side.pt").substr(0, 100));
  const Outcome inferred = run("infer learned.json");
  EXPECT_EQ(inferred.exit_code, 2);
  EXPECT_THAT(inferred.err, HasSubstr("[bad-network]"));
  EXPECT_THAT(inferred.err, HasSubstr("learned.Side.pt"));
}

TEST_F(NetworkCommand, DamagedModulesOfFeaturesAreToldByEveryCommand) {
  std::string model = kModel;
  model.replace(model.find("points.tsv\""), 11, "encoder.pt\", \"raw-features\": \"points.tsv\"");
  write("encoded.json", model);
  const auto mistake = [&](const std::string& command) {
    const Outcome outcome = run(command + " encoded.json");
    EXPECT_EQ(outcome.exit_code, 2) << command;
    return outcome.err;
  };
  EXPECT_THAT(mistake("check"), HasSubstr("the `features` of `Side` does not exist: encoder.pt"));
  for (const char* command : {"check", "infer", "learn"}) {
    write("encoder.pt", "no module");
    const std::string text = mistake(command);
    EXPECT_THAT(text, HasSubstr("[bad-features]"));
    EXPECT_THAT(text, HasSubstr("encoded.json:6:"));
    EXPECT_THAT(text, HasSubstr("features of `Side` from `encoder.pt`: it is no TorchScript file"));
    EXPECT_THAT(text, HasSubstr("torch.jit.script(module).save"));
    write("encoder.pt", std::string("PK\x03\x04") + std::string(5000, 'x'));
    EXPECT_THAT(mistake(command), HasSubstr("it is cut off"));
  }
  // An archive, but none of torch's.
  write("encoder.pt", std::string("PK\x03\x04PK\x05\x06") + std::string(18, '\0'));
  EXPECT_THAT(mistake("infer"), HasSubstr("cannot use the TorchScript file `encoder.pt`"));
}

TEST_F(NetworkCommand, DamagedModulesAreToldByCheck) {
  write("script.json", R"json({
  "predicates": {
    "L/2": {"type": "DeepPredicate",
            "options": {"network": "torchscript", "module": "m.pt", "features": "f.tsv",
                        "class-size": 2}},
    "Is/2": {"targets": [["e1", 0]]}
  },
  "rules": ["1: L(A, B) -> Is(A, B)"],
  "options": {"inference.on_missing_target": "skip"}
})json");
  write("f.tsv", "e1\t0.5\t1\ne2\t1\t0\n");
  write("m.pt", std::string("PK\x03\x04") + std::string(5000, 'x'));
  const Outcome outcome = run("check script.json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("`L`: cannot use the TorchScript file `m.pt`: it has no table"));
  EXPECT_THAT(outcome.err, HasSubstr("script.json:4:"));
}

TEST_F(NetworkCommand, ALossThatIsNoNumberKeepsTheLastGoodNetworks) {
  const std::string good = read("model.json");
  std::string wild = good;
  wild.replace(wild.find("0.05"), 4, "1e30");
  write("wild.json", wild);
  const Outcome learned = run("learn wild.json --epochs 5 --output learned.json");
  EXPECT_EQ(learned.exit_code, 1) << learned.out << learned.err;
  EXPECT_THAT(learned.err, HasSubstr("learning failed"));
  EXPECT_EQ(run("infer learned.json").exit_code, 0);
}

// The example of docs/networks.md, which takes too long to learn in every run of the tests.
TEST_F(NetworkCommand, TrainsTheExampleOfAdditionsForAnEpoch) {
  const Outcome outcome = run("learn " SORITES_EXAMPLES
                              "/mnist-addition/add1.json --epochs 1 --no-eval --json "
                              "-D learn.metric_period=1 --seed 3");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json document = Json::parse(outcome.out);
  EXPECT_EQ(document["history"].size(), 2U);  // before, and the epoch
  EXPECT_LT(document["history"][1]["loss"], document["history"][0]["loss"]);
}

}  // namespace
}  // namespace sorites
