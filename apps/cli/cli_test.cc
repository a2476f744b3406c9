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
#include <sstream>
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

class CommandLine : public ProgramFolder {
 protected:
  void write_model() const {
    write("model.json", R"json({
  "predicates": {
    "Likes/2": {"observations": {"all": [["ann", "tea"]], "learn": [["bob", "tea"]]}},
    "Knows/2": {
      "targets": {"learn": [["ann", "bob"]], "infer": [["ann", "cid"]]}, "truth": {"learn": [["ann", "bob"]]}}
  },
  "rules": ["1.50: Likes(A, X) & Likes(B, X) -> Knows(A, B) ^2", "Knows(A, +B) <= 1 ."],
  "learn": {"rules": ["2: !Knows(A, B)"]},
  "options": {"pam.throw": false}
})json");
  }

  void write_wrong_model() const {
    write("wrong.json",
          "{\"predicates\": {\"Knows/2\": {\"targets\": [[\"a\", \"b\"]]}},\n"
          " \"options\": {\"sgd.maxiterations\": 5},\n"
          " \"rules\": [\"1: !Knws(A, B)\"]}\n");
  }
};

TEST_F(CommandLine, SumsUpAModelWithoutMistakes) {
  write_model();
  const Outcome outcome = run("check model.json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, StartsWith("model.json: no mistakes\n\nlearn\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  Likes/2    closed         2         -         -\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  Knows/2    open           -         1         1\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("  3 rules: 2 weighted, 1 hard; 2 logical, 1 arithmetic\n\ninfer\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n6 rows, "));
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
  EXPECT_GE(document["seconds"]["total"].get<double>(), 0);
  ASSERT_EQ(document["phases"].size(), 1U);
  const auto& phase = document["phases"][0];
  EXPECT_EQ(phase["predicates"][0]["rows"]["observations"], 1);
  EXPECT_EQ(phase["predicates"][1]["open"], true);
  EXPECT_GT(phase["memory_bytes"].get<int>(), 0);
  const auto& rule = phase["rules"][0];
  EXPECT_EQ(rule["text"], "1.5: Likes(A, X) & Likes(B, X) -> Knows(A, B) ^2");
  EXPECT_EQ(rule["line"], 7);
  EXPECT_EQ(rule["weight"], 1.5);
  EXPECT_EQ(rule["squared"], true);
  EXPECT_EQ(rule["kind"], "logical");
  EXPECT_TRUE(phase["rules"][1]["weight"].is_null());
}

TEST_F(CommandLine, ValidationWithoutRulesOfItsOwnShowsNone) {
  write("model.json", R"json({
  "predicates": {"Knows/2": {"targets": {"learn": [["a", "b"]], "validation": [["b", "a"]]},
                             "truth": {"learn": [["a", "b"]], "validation": [["b", "a"]]}}},
  "learn": {"rules": ["2: !Knows(A, B)"]}
})json");
  const Outcome outcome = run("check model.json");
  EXPECT_THAT(outcome.out, HasSubstr("\nvalidation\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("0 rules")));
}

TEST_F(CommandLine, TakesTruthFromTheColumnOfLabels) {
  write("features.tsv", "a\ttrain\t0.5\tcat\nb\ttest\t0.1\tdog\nc\ttest\t0.2\tdog\n");
  write("model.json", R"json({
  "predicates": {
    "Looks/2": {
      "type": "DeepPredicate",
      "targets": {"learn": [["a", "cat"], ["a", "dog"]]},
      "options": {"network": "mlp", "features": "features.tsv", "classes": ["cat", "dog"],
                  "skip-columns": [0], "label-column": -1}
    }
  },
  "rules": ["1: !Looks(I, C)"]
})json");
  const Outcome outcome = run("check model.json --json -D runtime.inference=true");
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document["ok"], true) << outcome.out;
  ASSERT_EQ(document["phases"].size(), 2U);
  EXPECT_EQ(document["phases"][0]["predicates"][0]["rows"]["truth"], 1);
  EXPECT_EQ(document["phases"][1]["predicates"][0]["rows"]["targets"], 6);
  EXPECT_EQ(document["phases"][1]["predicates"][0]["rows"]["truth"], 3);
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

TEST_F(CommandLine, ReadsModelsFromStandardInput) {
  write_model();
  EXPECT_THAT(run("check - <model.json").out, StartsWith("<text>: no mistakes\n\nlearn\n"));
  EXPECT_EQ(run("ground - <model.json").exit_code, 0);
  EXPECT_EQ(run("estimate - --json <model.json").exit_code, 0);
  EXPECT_THAT(run("explain - 'Knows(ann, cid)' <model.json").out, HasSubstr("Knows('ann', 'cid')"));
  write("wrong.json", "{\"predicates\": {},\n \"options\": {\"inference.gapp\": 1}}\n");
  for (const char* command : {"check", "infer"}) {
    const Outcome wrong = run(std::string(command) + " - <wrong.json");
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("<text>:2:14: error: there is no option `inference.gapp`"));
  }
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
  EXPECT_THAT(run("completion bash").out,
              AllOf(HasSubstr("inference.gap="), HasSubstr("guided-search hyperband")));
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

class InferCommand : public CommandLine {
 protected:
  InferCommand() {
    write("model.json", R"json({
  "predicates": {
    "Likes/2": {"observations": [["ann", "tea"], ["bob", "tea"]]},
    "Knows/2": {
      "targets": [["ann", "bob"], ["bob", "ann"]],
      "truth": [["ann", "bob", 1], ["bob", "ann", 0]],
      "evaluations": ["DiscreteEvaluator"]
    }
  },
  "rules": [
    "3: Likes(A, X) & Likes(B, X) & (A != B) -> Knows(A, B) ^2",
    "1: !Knows(A, B) ^2"
  ]
})json");
  }

  // A chain whose optimum has no short decimals: with a gap of 0 there is always something to do.
  void write_endless_model() const {
    std::string targets, edges, locals;
    for (int i = 0; i < 300; ++i) {
      const char* comma = i == 0 ? "" : ", ";
      targets += fmt::format(R"({}["{}"])", comma, i);
      locals += fmt::format(R"({}["{}", 0.{}])", comma, i, (i * 53) % 89 + 10);
      edges +=
          fmt::format(R"({}["{}", "{}", 0.{}])", comma, i, (i * 7 + 1) % 300, i * 37 % 89 + 10);
    }
    write("endless.json",
          fmt::format(R"json({{
  "predicates": {{
    "Edge/2": {{"observations": [{}]}},
    "Local/1": {{"observations": [{}]}},
    "X/1": {{"targets": [{}]}}
  }},
  "rules": ["3: Edge(A, B) & X(A) -> X(B) ^2", "2: Local(A) -> X(A) ^2", "1: X(A) -> Local(A) ^2",
            "X(+A) <= 100 ."]
}})json",
                      edges,
                      locals,
                      targets));
  }
};

TEST_F(InferCommand, PrintsOneDocumentWithTheResult) {
  const Outcome outcome = run("infer model.json --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document["status"], "optimal");
  EXPECT_NEAR(document["objective"].get<double>(), 0.5, 1e-4);  // 2 (1 - y)^2 + 2/3 y^2 at 3/4
  EXPECT_LE(document["lower_bound"].get<double>(), document["objective"].get<double>());
  EXPECT_LE(document["relative_gap"].get<double>(), 1e-4);
  EXPECT_EQ(document["max_violation"], 0.0);
  EXPECT_EQ(document["atoms"], 2);
  EXPECT_EQ(document["terms"], 4);
  EXPECT_EQ(document["weight_scale"], 3.0);
  ASSERT_EQ(document["rules"].size(), 2U);
  EXPECT_EQ(document["rules"][1]["text"], "1: !Knows(A, B) ^2");
  EXPECT_EQ(document["rules"][1]["line"], 12);
  EXPECT_EQ(document["rules"][1]["terms"], 2);
  EXPECT_EQ(document["rules"][1]["satisfied"], 0);
  EXPECT_NEAR(document["rules"][1]["energy"].get<double>(), 0.375, 1e-3);
  EXPECT_EQ(document["metrics"]["KNOWS"]["accuracy"], 0.5);
  EXPECT_TRUE(document["solver"]["name"].is_string());
  EXPECT_TRUE(document["solver"]["iterations"].is_number());
  for (const char* stage : {"load", "ground", "solve", "evaluate", "total"}) {
    EXPECT_TRUE(document["seconds"][stage].is_number()) << stage;
  }
  EXPECT_GT(document["peak_memory_bytes"].get<double>(), 0.0);
}

TEST_F(InferCommand, SummarisesTheResultBesideTheAtoms) {
  const Outcome outcome = run("infer model.json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "Knows('ann', 'bob') = 0.7500\nKnows('bob', 'ann') = 0.7500\n");
  for (const char* part : {"status     optimal",
                           "objective  0.5 with",
                           "1.5 with those as written",
                           "bound",
                           "violation",
                           "presolve",
                           "accuracy 0.5",
                           "time",
                           "memory"}) {
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
}

TEST_F(InferCommand, WritesFilesThatEvalReads) {
  const Outcome outcome = run("infer model.json --output results");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("results    results"));
  EXPECT_THAT(read("results/KNOWS.txt"), StartsWith("ann\tbob\t0.7"));
  const Outcome eval = run("eval model.json --results results --json");
  EXPECT_EQ(nlohmann::json::parse(eval.out)["metrics"]["KNOWS"]["accuracy"], 0.5);
}

TEST_F(InferCommand, TheModelMayNameTheFolder) {
  run("infer model.json --quiet -D runtime.inference.output.results.dir=there");
  EXPECT_TRUE(fs::exists(folder_ / "there/KNOWS.txt"));
  EXPECT_THAT(run("infer model.json -D runtime.inference.output.results=false").out,
              Not(HasSubstr("Knows('ann'")));
}

TEST_F(InferCommand, StartsFromAStateAtOnce) {
  EXPECT_EQ(run("infer model.json --quiet --save-state model.state").exit_code, 0);
  const Outcome again = run("infer model.json --json --warm-start model.state");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["solver"]["iterations"], 0);
  std::string state = read("model.state");
  write("cut.state", state.substr(0, state.size() - 1));
  const Outcome cut = run("infer model.json --warm-start cut.state");
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.err, HasSubstr("cut.state: error: the state cannot be used: it is cut off"));
}

TEST_F(InferCommand, WritesTheEnergyOfEveryConnectedComponent) {
  // A chain of two, whose truth the rules do not believe, and one alone, whose truth is not known.
  write("model.json", R"json({
  "predicates": {
    "Next/2": {"observations": [["a", "b"]]},
    "Says/1": {"observations": [["a", 1], ["b", 0.5], ["c", 0.25]]},
    "X/1": {"targets": [["a"], ["b"], ["c"]], "truth": [["a", 0], ["b", 1]]}
  },
  "rules": ["4: Says(A) -> X(A) ^2", "2: X(A) -> Says(A)", "2: Next(A, B) & X(A) -> X(B) ^2"]
})json");
  const Outcome outcome = run("infer model.json --json --values --energies energies.tsv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto document = nlohmann::json::parse(outcome.out);
  std::istringstream file(read("energies.tsv"));
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "energy\tviolation\tground_rules\ttargets\ttruth_energy\tatom");
  std::vector<std::vector<std::string>> rows;
  while (std::getline(file, line)) {
    std::vector<std::string>& cells = rows.emplace_back(1);
    for (const char c : line) c == '\t' ? (void)cells.emplace_back() : cells.back().push_back(c);
  }
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].back(), "X('a')");
  EXPECT_EQ(rows[0][2], "4");  // `X(a) -> Says(a)` holds whatever X(a) is
  EXPECT_EQ(rows[0][3], "2");
  EXPECT_NEAR(std::stod(rows[0][4]), 4.0 + 2.0 * 0.5, 1e-9);  // a: 4 (1 - 0)^2, b: 2 (1 - 0.5)
  EXPECT_EQ(rows[1].back(), "X('c')");
  EXPECT_EQ(rows[1][4], "");
  EXPECT_NEAR(std::stod(rows[0][0]) + std::stod(rows[1][0]),
              document["objective"].get<double>() * document["weight_scale"].get<double>(),
              1e-6);
  EXPECT_GT(std::stod(rows[0][0]), std::stod(rows[1][0]));
  const Outcome nowhere = run("infer model.json --energies nowhere/energies.tsv");
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("nowhere/energies.tsv"));
  write("model.json", R"json({
  "predicates": {"Says/1": {"observations": [["a", 1]]}, "X/1": {"targets": [["a"]]}},
  "rules": ["4: Says(A) -> X(A)"]
})json");
  const Outcome markov = run("infer model.json --semantics markov-logic --energies energies.tsv");
  EXPECT_EQ(markov.exit_code, 2);
  EXPECT_THAT(markov.err, HasSubstr("energy per ground component"));
}

TEST_F(InferCommand, LoadsASnapshotInsteadOfGrounding) {
  run("ground model.json --quiet --snapshot model.ground");
  EXPECT_EQ(run("infer model.json --quiet --from-snapshot model.ground").out,
            run("infer model.json --quiet").out);
}

TEST_F(InferCommand, ASnapshotRemembersWhatBecameOfMissingTargets) {
  write("missing.json", R"json({
  "predicates": {
    "Likes/2": {"observations": [["ann", "tea"], ["bob", "tea"]]},
    "Knows/2": {"targets": [["ann", "bob"]]}
  },
  "rules": ["1: Likes(A, X) & Likes(B, X) & Knows(A, B) -> Knows(B, A)", "1: Knows(A, B)"]
})json");
  run("ground missing.json --quiet --on-missing-target zero --snapshot zero.ground");
  const std::string from = "infer missing.json --quiet --from-snapshot ";
  EXPECT_EQ(run(from + "zero.ground --on-missing-target zero").exit_code, 0);
  for (const char* other : {"", " --on-missing-target skip"}) {
    const Outcome outcome = run(from + "zero.ground" + other);
    EXPECT_EQ(outcome.exit_code, 2) << other;
    EXPECT_THAT(outcome.err, HasSubstr("another --on-missing-target"));
  }
  // Where nothing is missing, there is nothing to remember.
  run("ground model.json --quiet --snapshot model.ground");
  EXPECT_EQ(run("infer model.json --quiet --from-snapshot model.ground --on-missing-target zero")
                .exit_code,
            0);
}

TEST_F(InferCommand, SaysThatALimitWasReachedAndKeepsTheResult) {
  write_endless_model();
  const Outcome outcome =
      run("infer endless.json --gap 0 --solver admm --max-iterations 3 --output results");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("NOT OPTIMAL (iteration_limit)"));
  EXPECT_TRUE(fs::exists(folder_ / "results/X.txt"));
  const Outcome timed =
      run("infer endless.json --gap 0 --solver admm --max-iterations 4000000000 --time-limit 0.1 "
          "--json");
  EXPECT_EQ(timed.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(timed.out)["status"], "time_limit");
}

TEST_F(InferCommand, StopsCleanlyWhenInterruptedAndKeepsTheResult) {
  write_endless_model();
  const std::string command = fmt::format(
      "cd '{}' && timeout --foreground --preserve-status -s INT 0.5 '{}' infer "
      "endless.json --gap 0 --solver admm --max-iterations 4000000000 --output results --json > "
      "out.txt",
      folder_.string(),
      SORITES_PROGRAM);
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(nlohmann::json::parse(read("out.txt"))["status"], "interrupted");
  EXPECT_TRUE(fs::exists(folder_ / "results/X.txt"));
}

TEST_F(InferCommand, ExplainsFromASavedState) {
  run("infer model.json --quiet --save-state model.state");
  const Outcome outcome =
      run("explain model.json --warm-start model.state --atom \"Knows(ann, bob)\" --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto atom = nlohmann::json::parse(outcome.out)["atoms"][0];
  EXPECT_NEAR(atom["value"].get<double>(), 0.75, 1e-3);
  EXPECT_NEAR(atom["force_up"].get<double>(), atom["force_down"].get<double>(), 1e-2);
  EXPECT_EQ(atom["up"][0]["facts"].size(), 2U);
}

}  // namespace
}  // namespace sorites
