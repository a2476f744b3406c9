// Runs the program and looks at what it prints and returns.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

struct Outcome {
  int exit_code = 0;
  std::string out, err;
};

class CommandLine : public testing::Test {
 protected:
  CommandLine() { fs::create_directories(folder_); }
  ~CommandLine() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  // A shell line in the folder, with `sorites` as the program.
  Outcome run(const std::string& arguments) const {
    const std::string command = fmt::format(
        "cd '{}' && '{}' {} >out.txt 2>err.txt", folder_.string(), SORITES_PROGRAM, arguments);
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read("out.txt"), read("err.txt")};
  }

  void write_model() const {
    write("model.json", R"json({
  "predicates": {
    "Likes/2": {"observations": {"all": [["ann", "tea"]], "learn": [["bob", "tea"]]}},
    "Knows/2": {"targets": {"learn": [["ann", "bob"]], "infer": [["ann", "cid"]]}}
  },
  "rules": ["1.50: Likes(A, X) & Likes(B, X) -> Knows(A, B) ^2", "Knows(A, +B) <= 1 ."],
  "learn": {"rules": ["2: !Knows(A, B)"]}
})json");
  }

  void write_wrong_model() const {
    write("wrong.json",
          "{\"predicates\": {\"Knows/2\": {\"targets\": [[\"a\", \"b\"]]}},\n"
          " \"options\": {\"sgd.maxiterations\": 5},\n"
          " \"rules\": [\"1: !Knws(A, B)\"]}\n");
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("sorites_cli_{}", ::getpid());
};

TEST_F(CommandLine, SumsUpAModelWithoutMistakes) {
  write_model();
  const Outcome outcome = run("check model.json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, StartsWith("model.json: no mistakes\n\nlearn\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  Likes/2    closed         2         -         -\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  Knows/2    open           -         1         -\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("  3 rules: 2 weighted, 1 hard; 2 logical, 1 arithmetic\n\ninfer\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n5 rows, "));
}

TEST_F(CommandLine, PrintsTheRulesOfAllPhasesOnce) {
  write_model();
  EXPECT_EQ(run("check model.json --print").out,
            "1.5: Likes(A, X) & Likes(B, X) -> Knows(A, B) ^2\nKnows(A, +B) <= 1 .\n"
            "2: !Knows(A, B)\n");
  EXPECT_EQ(run("check model.json --print --phase infer").out,
            "1.5: Likes(A, X) & Likes(B, X) -> Knows(A, B) ^2\nKnows(A, +B) <= 1 .\n");
}

TEST_F(CommandLine, GivesTheSameAsOneJsonDocument) {
  write_model();
  const Outcome outcome = run("check model.json --json --phase infer");
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document["ok"], true);
  EXPECT_EQ(document["model"], "model.json");
  EXPECT_THAT(document["diagnostics"], IsEmpty());
  EXPECT_GE(document["seconds"].get<double>(), 0);
  ASSERT_EQ(document["phases"].size(), 1U);
  const auto& phase = document["phases"][0];
  EXPECT_EQ(phase["predicates"][0]["rows"]["observations"], 1);
  EXPECT_EQ(phase["predicates"][1]["open"], true);
  EXPECT_GT(phase["memory_bytes"].get<int>(), 0);
  const auto& rule = phase["rules"][0];
  EXPECT_EQ(rule["text"], "1.5: Likes(A, X) & Likes(B, X) -> Knows(A, B) ^2");
  EXPECT_EQ(rule["line"], 6);
  EXPECT_EQ(rule["weight"], 1.5);
  EXPECT_EQ(rule["squared"], true);
  EXPECT_EQ(rule["kind"], "logical");
  EXPECT_TRUE(phase["rules"][1]["weight"].is_null());
}

TEST_F(CommandLine, PutsDiagnosticsIntoTheJsonDocument) {
  write_wrong_model();
  const Outcome outcome = run("check wrong.json --json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, IsEmpty());
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document["ok"], false);
  ASSERT_EQ(document["diagnostics"].size(), 2U);
  const auto& error = document["diagnostics"][1];
  EXPECT_EQ(error["severity"], "error");
  EXPECT_EQ(error["code"], "unknown-predicate");
  EXPECT_EQ(error["file"], "wrong.json");
  EXPECT_EQ(error["line"], 3);
  EXPECT_EQ(error["column"], 17);
  EXPECT_EQ(error["length"], 4);
  EXPECT_EQ(error["notes"][0]["message"], "did you mean `Knows`?");
}

TEST_F(CommandLine, SaysOnlyErrorsIfQuiet) {
  write_model();
  write_wrong_model();
  const Outcome good = run("check model.json --quiet");
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_THAT(good.out + good.err, IsEmpty());
  const Outcome wrong = run("check wrong.json --quiet");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("[unknown-predicate]"));
  EXPECT_THAT(wrong.err, Not(HasSubstr("[ignored-options]")));
}

TEST_F(CommandLine, ColoursOnlyWhenAsked) {
  write_model();
  write_wrong_model();
  EXPECT_THAT(run("check wrong.json").err, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(run("check wrong.json --color always").err, HasSubstr("\x1b[1;31m"));
  EXPECT_THAT(run("check model.json --color always").out, HasSubstr("\x1b["));
  EXPECT_THAT(run("check model.json --color never").out, Not(HasSubstr("\x1b[")));
}

TEST_F(CommandLine, SetsOptionsInEverySpelling) {
  write("ids.yaml", "predicates: {Old/1: {targets: [['007']]}}\nrules: [\"1: !Old('007')\"]\n");
  EXPECT_EQ(run("check ids.yaml --print").out, "1: !Old('007')\n");
  for (const char* spelling : {"-D runtime.db.intids=true",
                               "-Druntime.db.intids=true",
                               "--set runtime.db.intids=true",
                               "--set=runtime.db.intids=true",
                               "-D runtime.db.intids=false -D runtime.db.intids=true"}) {
    EXPECT_EQ(run(fmt::format("check {} ids.yaml --print", spelling)).out, "1: !Old('7')\n")
        << spelling;
  }
  const Outcome wrong = run("check ids.yaml --set runtime.db.intid=true");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean `runtime.db.intids`?"));
  EXPECT_EQ(run("check ids.yaml --set runtime.db.intids").exit_code, 2);
}

TEST_F(CommandLine, ChecksTheOlderPair) {
  write("old.psl", "1: !Old(A)\n");
  write("old.data", "predicates: {Old/1: open}\n");
  EXPECT_EQ(run("check old.psl --data old.data --print").out, "1: !Old(A)\n");
  const Outcome alone = run("check old.psl");
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("--data old.data"));
}

TEST_F(CommandLine, NamesTheNearestCommandAndFlag) {
  const Outcome command = run("chek model.json");
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_THAT(command.err, HasSubstr("there is no command `chek`; did you mean `check`?"));
  const Outcome flag = run("check --pritn model.json");
  EXPECT_EQ(flag.exit_code, 2);
  EXPECT_THAT(flag.err, HasSubstr("there is no flag `--pritn`; did you mean `--print`?"));
  EXPECT_EQ(run("check").exit_code, 2);
  EXPECT_EQ(run("check a.json b.json").exit_code, 2);
  EXPECT_EQ(run("check a.json --phase x").exit_code, 2);
}

TEST_F(CommandLine, TellsAMissingModel) {
  const Outcome outcome = run("check none.json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("none.json: error: there is no such file or folder"));
}

TEST_F(CommandLine, HelpsWithItselfAndEveryCommand) {
  for (const char* arguments : {"", "--help", "-h"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("sorites check model.json"));
  }
  const Outcome check = run("check --help");
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_THAT(check.out, HasSubstr("Exit codes: 0 done"));
  EXPECT_THAT(run("--version").out, StartsWith("sorites "));
}

TEST_F(CommandLine, PrintsCompletionsThatBashAccepts) {
  EXPECT_THAT(run("completion bash").out, HasSubstr("--print"));
  EXPECT_EQ(std::system(fmt::format("bash -n '{}/out.txt'", folder_.string()).c_str()), 0);
  EXPECT_THAT(run("completion zsh").out, StartsWith("#compdef sorites"));
  EXPECT_THAT(run("completion fish").out, HasSubstr("-l print"));
  EXPECT_EQ(run("completion tcsh").exit_code, 2);
}

TEST_F(CommandLine, CompletesFlagsAndChoicesInBash) {
  run("completion bash");
  const auto complete = [&](const std::string& words, int word) {
    const std::string command = fmt::format(
        "cd '{}' && bash -c 'source out.txt; COMP_WORDS=({}); COMP_CWORD={}; _sorites; "
        "echo \"${{COMPREPLY[@]}}\"' > done.txt",
        folder_.string(),
        words,
        word);
    EXPECT_EQ(std::system(command.c_str()), 0);
    return read("done.txt");
  };
  EXPECT_EQ(complete("sorites ch", 1), "check\n");
  EXPECT_EQ(complete("sorites check --pr", 2), "--print\n");
  EXPECT_EQ(complete("sorites check --phase i", 3), "infer\n");
}

TEST_F(CommandLine, SaysThatTheOutputCannotBeWritten) {
  write_model();
  const std::string command = fmt::format(
      "cd '{}' && '{}' check model.json >/dev/full 2>err.txt", folder_.string(), SORITES_PROGRAM);
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_THAT(read("err.txt"), HasSubstr("cannot write the output"));
}

}  // namespace
}  // namespace sorites
