// What is asked for, by options and flags, is done or refused with its place: nothing is ignored in
// silence.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program_folder.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::json;

class SettingsOfAModel : public ProgramFolder {
 protected:
  SettingsOfAModel() { write_with(""); }

  // With these options, and members behind the rules.
  void write_with(const std::string& options, const std::string& members = "") const {
    write("model.json",
          fmt::format(R"json({{
  "options": {{
    {}
  }},
  "predicates": {{
    "Friend/2": {{"observations": [["a", "b"]]}},
    "Hot/1": {{"targets": [["a"], ["b"]], "truth": [["a", 1], ["b", 0]]}}
  }},
  "rules": ["1: Friend(A, B) & Hot(A) -> Hot(B)", "2: Hot('a')"]{}
}})json",
                      options,
                      members));
  }

  // Both stream and document would have it.
  std::string mistakes(const std::string& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << '\n' << outcome.out;
    return outcome.err;
  }
};

constexpr const char* kMarkov = " --semantics markov-logic";

TEST_F(SettingsOfAModel, AnOptionByTwoNamesIsTold) {
  write_with(R"("learn.step_size": 0.1, "gradientdescent.stepsize": 0.2)", R"(, "infer": {})");
  for (const char* command : {"check model.json",
                              "infer model.json",
                              "learn model.json --epochs 1",
                              "run model.json -D runtime.learn=false",
                              "ground model.json",
                              "estimate model.json",
                              "explain model.json --rule 1"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 0) << command << outcome.err;
    EXPECT_THAT(outcome.err,
                HasSubstr("model.json:3:29: warning: `gradientdescent.stepsize` has no"))
        << command;
    const std::string& said = outcome.err;
    EXPECT_EQ(said.find("has no effect"), said.rfind("has no effect")) << command;
  }
}

TEST_F(SettingsOfAModel, ANetworkOptionByTwoNamesIsTold) {
  write("x.tsv", "a\t1\nb\t2\n");
  write("model.json", R"json({
  "predicates": {
    "Net/2": {"type": "DeepPredicate", "options": {
      "class-size": 2, "features": "x.tsv",
      "learning::entity-data-map-path": "y.tsv", "entity-data-map-path": "z.tsv"
    }},
    "Is/2": {"targets": [["a", "0"], ["a", "1"]]}
  },
  "rules": ["1: Net(I, C) = Is(I, C)"]
})json");
  for (const char* command : {"check", "infer", "ground", "estimate"}) {
    EXPECT_THAT(run(fmt::format("{} model.json", command)).err,
                HasSubstr("model.json:5:74: warning: `entity-data-map-path` has no effect: "
                          "`features`, another name of it, counts first"))
        << command;
  }
}

TEST_F(SettingsOfAModel, TheFlagForOutputWinsOverTheOption) {
  const std::string without = " -D runtime.inference.output.results=false --quiet";
  EXPECT_EQ(run("infer model.json --output one" + without).exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "one/HOT.txt"));
  EXPECT_EQ(run("run model.json --output two" + without).exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "two/HOT.txt"));
}

TEST_F(SettingsOfAModel, NoTargetsAreClosedByAnOption) {
  write_with(R"("meanfield.closed": "Friend Hot")");
  const std::string said = mistakes(std::string("infer model.json") + kMarkov);
  EXPECT_THAT(said, HasSubstr("model.json:7: error:"));
  EXPECT_THAT(said,
              HasSubstr("`meanfield.closed` names `Hot`, so none of its atoms can be unknown"));
  EXPECT_THAT(said, HasSubstr("model.json:3:"));
}

TEST_F(SettingsOfAModel, FlagsThatWouldDoNothingAreRefused) {
  EXPECT_THAT(mistakes("infer model.json --values"), HasSubstr("--values requires --json"));
  EXPECT_THAT(mistakes("explain model.json --rule 1 --limit -1"),
              HasSubstr("takes a whole number that is not negative, not `-1`"));
  EXPECT_THAT(mistakes("explain model.json --rule 1 --limit 99999999999999999999"),
              HasSubstr("takes a whole number that is not negative"));
  EXPECT_THAT(mistakes("estimate model.json --time-limit -1"),
              HasSubstr("--time-limit: takes a positive number, not `-1`"));
}

TEST_F(SettingsOfAModel, EstimatesSayWhatMakesARuleLarge) {
  EXPECT_THAT(run("estimate model.json --verbose").out,
              StartsWith("rule 1: 1: Friend(A, B) & Hot(A) -> Hot(B)\n  "));
}

TEST_F(SettingsOfAModel, ChoicesCountInAnyCase) {
  EXPECT_EQ(run("learn model.json -D learn.loss=Squared_Error:2,ENERGY --epochs 1").exit_code, 0);
  EXPECT_EQ(run("infer model.json --output out --phase INFER").exit_code, 0);
  EXPECT_THAT(run("eval model.json --results out --evaluator discreteevaluator").out,
              HasSubstr("accuracy"));
}

TEST_F(SettingsOfAModel, ASearchWithoutAPositiveWeightHasAPlace) {
  write_with(R"("gridsearch.weights": "0:0")");
  const std::string said = mistakes("learn model.json --algorithm grid-search");
  EXPECT_THAT(said, HasSubstr("model.json:3:"));
  EXPECT_THAT(said, HasSubstr("`gridsearch.weights` holds no positive weight"));
  EXPECT_THAT(mistakes("learn model.json --algorithm hyperband -D learn.search.grid=1 -D "
                       "learn.search.hyperband_brackets=99"),
              HasSubstr("`learn.search.hyperband_brackets` asks for more points"));
}

TEST_F(SettingsOfAModel, WarnsOfOptionsOfAnotherAlgorithm) {
  const auto warns = [&](const std::string& flags, const char* option, const char* algorithm) {
    const Outcome outcome = run("learn model.json --no-eval " + flags);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(
        outcome.err,
        HasSubstr(fmt::format("`{}` has no effect with the algorithm `{}`", option, algorithm)))
        << flags;
    return outcome.err;
  };
  const std::string grid = "--algorithm grid-search -D learn.search.grid=0.1:1 ";
  EXPECT_THAT(warns(grid + "--epochs 5", "learn.max_epochs", "grid-search"),
              HasSubstr("it is for gradient, bilevel, gradient-following, policy"));
  warns(grid + "--step-size 9", "learn.step_size", "grid-search");
  warns(grid + "--schedule inverse", "learn.schedule", "grid-search");
  warns(grid + "-D GradientDescent.StepSize=9", "GradientDescent.StepSize", "grid-search");
  warns(grid + "-D learn.l2=1", "learn.l2", "grid-search");
  warns(grid + "-D learn.search.gp_scale=1", "learn.search.gp_scale", "grid-search");
  for (const char* option : {"learn.bilevel.relaxation=0.1",
                             "learn.search.grid=0.1:1",
                             "learn.policy.draws=4",
                             "learn.following_step=0.5"}) {
    const std::string name(option, std::string_view(option).find('='));
    warns(fmt::format("--epochs 1 -D {}", option), name.c_str(), "gradient");
  }
  EXPECT_THAT(run("learn model.json --epochs 2 --step-size 0.1 --loss energy").err,
              Not(HasSubstr("has no effect")));
  EXPECT_THAT(run("learn model.json " + grid + "--loss energy").err,
              Not(HasSubstr("has no effect")));
  // Nobody asked for what the model file has for another algorithm.
  write_with(R"("learn.step_size": 0.5, "learn.policy.draws": 3)");
  EXPECT_THAT(run("learn model.json " + grid).err, Not(HasSubstr("has no effect")));
}

TEST_F(SettingsOfAModel, ASearchByAMetricWarnsOfALoss) {
  const std::string search =
      "learn model.json --no-eval --algorithm grid-search -D learn.search.grid=0.1:1 "
      "--loss energy";
  const std::string model = read("model.json");
  const std::string targets = R"("Hot/1": {)";
  write("model.json",
        std::string(model).replace(model.find(targets),
                                   targets.size(),
                                   targets + R"("evaluations": ["DiscreteEvaluator"], )"));
  EXPECT_THAT(run(search).err,
              HasSubstr("`learn.loss` has no effect with the algorithm `grid-search`"));
}

TEST_F(SettingsOfAModel, AChoiceOfOneHasAPlace) {
  write("model.json", R"json({
  "predicates": {
    "P/2": {"targets": [["a", "x"], ["b", "x"]], "exactly-one": [1]}
  },
  "rules": ["1: P(X, Y)"]
})json");
  const std::string said = mistakes(std::string("infer model.json") + kMarkov);
  EXPECT_THAT(said, HasSubstr("model.json:3:5: error: exactly one atom of `P` is to be true"));
  EXPECT_THAT(said, HasSubstr("one value alone, `x`"));
  EXPECT_THAT(said, HasSubstr("or observe the atoms instead"));
}

TEST_F(SettingsOfAModel, HintsCanBeFollowed) {
  write_with("", R"(, "infer": {"rules": ["Hot('a') .", "!Hot('a') ."]})");
  const std::string exact = run(std::string("infer model.json --method exact") + kMarkov).err;
  EXPECT_THAT(exact, AllOf(HasSubstr("give one of the rules a weight"), Not(HasSubstr("--set"))));
  const std::string hinge = run("infer model.json").err;
  EXPECT_THAT(hinge, HasSubstr("`--set inference.relax=true`"));
}

TEST_F(SettingsOfAModel, NegativeWeightsAreNoneOfASimplex) {
  fs::create_directories(folder_ / "mln");
  write("mln/predicates", "friend(person, person)\nsmokes(person)\n");
  write("mln/facts", "friend(A, B)\nsmokes(A)\n!smokes(C)\nfriend(C, B)\n");
  write("mln/rules", "1 friend(x, y) ^ smokes(x) => smokes(y)\n-0.5 smokes(x)\n");
  const std::string said = mistakes("learn mln --domain softmax-simplex");
  EXPECT_THAT(said, HasSubstr("rules:2:"));
  EXPECT_THAT(said, HasSubstr("this rule has the weight -0.5"));
  EXPECT_THAT(said, HasSubstr("take the domain `real`"));
}

TEST_F(SettingsOfAModel, CheckFindsWhereInferenceWouldStop) {
  write_with("", R"json(, "infer": {"rules": ["Hot(A) -> Hot(B) ."]})json");
  for (const char* options : {" --semantics markov-logic -D inference.method=gibbs",
                              " --semantics markov-logic -D meanfield.max_bytes=10",
                              " --semantics markov-logic -D meanfield.closed=Cold"}) {
    const std::string said = mistakes(std::string("check model.json") + options);
    const std::string error = said.substr(0, said.find('\n'));
    EXPECT_EQ(mistakes(std::string("infer model.json") + options).substr(0, error.size()), error);
  }
  EXPECT_THAT(run("check model.json --semantics markov-logic -D inference.method=mc-sat").err,
              IsEmpty());
}

TEST_F(SettingsOfAModel, CheckFindsWhereLearningWouldStop) {
  write_with("", R"json(, "learn": {"rules": ["1: !Hot(A)"]})json");
  for (const char* options : {"-D learn.fixed_rules=99",
                              "-D learn.algorithm=policy",
                              "-D learn.loss=metric",
                              "-D learn.domain=real",
                              "-D learn.rules=none"}) {
    std::string said = mistakes(fmt::format("check model.json {}", options));
    said.erase(said.rfind("model.json: "));  // how many there are
    EXPECT_THAT(mistakes(fmt::format("learn model.json {}", options)), StartsWith(said));
  }
}

TEST_F(SettingsOfAModel, RulesOfPslAreNoMarkovLogicToBeWritten) {
  EXPECT_THAT(mistakes("learn model.json --epochs 1 --output learned.mln"),
              AllOf(HasSubstr("are not written in the language of Markov logic"),
                    HasSubstr("*.psl"),
                    HasSubstr("[unknown-model-format]")));
}

}  // namespace
}  // namespace sorites
