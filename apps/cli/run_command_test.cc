// Runs `sorites run` as scripts for PSL call its jar.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program_folder.h"

namespace sorites {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

class RunCommand : public ProgramFolder {
 protected:
  RunCommand() {
    write("model.json", R"json({
  "predicates": {
    "Friend/2": {"observations": [["a", "b"], ["c", "d"], ["e", "f"]]},
    "Smokes/1": {
      "observations": [["a", 1], ["c", 0], ["e", 1]],
      "targets": {"learn": [["b"], ["d"]], "infer": [["f"]]},
      "truth": {"learn": [["b", 1], ["d", 0]], "infer": [["f", 1]]},
      "evaluations": ["ContinuousEvaluator"]
    }
  },
  "options": {"pam.throw": false},
  "rules": ["1: Friend(A, B) & Smokes(A) -> Smokes(B) ^2", "1: !Smokes(A) ^2"]
})json");
    write("rules.psl", "1: Friend(A, B) & Smokes(A) -> Smokes(B) ^2\n1: !Smokes(A) ^2\n");
    write("rules.data",
          "predicates:\n  Friend/2: closed\n  Smokes/1: open\n"
          "observations:\n  Friend: friend.txt\n  Smokes: smokes.txt\n"
          "targets:\n  Smokes: targets.txt\ntruth:\n  Smokes: truth.txt\n");
    write("friend.txt", "a\tb\nc\td\n");
    write("smokes.txt", "a\t1\nc\t0\n");
    write("targets.txt", "b\nd\n");
    write("truth.txt", "b\t1\nd\t0\n");
  }

  Json document(const std::string& arguments) const {
    const Outcome outcome = run("run --json " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    return Json::parse(outcome.out);
  }
};

TEST_F(RunCommand, LearnsThenInfersWithWhatItLearned) {
  const Json ran = document("model.json");
  EXPECT_GT(ran["learn"]["rules"][0]["weight"], ran["learn"]["rules"][1]["weight"]);
  const double error = ran["infer"]["metrics"]["SMOKES"]["mae"];
  const Json inferred = Json::parse(run("infer model.json --json").out);
  EXPECT_LT(error, inferred["metrics"]["SMOKES"]["mae"].get<double>());
}

TEST_F(RunCommand, DoesWhatTheOptionsOfPslSay) {
  const Json ran = document("-c model.json -D runtime.learn=false --output results");
  EXPECT_TRUE(ran["learn"].is_null());
  EXPECT_THAT(read("results/SMOKES.txt"), HasSubstr("f\t0.5"));
  EXPECT_TRUE(document("--infer --config model.json -D runtime.learn=false")["learn"].is_null());
  EXPECT_TRUE(document("model.json -D runtime.inference=false")["infer"].is_null());
}

TEST_F(RunCommand, TakesARuleFileAndItsDataAsOlderVersionsDid) {
  const Outcome outcome =
      run("run --infer --model rules.psl --data rules.data --output out --groundrules ground.txt "
          "--eval ContinuousEvaluator DiscreteEvaluator");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("mae"));
  EXPECT_THAT(outcome.out, HasSubstr("accuracy"));
  EXPECT_THAT(read("out/SMOKES.txt"), HasSubstr("b\t0.5"));
  EXPECT_THAT(read("ground.txt"), HasSubstr("SMOKES('b')"));
  EXPECT_EQ(run("run --learn --model rules.psl --data rules.data").exit_code, 0);
  EXPECT_THAT(read("rules-learned.psl"), HasSubstr("Friend(A, B)"));
  EXPECT_THAT(read("rules-learned.psl"), Not(HasSubstr("1: Friend")));
}

TEST_F(RunCommand, PrintsGroundRulesWhereNoFileIsNamed) {
  const Outcome outcome =
      run("run model.json -D runtime.learn=false --output out --groundrules --log DEBUG");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("SMOKES('f')"));
  EXPECT_THAT(outcome.err, HasSubstr("without effect: `runtime.log.level`"));
}

TEST_F(RunCommand, ReadsItsModelOnce) {
  const Json ran = document("- < model.json");
  const Json expected = document("model.json");
  EXPECT_EQ(ran["infer"]["metrics"], expected["infer"]["metrics"]);
  EXPECT_EQ(ran["learn"]["rules"][0]["weight"], expected["learn"]["rules"][0]["weight"]);
}

TEST_F(RunCommand, EvaluatesWithoutAFolderForFilesOfARun) {
  ::setenv("TMPDIR", "/nowhere", 1);
  const Json ran = document("model.json -D runtime.learn=false --eval DiscreteEvaluator");
  ::unsetenv("TMPDIR");
  EXPECT_TRUE(ran["metrics"]["SMOKES"].contains("accuracy")) << ran;
}

TEST_F(RunCommand, WantsOneModel) {
  EXPECT_EQ(run("run").exit_code, 2);
  EXPECT_EQ(run("run model.json --model rules.psl").exit_code, 2);
  EXPECT_EQ(run("run --infer model.json -D runtime.learn=false").exit_code, 0);
}

}  // namespace
}  // namespace sorites
