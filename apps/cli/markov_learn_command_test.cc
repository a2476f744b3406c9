// Runs `sorites learn` on models of Markov logic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "program_folder.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

class MarkovLearnCommand : public ProgramFolder {
 protected:
  // Pairs of friends who smoke or not; the first formula is right.
  void write_smokers() const {
    fs::create_directories(folder_ / "smokers");
    std::string facts, queries;
    for (int pair = 0; pair < 12; ++pair) {
      const std::string a = "A" + std::to_string(pair), b = "B" + std::to_string(pair);
      const std::string sign = pair % 2 == 0 ? "" : "!";
      facts += "friend(" + a + ", " + b + ")\nfriend(" + b + ", " + a + ")\n" + sign + "smokes(" +
               a + ")\n";
      (pair < 9 ? facts : queries) += sign + "smokes(" + b + ")\n";
    }
    write("smokers/predicates", "friend(person, person)\nsmokes(person)\n");
    write("smokers/facts", facts);
    write("smokers/queries", queries);
    write(
        "smokers/rules",
        "0.1 !friend(x, y) v !smokes(x) v smokes(y)\n0.1 !friend(x, y) v smokes(x) v !smokes(y)\n");
  }
};

// Older names of options are accepted.
constexpr const char* kClosed = " -D markov.closed=friend -D markov.weight_step=0.1";

// What is true of two constants of three, with a weight for each.
constexpr const char* kWeightsPerConstant = R"json({
  "language": "mln",
  "domains": {"d": ["A", "B", "C"]},
  "predicates": {
    "P": {"types": ["d"], "targets": [["A"], ["B"], ["C"]],
          "truth": [["A", 1], ["B", 0], ["C", 1]]},
    "O": {"types": ["d"], "world": "closed", "observations": [["A", 1], ["B", 1]]}
  },
  "rules": ["[1, 2, 3] O(x) => P(+x)", "0.5 !P(x)"]
})json";

TEST_F(MarkovLearnCommand, NumbersRulesAsTheModelWhateverTheSemantics) {
  write("model.json", kWeightsPerConstant);
  for (const char* semantics : {"hinge", "markov-logic"}) {
    const std::string by = fmt::format("model.json --json --semantics {} ", semantics);
    const Outcome outcome = run("learn --epochs 3 -D learn.fixed_rules=2 " + by);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json learned = Json::parse(outcome.out);
    std::size_t count = 0;
    for (const Json& rule : learned["rules"]) {
      const bool is_prior = rule["text"] == "!P(x)" || rule["text"] == "0.5 !P(x)";
      count += is_prior ? 1 : 0;
      EXPECT_EQ(rule["rule"], is_prior ? 2 : 1) << rule;
      if (is_prior) {
        EXPECT_EQ(rule["learned"], false) << semantics;
      }
    }
    EXPECT_EQ(count, 1U) << outcome.out;
    const Json explained = Json::parse(run("explain --rule 2 " + by).out)["rules"];
    ASSERT_EQ(explained.size(), 1U);
    EXPECT_EQ(explained[0]["rule"], 2);
    EXPECT_THAT(explained[0]["text"].get<std::string>(), HasSubstr("!P(x)"));
    EXPECT_THAT(run("explain --rule 3 " + by).out, HasSubstr("numbered from 1 to 2"));
  }
}

TEST_F(MarkovLearnCommand, PrintsLearnedFormulasAndMetrics) {
  write_smokers();
  const Outcome outcome = run(std::string("learn smokers --epochs 60 --patience 0") + kClosed);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" !friend(x, y) v !smokes(x) v smokes(y)\n"));
  EXPECT_GT(std::stod(outcome.out), 0.3);
  EXPECT_THAT(outcome.err, HasSubstr("all 60 epochs are done"));
  EXPECT_THAT(outcome.err, ContainsRegex(" 1  accuracy"));
}

TEST_F(MarkovLearnCommand, EndsWhereFactsThatAreHeldOutAreInferredNoBetter) {
  write_smokers();
  const Outcome outcome = run(std::string("learn smokers --epochs 100000 --patience 3") + kClosed);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the validation metric got no better"));
}

TEST_F(MarkovLearnCommand, WritesAFolderThatRunsAsItIs) {
  write_smokers();
  const Outcome learned =
      run(std::string("learn smokers --epochs 30 --json --output learned --log log.csv "
                      "--plot plot.svg "
                      "-D markov.dimension=4") +
          kClosed);
  ASSERT_EQ(learned.exit_code, 0) << learned.err;
  const Json document = Json::parse(learned.out);
  EXPECT_EQ(document["stop"], "epochs");
  EXPECT_EQ(document["history"].size(), 31U);  // the first is that of the weights as written
  EXPECT_TRUE(document["history"][0]["validation_loss"].is_number());
  EXPECT_EQ(document["output"], "learned");
  EXPECT_THAT(read("log.csv"), HasSubstr("epoch,loss,"));
  EXPECT_THAT(read("log.csv"), HasSubstr(",validation_loss,"));
  EXPECT_THAT(read("plot.svg"), HasSubstr(">validation<"));
  EXPECT_THAT(read("learned/predicates"), HasSubstr("*friend(person, person)"));
  EXPECT_THAT(read("learned/unaries"), HasSubstr("smokes(A0) "));
  const Outcome inferred = run("infer learned --json");
  ASSERT_EQ(inferred.exit_code, 0) << inferred.err;
  EXPECT_EQ(Json::parse(inferred.out)["metrics"], document["learned"]["metrics"]);
}

// The model that it tells is one that a command takes, with its facts.
TEST_F(MarkovLearnCommand, TellsTheFactsOfAPairOfFiles) {
  write("pair.mln", "smokes(person)\n0.1 smokes(x)\n");
  write("pair.db", "smokes(A)\nsmokes(B)\n!smokes(C)\n?smokes(D)\n");
  const Outcome learned = run("learn pair.mln --data pair.db --epochs 3 --output learned.mln");
  ASSERT_EQ(learned.exit_code, 0) << learned.err;
  EXPECT_THAT(learned.out + learned.err, HasSubstr("learned.mln --data learned.db\n"));
  EXPECT_THAT(run("infer learned.mln --data learned.db").out, testing::StartsWith("smokes('D')"));
}

TEST_F(MarkovLearnCommand, IsTheSameWithTheSameSeed) {
  write_smokers();
  const std::string command = std::string("learn smokers --epochs 5 --quiet --seed ");
  const std::string one = run(command + "1" + kClosed).out;
  EXPECT_EQ(one, run(command + "1" + kClosed).out);
  EXPECT_NE(one, run(command + "2" + kClosed).out);
}

TEST_F(MarkovLearnCommand, SaysWhatCannotBeLearned) {
  write_smokers();
  const Outcome nothing = run("learn smokers -D markov.learn_weights=none");
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("nothing is left to learn"));
  EXPECT_THAT(run("learn smokers -D \"markov.closed=friend smokes\"").err,
              HasSubstr("smokers/queries:1: error: this is asked for"));
  write("smokers/queries", "");
  const Outcome no_facts = run("learn smokers -D \"markov.closed=friend smokes\"");
  EXPECT_EQ(no_facts.exit_code, 2);
  EXPECT_THAT(no_facts.err, HasSubstr("nothing to learn from"));
  EXPECT_THAT(run("learn smokers -D markov.hidden=1.5").err, HasSubstr("`markov.hidden` takes"));
  EXPECT_THAT(run("learn smokers -D markov.closed=fiend").err, HasSubstr("no predicate `fiend`"));
  EXPECT_THAT(run("learn smokers -D markov.weight_factor=inf").err, HasSubstr("finite"));
  EXPECT_THAT(run("learn smokers --gap 1e-3").err, HasSubstr("means nothing"));
  EXPECT_THAT(run("learn smokers --algorithm hyperband").err, HasSubstr("by `gradient`"));
  EXPECT_THAT(run("learn smokers -D learn.policy.draws=3").err, HasSubstr("means nothing"));
  EXPECT_THAT(run("learn smokers -D learn.fixed_rules=1,2").err, HasSubstr("names all of them"));
}

TEST_F(MarkovLearnCommand, GoesOnBitForBit) {
  write_smokers();
  for (const std::string encoder : {"", " -D meanfield.dimension=3"}) {
    const std::string command = "learn smokers --patience 0 --quiet" + encoder + kClosed;
    ASSERT_EQ(run(command + " --epochs 20 --output whole").exit_code, 0);
    ASSERT_EQ(run(command + " --epochs 8 --save-state learn.state").exit_code, 0);
    const Outcome resumed =
        run(command + " --epochs 20 --resume learn.state --output parts --log log.csv");
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(read("parts/rules"), read("whole/rules"));
    if (!encoder.empty()) {
      EXPECT_EQ(read("parts/unaries"), read("whole/unaries"));
    }
    const std::string log = read("log.csv");
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 22);  // head, epochs 0 to 20
    fs::remove_all(folder_ / "whole");
    fs::remove_all(folder_ / "parts");
  }
}

TEST_F(MarkovLearnCommand, KeepsTheWeightsOfFixedRules) {
  write_smokers();
  const Outcome outcome =
      run(std::string("learn smokers --epochs 10 --quiet -D learn.fixed_rules=2") + kClosed);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("0.1 !friend(x, y) v smokes(x) v !smokes(y)\n"));
  EXPECT_GT(std::stod(outcome.out), 0.1);
}

// Who smokes has no friends who do: the labels make the weight of the rule negative.
TEST_F(MarkovLearnCommand, LearnsNegativeWeightsFromLabels) {
  write("model.json", R"json({
    "language": "mln",
    "semantics": "markov-logic",
    "predicates": {
      "Friend/2": {"types": ["person", "person"], "world": "closed", "observations": ["friend.txt"]},
      "Smokes/1": {"types": ["person"], "observations": ["smokes.txt"],
                   "targets": ["targets.txt"], "truth": ["truth.txt"]}
    },
    "rules": ["1 Friend(x, y) ^ Smokes(x) => Smokes(y)"]
  })json");
  std::string friends, smokes, targets, truth;
  for (int i = 0; i < 8; ++i) {
    friends += fmt::format("A{}\tB{}\n", i, i);
    smokes += fmt::format("A{}\n", i);
    targets += fmt::format("B{}\n", i);
    truth += fmt::format("B{}\t{}\n", i, i == 0 ? 1 : 0);
  }
  write("friend.txt", friends);
  write("smokes.txt", smokes);
  write("targets.txt", targets);
  write("truth.txt", truth);
  const Outcome outcome = run("learn model.json --quiet --epochs 400 --step-size 0.5");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(std::stod(outcome.out), std::log(1.0 / 7.0), 0.1);
  EXPECT_THAT(run("learn model.json -D meanfield.hidden=0.5").err, HasSubstr("means nothing"));
}

TEST_F(MarkovLearnCommand, MakesNoFolderWithTheNameOfAModelFile) {
  write_smokers();
  const Outcome outcome = run("learn smokers --output learned.json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("learned.json: error: what was read as Markov logic"));
  EXPECT_FALSE(fs::exists(folder_ / "learned.json"));
}

TEST_F(MarkovLearnCommand, KeepsWhatWasThereBeforeTheLossWasNoNumber) {
  write_smokers();
  const Outcome outcome =
      run("learn smokers --output learned -D markov.closed=friend -D markov.weight_step=1e308");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("FAILED"));
  EXPECT_THAT(read("learned/rules"), Not(HasSubstr("nan")));
  EXPECT_EQ(run("infer learned").exit_code, 0);
}

TEST_F(MarkovLearnCommand, KeepsWhatItLearnedIfItIsInterrupted) {
  write_smokers();
  const auto num_epochs = [&] {
    const std::string log = read("log.csv");
    return std::count(log.begin(), log.end(), '\n') - 1;
  };
  const Outcome outcome = run_and_interrupt(
      std::string("learn smokers --epochs 1000000000 --patience 0 --output learned --log log.csv") +
          kClosed,
      [&] { return num_epochs() >= 20; });
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("INTERRUPTED after"));
  EXPECT_EQ(read("log.csv").back(), '\n');           // no half line
  EXPECT_GT(std::stod(read("learned/rules")), 0.2);  // it was 0.1
  EXPECT_EQ(run("infer learned").exit_code, 0);
}

TEST_F(MarkovLearnCommand, SaysInJsonThatItWasInterrupted) {
  write_smokers();
  const Outcome outcome = run_and_interrupt(
      std::string("learn smokers --epochs 1000000000 --patience 0 --json --log log.csv") + kClosed,
      [&] { return read("log.csv").find("\n2,") != std::string::npos; });
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["stop"], "interrupted");
}

TEST_F(MarkovLearnCommand, OptionsChangeAModelWhenItIsOpened) {
  write("words.mln", "*has(t, w)\np(t)\n2 has(x, +w) => p(x)\n");
  write("words.db", "has(A, B)\n?p(A)\n");
  EXPECT_THAT(run("infer words.mln --data words.db").out, HasSubstr("p('A') = 0.8808"));
  EXPECT_THAT(run("infer words.mln --data words.db -D markov.weight_factor=0.5").out,
              HasSubstr("p('A') = 0.7311"));
  EXPECT_THAT(run("infer words.mln --data words.db -D markov.plus_weight=0").out,
              HasSubstr("p('A') = 0.5000"));
}

// Pairs of tokens, which a network scores by how near they are, under transitivity.
TEST_F(MarkovLearnCommand, LearnsANetworkThroughFormulasWithLogAndPlot) {
  if (!SORITES_HAS_NETWORKS) GTEST_SKIP() << "built without networks";
  write("tokens.json", R"json({
    "language": "mln",
    "semantics": "markov-logic",
    "predicates": {
      "Together/2": {
        "type": "DeepPredicate", "types": ["token", "token"],
        "targets": ["pairs.txt"], "truth": ["truth.txt"],
        "options": {"layer": "logicmp", "network": "mlp", "features": "near.txt",
                    "entity-arguments": [0, 1], "class-argument": "none", "learning-rate": 0.05}
      }
    },
    "rules": ["0.2 Together(a, b) ^ Together(b, c) => Together(a, c)"]
  })json");
  std::string pairs, truth, near;
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 6; ++b) {
      const std::string pair = fmt::format("T{}\tT{}", a, b);
      pairs += pair + "\n";
      truth += fmt::format("{}\t{}\n", pair, a / 3 == b / 3 ? 1 : 0);
      near += fmt::format("{}\t{}\n", pair, std::abs(a - b));
    }
  }
  write("pairs.txt", pairs);
  write("truth.txt", truth);
  write("near.txt", near);
  const Outcome outcome =
      run("learn tokens.json --epochs 30 --json --log log.csv --plot loss.svg "
          "--save-state learn.state --output learned.json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json document = Json::parse(outcome.out);
  EXPECT_LT(document["history"].back()["loss"], document["history"].front()["loss"]);
  const std::string log = read("log.csv");
  EXPECT_THAT(log, HasSubstr("epoch,loss,"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 32);  // head, epochs 0 to 30
  EXPECT_THAT(read("loss.svg"), HasSubstr("<svg"));
  // What was learned through the formulas is a model file that runs.
  const Outcome inferred = run("infer learned.json --json");
  ASSERT_EQ(inferred.exit_code, 0) << inferred.out;
  EXPECT_EQ(Json::parse(inferred.out)["networks"][0]["loaded"], true);
  EXPECT_EQ(run("learn tokens.json --resume learn.state --epochs 31").exit_code, 0);
  EXPECT_THAT(run("learn tokens.json --gap 1e-3").err, HasSubstr("means nothing"));
  EXPECT_THAT(run("learn tokens.json --plot loss.png").err, HasSubstr("plots are SVG pictures"));
}

}  // namespace
}  // namespace sorites
