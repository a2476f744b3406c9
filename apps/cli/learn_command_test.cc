// Runs `sorites learn` and looks at what it prints, writes and returns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "program_folder.h"

namespace sorites {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::json;

// Friends are alike, neighbours are not; the rules do not know it yet.
constexpr const char* kModel = R"json({
  "predicates": {
    "Friend/2": {"observations": [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]},
    "Near/2": {"observations": [["a", "d"], ["c", "b"], ["e", "h"], ["g", "f"]]},
    "Smokes/1": {
      "observations": [["a", 1], ["c", 0], ["e", 1], ["g", 0]],
      "targets": {"learn": [["b"], ["d"]], "validation": [["h"]], "infer": [["f"]]},
      "truth": {"learn": [["b", 1], ["d", 0]], "validation": [["h", 0]], "infer": [["f", 1]]},
      "evaluations": ["ContinuousEvaluator", "DiscreteEvaluator"]
    }
  },
  "options": {"pam.throw": false},
  "rules": [
    "2: Friend(A, B) & Smokes(A) -> Smokes(B) ^2",
    "2: Friend(A, B) & !Smokes(A) -> !Smokes(B) ^2",
    "2: Near(A, B) & Smokes(A) -> Smokes(B) ^2",
    "2: Near(A, B) & !Smokes(A) -> !Smokes(B) ^2",
    "Smokes(A) <= 1 ."
  ],
  "infer": {"rules": ["0.5: !Smokes(A)"]}
})json";

class LearnCommand : public ProgramFolder {
 protected:
  LearnCommand() { write("model.json", kModel); }

  Json learn(const std::string& arguments) const {
    const Outcome outcome = run("learn model.json --json " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    return Json::parse(outcome.out);
  }

  static std::vector<double> weights(const Json& document) {
    std::vector<double> result;
    for (const Json& rule : document["rules"]) {
      result.push_back(rule["weight"].is_null() ? -1.0 : rule["weight"].get<double>());
    }
    return result;
  }

  // The lines of a CSV log without the columns that tell times.
  std::vector<std::string> lines_without_times(const std::string& name) const {
    std::istringstream text(read(name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
      std::vector<std::string> cells;
      std::istringstream row(line);
      for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
      cells.erase(cells.begin() + 7, cells.begin() + 9);
      lines.push_back(fmt::format("{}", fmt::join(cells, ",")));
    }
    return lines;
  }
};

TEST_F(LearnCommand, WritesTheMethodThatWasAskedForInsteadOfTheLossOfTheModel) {
  std::string model = read("model.json");
  model.insert(model.find("\"pam.throw\""), R"("learn.loss": "energy", "learn.max_epochs": 3, )");
  write("energy.json", model);
  const char* learn =
      "learn energy.json --json -D runtime.learn.method=SquaredError --output out.json";
  EXPECT_EQ(Json::parse(run(learn).out)["loss"], "squared_error");
  const Outcome again = run("learn out.json --json -D runtime.learn=true");
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(Json::parse(again.out)["loss"], "squared_error");
  EXPECT_EQ(read("out.json").find("learn.loss"), std::string::npos);
}

TEST_F(LearnCommand, PrintsTheLearnedRulesAndASummaryBesides) {
  const Outcome outcome = run("learn model.json --epochs 7");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 5);
  EXPECT_THAT(outcome.out, HasSubstr(": Friend(A, B) & Smokes(A) -> Smokes(B) ^2\n"));
  EXPECT_THAT(outcome.out, HasSubstr("Smokes(A) <= 1 .\n"));
  EXPECT_THAT(outcome.err, testing::ContainsRegex("before +after +rule"));
  EXPECT_THAT(outcome.err, HasSubstr("all 7 epochs are done"));
  EXPECT_THAT(outcome.err, HasSubstr("structured_perceptron, gradient, softmax-simplex"));
}

// The sum of such weights is no number any more.
TEST_F(LearnCommand, LearnsFromWeightsAtTheEndOfNumbers) {
  std::string model = kModel;
  for (std::size_t at = model.find("\"2: "); at != std::string::npos; at = model.find("\"2: ")) {
    model.replace(at, 3, "\"1e308:");
  }
  write("model.json", model);
  for (const char* domain : {"softmax-simplex", "non-negative"}) {
    const std::vector<double> learned =
        weights(learn(std::string("--epochs 9 -D learn.domain=") + domain));
    for (std::size_t r = 0; r < 4; ++r) {
      EXPECT_TRUE(std::isfinite(learned[r])) << domain << " " << learned[r];
      EXPECT_GE(learned[r], 0.0);
    }
    EXPECT_GT(learned[0], 0.0);
  }
}

TEST_F(LearnCommand, LearnsWhichRulesTellTheTruth) {
  const Json document = learn("--epochs 50");
  const std::vector<double> learned = weights(document);
  EXPECT_GT(learned[0], learned[2]);
  EXPECT_GT(learned[1], learned[3]);
  EXPECT_NEAR(learned[0] + learned[1] + learned[2] + learned[3], 8.0, 1e-9);  // as before
  const double before = document["untrained"]["metrics"]["SMOKES"]["mse"];
  const double after = document["learned"]["metrics"]["SMOKES"]["mse"];
  EXPECT_LT(after, before);
}

TEST_F(LearnCommand, LearnsTheExampleOfTheGuide) {
  const Outcome outcome = run("learn " SORITES_EXAMPLES "/votes/model.json --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out;
  const Json document = Json::parse(outcome.out);
  const auto accuracy = [&](const char* when) {
    return document[when]["metrics"]["VOTES"]["categorical_accuracy"].get<double>();
  };
  EXPECT_GT(accuracy("learned"), accuracy("untrained") + 0.1);
  EXPECT_GT(weights(document)[0], 5.0 * weights(document)[1]);  // couples, not colleagues
}

TEST_F(LearnCommand, LearnsByBatches) {
  const Json whole = learn("--epochs 0"), parts = learn("--epochs 9 -D learn.batch_components=1");
  EXPECT_NEAR(parts["history"][0]["loss"], whole["history"][0]["loss"], 1e-3);
  EXPECT_NEAR(parts["history"][0]["training_metric"], whole["history"][0]["training_metric"], 1e-3);
  EXPECT_GT(weights(parts)[0], weights(parts)[2]);
}

TEST_F(LearnCommand, GivesOneJsonDocument) {
  const Json document = learn("--epochs 3");
  EXPECT_EQ(document["command"], "learn");
  EXPECT_EQ(document["algorithm"], "gradient");
  EXPECT_EQ(document["loss"], "structured_perceptron");
  EXPECT_EQ(document["stop"], "epochs");
  ASSERT_EQ(document["history"].size(), 4U);
  EXPECT_TRUE(document["history"][3]["training_metric"].is_number());
  EXPECT_TRUE(document["history"][3]["validation_metric"].is_number());
  const Json& rule = document["rules"][0];
  EXPECT_EQ(rule["line"], 14);
  EXPECT_EQ(rule["old_weight"], 2.0);
  EXPECT_EQ(rule["learned"], true);
  EXPECT_EQ(document["rules"][4]["hard"], true);
  EXPECT_GT(document["seconds"]["total"].get<double>(), 0.0);
  EXPECT_THAT(document["diagnostics"], IsEmpty());
}

TEST_F(LearnCommand, WritesAModelThatRunsAsItIs) {
  const Json document = learn("--epochs 10 --output learned.json");
  const Outcome inferred = run("infer learned.json --json");
  ASSERT_EQ(inferred.exit_code, 0) << inferred.out << inferred.err;
  const Json result = Json::parse(inferred.out);
  EXPECT_EQ(result["metrics"], document["learned"]["metrics"]);
  const Json check = Json::parse(run("check learned.json --json --phase learn").out);
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(check["phases"][0]["rules"][r]["weight"], document["rules"][r]["weight"]);
  }
}

TEST_F(LearnCommand, WritesTheRulesAloneIfTheFileIsNoJson) {
  learn("--epochs 2 --output learned.psl");
  EXPECT_THAT(read("learned.psl"), HasSubstr("Smokes(A) <= 1 .\n"));
}

TEST_F(LearnCommand, GoesOnFromAStateBitForBit) {
  for (const char* method : {"--loss structured_perceptron",
                             "--loss squared_error",
                             "--algorithm bilevel",
                             "--loss squared_error -D learn.batch_components=1",
                             "--algorithm random-search -D learn.search.max_points=9"}) {
    const std::string search = std::string(method).ends_with("9") ? "--time-limit 1e9 " : "";
    const std::string flags = std::string(method) + " --no-eval " + search;
    const Json whole = learn(flags + "--epochs 8 --log whole.csv");
    learn(flags + "--epochs 3 --save-state half.state --log parts.csv");
    const Json rest = learn(flags + "--epochs 8 --resume half.state --log parts.csv");
    EXPECT_EQ(weights(rest), weights(whole)) << method;
    EXPECT_EQ(lines_without_times("parts.csv"), lines_without_times("whole.csv")) << method;
  }
}

TEST_F(LearnCommand, RefusesAStateOfAnotherModelOrOfNone) {
  learn("--epochs 2 --save-state some.state");
  std::string other = kModel;
  other.replace(other.find("[\"c\", \"d\"]"), 10, "[\"c\", \"b\"]");
  write("other.json", other);
  Outcome outcome = run("learn other.json --resume some.state");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("other rules, weights, data or evaluations"));
  EXPECT_THAT(outcome.err, HasSubstr("[bad-state]"));
  outcome = run("learn model.json --resume some.state --loss energy");
  EXPECT_EQ(outcome.exit_code, 2);
  outcome = run("learn model.json --resume model.json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("state of learning"));
  write("cut.state", read("some.state").substr(0, 100));
  EXPECT_EQ(run("learn model.json --resume cut.state").exit_code, 2);
  EXPECT_EQ(run("learn model.json --resume missing.state").exit_code, 1);
}

TEST_F(LearnCommand, RefusesAStateWhoseObservationsWeightsOrEvaluatorsHaveChanged) {
  learn("--epochs 2 --save-state some.state");
  EXPECT_EQ(run("learn model.json --epochs 3 --resume some.state").exit_code, 0);
  for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
           {"[\"a\", 1]", "[\"a\", 0.5]"}, {"2: Friend", "3: Friend"}, {"DiscreteEv", "AUCEv"}}) {
    std::string other = kModel;
    other.replace(other.find(before), before.size(), after);
    write("other.json", other);
    const Outcome outcome = run("learn other.json --epochs 3 --resume some.state");
    EXPECT_EQ(outcome.exit_code, 2) << after;
    EXPECT_THAT(outcome.err, HasSubstr("[bad-state]")) << after;
  }
}

TEST_F(LearnCommand, MakesTheFolderOfItsOutput) {
  EXPECT_EQ(run("learn model.json --epochs 2 --output new/folder/learned.json").exit_code, 0);
  const Outcome inferred = run("infer new/folder/learned.json");
  EXPECT_EQ(inferred.exit_code, 0) << inferred.err;
  EXPECT_THAT(inferred.err, Not(HasSubstr("weights-as-written")));
  EXPECT_THAT(run("infer model.json").err, HasSubstr("weights-as-written"));
}

TEST_F(LearnCommand, WritesLogAndPlot) {
  learn("--epochs 4 --log log.csv --plot curves.svg");
  const std::string log = read("log.csv");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 6);
  EXPECT_THAT(read("curves.svg"), StartsWith("<svg"));
  EXPECT_THAT(read("curves.svg"), HasSubstr(">mse</text>"));
  learn("--epochs 4 --log log.json");
  const std::string first = read("log.json").substr(0, read("log.json").find('\n'));
  EXPECT_EQ(Json::parse(first)["weights"].size(), 5U);
}

TEST_F(LearnCommand, RunsEveryMethodOfPsl) {
  for (const char* method : {"StructuredPerceptron",
                             "Energy",
                             "SquaredError",
                             "BinaryCrossEntropy",
                             "OnlineSquaredError",
                             "OnlineBinaryCrossEntropy",
                             "PolicyGradientEvaluation",
                             "PolicyGradientSquaredError",
                             "PolicyGradientBinaryCrossEntropy",
                             "GridSearch",
                             "RandomGridSearch",
                             "ContinuousRandomGridSearch",
                             "GuidedRandomGridSearch",
                             "Hyperband",
                             "GaussianProcessPrior",
                             "ImplicitSquaredError",
                             "ImplicitBinaryCrossEntropy"}) {
    const Json document =
        learn(fmt::format("--method {} --epochs 3 -D gridsearch.weights=0.1:1 "
                          "-D learn.search.max_points=5 --no-eval",
                          method));
    EXPECT_FALSE(document["history"].empty()) << method;
  }
}

TEST_F(LearnCommand, LearnsByPoliciesAndByGradientFollowing) {
  const Json policy = learn(
      "--algorithm policy --epochs 40 --log log.csv --set learn.policy.draws=8 "
      "--set learn.policy.deviation=0.3");
  EXPECT_EQ(policy["algorithm"], "policy");
  EXPECT_EQ(policy["loss"], "metric");  // where nothing else is said
  EXPECT_THAT(read("log.csv"), HasSubstr(",gradient_variance,"));
  const Json following =
      learn("--algorithm gradient-following --epochs 40 --set learn.steps_per_inference=3");
  EXPECT_EQ(following["loss"], "cross_entropy");
  for (const Json& document : {policy, following}) {
    // Friends are alike, and those near are not.
    const std::vector<double> learned = weights(document);
    EXPECT_GT(learned[0] + learned[1], 1.5 * (learned[2] + learned[3])) << document["algorithm"];
  }
}

TEST_F(LearnCommand, SearchesForTheSmallestLossWithoutAMetric) {
  std::string model = kModel;
  const std::string evaluations = R"(,
      "evaluations": ["ContinuousEvaluator", "DiscreteEvaluator"])";
  model.erase(model.find(evaluations), evaluations.size());
  write("model.json", model);
  const Json document = learn("--algorithm random-search -D learn.search.max_points=20 --no-eval");
  const Json& history = document["history"];
  const auto best =
      std::min_element(history.begin(), history.end(), [](const auto& a, const auto& b) {
        return a["loss"] < b["loss"];
      });
  EXPECT_EQ(document["kept_epoch"], (*best)["epoch"]);
  EXPECT_NE(document["kept_epoch"], history.back()["epoch"]);
}

TEST_F(LearnCommand, KeepsTheWeightsOfRulesThatAreNamed) {
  const std::vector<double> learned = weights(learn("--set 'learn.fixed_rules=2, model.json:16'"));
  EXPECT_NE(learned[0], 2.0);
  EXPECT_EQ(learned[1], 2.0);
  EXPECT_EQ(learned[2], 2.0);
  EXPECT_NE(learned[3], 2.0);
  EXPECT_EQ(run("learn model.json --set learn.fixed_rules=9").exit_code, 2);
  EXPECT_THAT(run("learn model.json --set learn.fixed_rules=5").err, HasSubstr("which is hard"));
  EXPECT_THAT(run("learn model.json --set learn.fixed_rules=1,2,3,4").err,
              HasSubstr("no weight is left to learn"));
}

TEST_F(LearnCommand, PointsAtARuleToKeepThatIsNotThere) {
  std::string model = kModel;
  model.replace(model.find(R"("pam.throw")"), 0, R"("learn.fixed_rules": "99", )");
  write("model.json", model);
  const std::string said = run("learn model.json").err;
  EXPECT_THAT(said, HasSubstr("model.json:12:"));
  EXPECT_THAT(said, HasSubstr("there is no rule `99`"));
  EXPECT_THAT(said, HasSubstr("`learn.fixed_rules` takes the number of a rule"));
}

TEST_F(LearnCommand, KeepsWeightsOfRulesThatCannotBeLearned) {
  std::string model = kModel;
  model.replace(
      model.find("    \"Smokes(A) <= 1 .\""), 4, "    \"7: Near('x', B) -> Smokes(B)\",\n");
  write("model.json", model);
  const Json document = learn("--epochs 3");
  EXPECT_EQ(document["rules"][4]["weight"], 7.0);
  EXPECT_EQ(document["rules"][4]["learned"], false);
  EXPECT_EQ(document["diagnostics"][0]["code"], "unlearnable-rule");
}

TEST_F(LearnCommand, WarnsOnceOfAHardRuleThatTheTruthBreaks) {
  std::string text = kModel;
  text.replace(text.find("Smokes(A) <= 1 ."), 16, "Friend(A, B) -> !Smokes(B) .");
  write("strict.json", text);
  const Outcome outcome = run("learn strict.json --epochs 3");
  const std::string warning =
      "strict.json:18:6: warning: the truth to learn from breaks 1 of the 2 ground rules of this "
      "hard rule [broken-by-truth]";
  EXPECT_THAT(outcome.err, HasSubstr(warning));
  EXPECT_EQ(outcome.err.find("broken-by-truth"), outcome.err.rfind("broken-by-truth"));
  EXPECT_THAT(run("learn model.json --epochs 3").err, Not(HasSubstr("broken-by-truth")));
}

TEST_F(LearnCommand, KeepsTheLastGoodWeightsIfTheLossDiverges) {
  const Outcome outcome =
      run("learn model.json --domain non-negative --step-size 1e308 --schedule constant "
          "-D gradientdescent.clipweightgradient=false -D learn.negative_log=1e9 "
          "--output learned.json --save-state last.state");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("learning failed: "));
  EXPECT_THAT(read("last.state"), Not(IsEmpty()));
  EXPECT_EQ(run("infer learned.json").exit_code, 0);
}

TEST_F(LearnCommand, KeepsTheBestWeightsIfItIsInterrupted) {
  for (const char* signal : {"INT", "HUP"}) {
    const Outcome outcome =
        run(fmt::format("--version >version.txt && timeout --foreground -s {} 1 " SORITES_PROGRAM
                        " learn model.json --epochs 1000000000 -D learn.movement_tolerance=0 "
                        "--output {}.json --save-state {}.state",
                        signal,
                        signal,
                        signal));
    EXPECT_EQ(outcome.exit_code, 124);  // of timeout: it had to end the program
    EXPECT_THAT(outcome.out, HasSubstr("INTERRUPTED after"));
    EXPECT_EQ(run(fmt::format("infer {}.json", signal)).exit_code, 0);
    EXPECT_THAT(read(fmt::format("{}.state", signal)), Not(IsEmpty()));
  }
}

TEST_F(LearnCommand, StopsWhenItsTimeIsOver) {
  const double before = processor_seconds();
  const Json document = learn(
      "--epochs 1000000000 --time-limit 0.2 --threads 1 -D learn.movement_tolerance=0 --no-eval");
  EXPECT_EQ(document["stop"], "time");
  EXPECT_LT(processor_seconds() - before, 1.2);
}

// It comes through a pipe, after one of two and a half seconds.
TEST_F(LearnCommand, CountsTheTimeOfOpeningTheModel) {
  const double before = processor_seconds();
  const Outcome outcome =
      run("--version >version.txt; mkfifo pipe.json; (sleep 1; cat model.json >pipe.json) "
          "& " SORITES_PROGRAM
          " learn pipe.json --epochs 1000000000 --time-limit 2.5 --threads 1 --no-eval "
          "-D learn.movement_tolerance=0");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("the time was over"));
  EXPECT_LT(processor_seconds() - before, 2.3);
}

TEST_F(LearnCommand, SaysWhatIsWrongWithItsFlags) {
  Outcome outcome = run("learn model.json --step-size much");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("takes a positive number, not `much`"));
  outcome = run("learn model.json --method Magic");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("`GridSearch`"));
  outcome = run("learn model.json --loss sqared_error");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean `squared_error`?"));
  outcome = run("learn model.json --output model.json/learned.json");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write `model.json/learned.json`"));
}

}  // namespace
}  // namespace sorites
