// No output replaces a file that the program reads.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "program_folder.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class InputFiles : public ProgramFolder {
 protected:
  void write_model() const {
    write("model.json",
          R"json({"predicates": {
  "Likes/1": {"observations": [["ann"], ["bob"]]},
  "Knows/1": {"targets": [["ann"], ["bob"]], "truth": {"learn": [["ann", 1], ["bob", 0]]}}},
  "rules": ["1.5: Likes(A) -> Knows(A) ^2", "1: !Knows(A)"]})json");
  }
};

TEST_F(InputFiles, LearnsIntoNoFileThatItReads) {
  write_model();
  const std::string before = read("model.json");
  write("rules.psl", "1: !P(A)\n");
  write("p.txt", "a\n");
  write("rules.data", "predicates:\n  P/1: open\ntargets:\n  P: p.txt\n");
  fs::create_symlink("model.json", folder_ / "link.json");
  for (const char* arguments : {"learn model.json --output model.json",
                                "learn model.json --output ./link.json",
                                "learn model.json --plot model.svg --output model.svg",
                                "learn rules.psl --data rules.data --output rules.psl"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr("[output-is-input]")) << arguments;
  }
  EXPECT_EQ(read("model.json"), before);
}

TEST_F(InputFiles, ReplacesNoFileThatTheModelIsReadFrom) {
  write("t.txt", "a\nb\n");
  write("K.txt", "a\nb\n");
  write("m.json", R"json({
  "predicates": {"L/1": {"observations": ["t.txt"]}, "K/1": {"targets": ["K.txt"]}},
  "rules": ["1: L(A) -> K(A)", "1: !K(A)"]
})json");
  for (const char* command : {"infer m.json --energies t.txt",
                              "infer m.json --save-state m.json",
                              "infer m.json --output .",
                              "ground m.json --rules-out t.txt",
                              "ground m.json --snapshot t.txt",
                              "ground m.json --snapshot g --rules-out g",
                              "run m.json --groundrules t.txt"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr("[output-is-input]")) << command;
  }
  EXPECT_EQ(read("t.txt"), "a\nb\n");
  const Outcome nowhere = run("run m.json --groundrules no/g");
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("cannot write"));
}

TEST_F(InputFiles, ReplacesNoFileOfMarkovLogic) {
  fs::create_directories(folder_ / "sm");
  write("sm/predicates", "smokes(person)\n");
  write("sm/facts", "smokes(Ann)\n!smokes(Bob)\n");
  write("sm/rules", "0.5 smokes(x)\n");
  write("sm/queries", "smokes(Cid)\n");
  write("sm/unaries", "smokes(Cid) 0.25\n");
  write("base.mln", "smokes(person)\n0.5 smokes(x)\n");
  write("in.mln", "#include \"base.mln\"\n1 !smokes(x)\n");
  write("in.db", "smokes(Ann)\n!smokes(Bob)\n? smokes(Cid)\n");
  write("in.unaries", "smokes(Cid) 0.25\n");
  const std::vector<std::string> files = {"sm/predicates",
                                          "sm/facts",
                                          "sm/rules",
                                          "sm/queries",
                                          "sm/unaries",
                                          "base.mln",
                                          "in.mln",
                                          "in.db",
                                          "in.unaries"};
  for (const std::string& file : files) {
    const std::string before = read(file);
    const std::string model = file.starts_with("sm/") ? "sm" : "in.mln";
    for (const char* command : {"ground {} --rules-out {}",
                                "learn {} --save-state {} --epochs 1",
                                "learn {} --output {} --epochs 1"}) {
      const Outcome outcome = run(fmt::format(fmt::runtime(command), model, file));
      EXPECT_EQ(outcome.exit_code, 2) << command << " " << file;
      EXPECT_THAT(outcome.err, HasSubstr("[output-is-input]")) << command << " " << file;
    }
    EXPECT_EQ(read(file), before);
  }
  write("other.mln", "#include \"rules\"\n1 !smokes(x)\n");
  write("rules", "smokes(person)\n");
  EXPECT_EQ(run("learn other.mln --data in.db --output . --epochs 1").exit_code, 2)
      << "the folder has a file that the model includes";
  EXPECT_EQ(run("learn in.mln --output out.mln --epochs 1").exit_code, 0);
}

TEST_F(InputFiles, ReplacesNoFileThatTheCallIsToRead) {
  write_model();
  ASSERT_EQ(run("infer model.json --save-state st").exit_code, 0);
  ASSERT_EQ(run("ground model.json --snapshot sn").exit_code, 0);
  ASSERT_EQ(run("learn model.json --save-state ls --epochs 1").exit_code, 0);
  const std::string state = read("st"), snapshot = read("sn"), learned = read("ls");
  for (const char* command : {"infer model.json --warm-start st --energies st",
                              "infer model.json --from-snapshot sn --energies sn",
                              "infer model.json --from-snapshot sn --save-state sn",
                              "ground model.json --from-snapshot sn --rules-out sn",
                              "learn model.json --resume ls --output ls"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr("[output-is-input]")) << command;
  }
  EXPECT_EQ(read("st"), state);
  EXPECT_EQ(read("sn"), snapshot);
  EXPECT_EQ(read("ls"), learned);
  EXPECT_EQ(run("infer model.json --warm-start st --save-state st").exit_code, 0);
  EXPECT_EQ(run("ground model.json --from-snapshot sn --snapshot sn").exit_code, 0);
  EXPECT_EQ(run("learn model.json --resume ls --save-state ls --epochs 2").exit_code, 0);
}

}  // namespace
}  // namespace sorites
