// What must not happen: data lost in silence, files replaced that nobody meant, a program that does
// not end.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/sanitized.h"
#include "program_folder.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class HostileInput : public ProgramFolder {
 protected:
  // A shell line in the folder; $SORITES is the program.
  Outcome shell(const std::string& line) const {
    const std::string command =
        fmt::format("cd '{}' && export SORITES='{}' && ({}) >out.txt 2>err.txt",
                    folder_.string(),
                    SORITES_PROGRAM,
                    line);
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read("out.txt"), read("err.txt")};
  }

  void write_model() const {
    std::string targets, truth;
    for (int i = 0; i < 500; ++i) {
      targets += fmt::format("{}[\"person {}\"]", i == 0 ? "" : ", ", i);
      truth += fmt::format("{}[\"person {}\", {}]", i == 0 ? "" : ", ", i, i % 2);
    }
    write("model.json",
          fmt::format(R"json({{
  "predicates": {{
    "Likes/1": {{"observations": [["person 1"], ["person 3"]]}},
    "Knows/1": {{"targets": [{}], "truth": {{"learn": [{}]}}}}
  }},
  "rules": ["1.5: Likes(A) -> Knows(A) ^2", "1: !Knows(A)"]
}})json",
                      targets,
                      truth));
  }

  std::vector<std::string> parts() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (name.find(".part") != std::string::npos) names.push_back(name);
    }
    return names;
  }
};

TEST_F(HostileInput, TellsThatStandardOutputIsFull) {
  write_model();
  for (const char* arguments : {"infer model.json",
                                "infer model.json --json --values",
                                "check model.json",
                                "ground model.json",
                                "estimate model.json",
                                "learn model.json --epochs 1",
                                "--help"}) {
    const Outcome outcome = shell(fmt::format("$SORITES {} >/dev/full", arguments));
    EXPECT_EQ(outcome.exit_code, 1) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr("cannot write the output")) << arguments;
  }
}

TEST_F(HostileInput, TellsThatAFileIsFull) {
  write_model();
  for (const char* arguments : {"ground model.json --snapshot /dev/full",
                                "ground model.json --rules-out /dev/full",
                                "infer model.json --save-state /dev/full",
                                "learn model.json --epochs 1 --output /dev/full",
                                "learn model.json --epochs 1 --save-state /dev/full"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr("cannot write `/dev/full`: No space left")) << arguments;
  }
}

TEST_F(HostileInput, GoesOnIfStandardErrorIsFull) {
  write_model();
  const Outcome outcome = shell("$SORITES infer model.json 2>/dev/full");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("Knows('person 499') = "));
  EXPECT_EQ(shell("$SORITES nonsense 2>/dev/full").exit_code, 2);
}

TEST_F(HostileInput, WritesToPipesAndDevicesAndReplacesThemNot) {
  write_model();
  const Outcome piped = shell(
      "mkfifo pipe; cat pipe > got.txt & $SORITES learn model.json --epochs 1 --output pipe "
      "--quiet; "
      "code=$?; wait; exit $code");
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_THAT(read("got.txt"), HasSubstr(": Likes(A) -> Knows(A) ^2\n"));
  EXPECT_TRUE(fs::is_fifo(folder_ / "pipe"));
  EXPECT_EQ(run("ground model.json --quiet --rules-out /dev/null").exit_code, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const Outcome shown =
      shell("echo first; $SORITES ground model.json --quiet --rules-out /dev/stdout");
  EXPECT_THAT(shown.out, testing::StartsWith("first\nWeight\tSquared?\tRule\n"));
  EXPECT_THAT(shown.out, HasSubstr("KNOWS('person 499')"));
}

TEST_F(HostileInput, FollowsNoLinkThatWasLeftBesideTheOutput) {
  write_model();
  write("victim.txt", "untouched");
  for (const char* name : {"learned.json.part", "out.ground.part", "rules.tsv.part"}) {
    fs::create_symlink("victim.txt", folder_ / name);
  }
  EXPECT_EQ(run("learn model.json --epochs 1 --output learned.json --quiet").exit_code, 0);
  EXPECT_EQ(run("ground model.json --snapshot out.ground --rules-out rules.tsv --quiet").exit_code,
            0);
  EXPECT_EQ(read("victim.txt"), "untouched");
  EXPECT_EQ(parts().size(), 3U);  // those links
}

TEST_F(HostileInput, KeepsTheOldFileIfWritingTheNewOneFails) {
  write_model();
  write("rules.tsv", "old");
  const Outcome outcome = shell("ulimit -f 8; $SORITES ground model.json --rules-out rules.tsv");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write `rules.tsv`: File too large"));
  EXPECT_EQ(read("rules.tsv"), "old");
  EXPECT_THAT(parts(), IsEmpty());
}

TEST_F(HostileInput, TellsBeforeSolvingWhatCannotBeWritten) {
  // To ground these rules would need more memory than there is.
  write("large.json", R"json({
  "predicates": {"P/1": {"targets": ["p.txt"]}, "Q/1": {"targets": ["p.txt"]}},
  "rules": ["1: P(A) & P(B) & P(C) & P(D) & P(E) & P(F) -> Q(A)"]
})json");
  std::string rows;
  for (int i = 0; i < 1000; ++i) rows += fmt::format("{}\n", i);
  write("p.txt", rows);
  write("file", "");
  for (const char* arguments : {"infer large.json --output file/results",
                                "infer large.json --output /proc/results",
                                "infer large.json --save-state missing/state",
                                "ground large.json --snapshot missing/model.ground",
                                "ground large.json --rules-out missing/rules.tsv"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr("cannot write")) << arguments;
  }
}

TEST_F(HostileInput, StopsForTheFirstSignalWhileItWaitsForAPipe) {
  write_model();
  write("piped.json",
        R"json({"predicates": {"P/1": {"targets": ["pipe.json"]}}, "rules": ["1: !P(A)"]})json");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.json").c_str(), 0600), 0);
  const std::pair<const char*, const char*> cases[] = {{"TERM", "infer piped.json"},
                                                       {"HUP", "infer piped.json"},
                                                       {"TERM", "check pipe.json"},
                                                       {"TERM", "infer - <pipe.json"}};
  // Bit 14 of the mask of signals that the program catches is that of SIGTERM; proc(5).
  constexpr const char* kUntilItListens =
      "until [ $((0x$(sed -n 's/^SigCgt:\\s*//p' /proc/$!/status) & 0x4000)) != 0 ]; do sleep "
      "0.05; "
      "done;";
  for (const auto& [signal, arguments] : cases) {
    // Whoever holds the pipe open writes nothing.
    const Outcome outcome =
        shell(fmt::format("sleep 60 >pipe.json & holder=$!; $SORITES {} & {} sleep 0.3; kill -{} "
                          "$!; wait $!; code=$?; "
                          "kill $holder; exit $code",
                          arguments,
                          kUntilItListens,
                          signal));
    EXPECT_EQ(outcome.exit_code, 130) << arguments << ' ' << signal;
    EXPECT_THAT(outcome.err, HasSubstr("interrupted")) << arguments << ' ' << signal;
  }
  int waits = 0;
  EXPECT_EQ(run_and_interrupt("infer piped.json", [&] { return ++waits > 30; }).exit_code, 130);
}

TEST_F(HostileInput, RefusesNumbersOutOfRangeAndSaysTheRange) {
  write_model();
  const std::pair<const char*, const char*> cases[] = {
      {"--threads 1000000", "from 0 to 256, not `1000000`"},
      {"--threads -1", "from 0 to 256, not `-1`"},
      {"--seed -1", "an integer that is not negative, not `-1`"},
      {"-D parallel.numthreads=257", "`parallel.numthreads` takes an integer from 0 to 256"},
      {"-D random.seed=-5", "`random.seed` takes an integer that is not negative"},
      {"--time-limit -1", "a number that is not negative or inf, not `-1`"},
      {"--max-iterations -1", "an integer that is not negative, not `-1`"},
      {"--memory-limit lots", "500M or 8GB, or none, not `lots`"},
      {"--memory-limit -5", "500M or 8GB, or none, not `-5`"}};
  for (const auto& [flag, message] : cases) {
    const Outcome outcome = run(fmt::format("infer model.json {}", flag));
    EXPECT_EQ(outcome.exit_code, 2) << flag;
    EXPECT_THAT(outcome.err, HasSubstr(message)) << flag;
  }
}

TEST_F(HostileInput, ShowsEscapeSequencesInMessagesInsteadOfObeyingThem) {
  write("model.json",
        "{\"predicates\": {\"P/1\": {\"targets\": [[\"a\"]]}}, \"rules\": [\"1: Q\\u001b[2J(A) -> "
        "P(A)\"]}");
  const Outcome outcome = run("check \"$(printf 'no\\033[2Jfile.json')\"");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("no\\x1b[2Jfile.json"), Not(HasSubstr("\x1b"))));
  write("data.txt", "a\x1b]0;title\x07\tb\tc\n");
  write("data.json",
        R"json({"predicates": {"P/1": {"targets": ["data.txt"]}}, "rules": ["1: !P(A)"]})json");
  EXPECT_THAT(run("check data.json").err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run("check model.json").err, Not(HasSubstr("\x1b")));
}

TEST_F(HostileInput, ShowsNoRowsOfAFileThatIsNoData) {
  std::string secrets;
  for (int i = 0; i < 100; ++i) secrets += fmt::format("user{}\tsecret{}\t{}\n", i, i, i);
  write("secrets.txt", secrets);
  write("curious.json",
        R"json({"predicates": {"P/1": {"targets": ["secrets.txt"]}}, "rules": ["1: !P(A)"]})json");
  const Outcome outcome = run("check curious.json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("none of its 100 rows fits"), Not(HasSubstr("secret0"))));
}

TEST_F(HostileInput, ShowsOneLineOfAFileOfWhichMostRowsDoNotFit) {
  write("few.txt", "secret line one\nsecret,two\n\tsecret three\n");
  std::string mixed = "a\tb\n";
  for (int i = 0; i < 100; ++i) mixed += fmt::format("user{}:secret{}:x:0\n", i, i);
  write("mixed.txt", mixed);
  for (const char* file : {"few.txt", "mixed.txt"}) {
    for (const char* use : {R"("P/3": {"targets": )", R"("P/2": {"targets": )"}) {
      write(
          "curious.json",
          fmt::format(
              R"json({{"predicates": {{{}["{}"]}}}}, "rules": ["1: !P(A, B)"]}})json", use, file));
      const std::string said = run("check curious.json").err;
      const std::size_t first = said.find("secret");
      EXPECT_TRUE(first == std::string::npos ||
                  said.find("secret", said.find('\n', first)) == std::string::npos)
          << said;
    }
  }
}

// Not those that look like colours of its own either.
TEST_F(HostileInput, ShowsEscapeSequencesInReportsInsteadOfObeyingThem) {
  write("model.json",
        "{\"predicates\": {\"P/1\": {\"targets\": [[\"x\\u001b[31my\"]]}}, \"rules\": [\"1: "
        "P('x\\u001b[31my')\"]}");
  for (const char* command : {"infer --output results", "ground", "estimate"}) {
    const Outcome outcome = run(fmt::format("{} model.json --color always", command));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("\\x1b[31m"), Not(HasSubstr("\x1b[31m")))) << command;
  }
  const Outcome explained =
      run("explain model.json \"P('x$(printf '\\033')[31my')\" --color always");
  EXPECT_THAT(explained.out, HasSubstr("P('x\\x1b[31my')"));
}

TEST_F(HostileInput, ShowsEscapeSequencesInLearnedRulesThatATerminalGets) {
  write("model.json", R"json({"predicates": {"P/1": {"targets": [["a"], ["x\u001b[31my"]],
 "truth": [["a", 1], ["x\u001b[31my", 0]]}}, "rules": ["1: P(A)", "1: !P('x\u001b[31my')"]})json");
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "there are no terminals here";
  ASSERT_EQ(::grantpt(terminal), 0);
  ASSERT_EQ(::unlockpt(terminal), 0);
  const std::string path = ::ptsname(terminal);  // NOLINT(concurrency-mt-unsafe): one thread
  const int held = ::open(path.c_str(), O_RDWR | O_NOCTTY);  // what was written stays until then
  const Outcome outcome = run("learn model.json --epochs 1 --output " + path);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  std::string shown(4096, '\0');
  shown.resize(
      static_cast<std::size_t>(std::max<ssize_t>(::read(terminal, shown.data(), shown.size()), 0)));
  ::close(held);
  ::close(terminal);
  EXPECT_THAT(shown, AllOf(HasSubstr("P('x\\x1b[31my')"), Not(HasSubstr("\x1b"))));
}

TEST_F(HostileInput, ReadsTheModelFileWithinTheTimeLimit) {
  std::string rows;
  for (int i = 0; i < 4'000'000; ++i) rows += fmt::format("{}[\"a{}\"]", i == 0 ? "" : ",", i);
  write("long.json",
        fmt::format(
            R"json({{"predicates": {{"P/1": {{"targets": [{}]}}}}, "rules": ["1: !P(A)"]}})json",
            rows));
  const double before = processor_seconds();
  const Outcome outcome = run("infer long.json --time-limit 0.1 --threads 1");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("the time limit of 0.1 s ran out"));
  EXPECT_LT(processor_seconds() - before, kSanitized ? 10.0 : 1.6);  // with what is freed
}

TEST_F(HostileInput, StopsBeforeMemoryRunsOutAndNamesTheRule) {
  write("large.json", R"json({
  "predicates": {"P/1": {"targets": ["p.txt"]}, "Q/1": {"targets": ["p.txt"]}},
  "rules": ["2: !P(A)", "1: P(A) & P(B) & P(C) -> Q(A)"]
})json");
  std::string rows;
  for (int i = 0; i < 3000; ++i) rows += fmt::format("{}\n", i);
  write("p.txt", rows);
  for (const char* command : {"ground", "infer"}) {
    // The forecast says it: a large limit takes no longer.
    const double before = processor_seconds();
    EXPECT_EQ(run(fmt::format("{} large.json --memory-limit 8GB", command)).exit_code, 2);
    EXPECT_LT(processor_seconds() - before, kSanitized ? 20.0 : 2.0);
    const Outcome outcome = run(fmt::format("{} large.json --memory-limit 200M", command));
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr("large.json:3:26: error: its ground rules need"),
                      HasSubstr("about 2.7e+10 bindings"),
                      HasSubstr("[model-too-large]"),
                      HasSubstr("a cross product"),
                      HasSubstr("--memory-limit")));
  }
  // Four variables: no part of the work is ever complete, but its plan says how much it is.
  write("huge.json", R"json({
  "predicates": {"P/1": {"observations": ["p.txt"]}, "Q/1": {"targets": ["p.txt"]}},
  "rules": ["1: P(A) & P(B) & P(C) & P(D) -> Q(A)"]
})json");
  EXPECT_THAT(run("infer huge.json --memory-limit 4G").err,
              AllOf(HasSubstr("its ground rules need about"),
                    HasSubstr("TB, and there are"),
                    HasSubstr("about 8.1e+13 bindings")));
  // An allocation that fails ends it as well.
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve terabytes of addresses";
  const Outcome limited = shell("ulimit -v 400000; $SORITES ground large.json --memory-limit none");
  EXPECT_EQ(limited.exit_code, 2);
  EXPECT_THAT(limited.err, HasSubstr("[model-too-large]"));
}

TEST_F(HostileInput, EndsUnderALimitOfAddresses) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve terabytes of addresses";
  write_model();
  // Loading OpenBLAS 0.3.29 (Debian 13) reserves 300 MB, and goes on trying for ever where there is
  // less: before the program begins, so there is nothing that it could do.
  int limit = 0;
  for (const int kilobytes : {150000, 500000}) {
    limit = kilobytes;
    if (shell(fmt::format("ulimit -v {}; timeout 10 $SORITES --version", limit)).exit_code == 0) {
      break;
    }
  }
  // Sixty-four stacks do not fit; a second thread may, or not, as memory is reserved.
  for (const char* threads : {"1", "2", "64"}) {
    const Outcome outcome = shell(fmt::format(
        "ulimit -v {}; timeout 20 $SORITES infer model.json --quiet --threads {}", limit, threads));
    EXPECT_EQ(outcome.exit_code, 0) << threads << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("Knows('person 499') = ")) << threads;
  }
}

TEST_F(HostileInput, LimitsWhatDevicesAndPackedFilesGive) {
  write("zero.json",
        R"json({"predicates": {"P/1": {"targets": ["/dev/zero"]}}, "rules": ["1: !P(A)"]})json");
  const Outcome zero = run("infer zero.json --memory-limit 200M");
  EXPECT_EQ(zero.exit_code, 2);
  EXPECT_THAT(zero.err, AllOf(HasSubstr("it has more than"), HasSubstr("--memory-limit")));
  ASSERT_EQ(shell("head -c 300000000 /dev/zero | gzip -1 > bomb.txt.gz").exit_code, 0);
  write("bomb.json",
        R"json({"predicates": {"P/1": {"targets": ["bomb.txt.gz"]}}, "rules": ["1: !P(A)"]})json");
  const Outcome bomb = run("infer bomb.json --memory-limit 100M");
  EXPECT_EQ(bomb.exit_code, 2);
  EXPECT_THAT(bomb.err, AllOf(HasSubstr("it unpacks to more than"), HasSubstr("--memory-limit")));
}

// Two observed atoms break a hard rule: the model has a ground rule without atoms.
TEST_F(HostileInput, TakesItsOwnSnapshotOfAContradiction) {
  write("m.json", R"json({
  "predicates": {"N/2": {"observations": [["a", "b", 0.9], ["b", "a", 0.4]]},
                 "S/2": {"targets": [["a", "b"], ["b", "a"]]}},
  "rules": ["N(X, Y) -> N(Y, X) .", "1: N(X, Y) -> S(X, Y)"]
})json");
  EXPECT_EQ(run("ground m.json --snapshot g").exit_code, 0);
  const Outcome outcome = run("infer m.json --from-snapshot g");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("[contradiction]"));
}

TEST_F(HostileInput, KeepsTheTimeLimitWhileItGrounds) {
  write("large.json", R"json({
  "predicates": {"P/1": {"observations": ["p.txt"]},
                 "Q/1": {"observations": ["p.txt"], "targets": [["x"]]}},
  "rules": ["1: P(A) & P(B) & P(C) & P(D) & P(E) -> Q(A)"]
})json");
  std::string rows;
  for (int i = 0; i < 3000; ++i) rows += fmt::format("{}\n", i);
  write("p.txt", rows);
  for (const char* more : {"", " --save-state large.state"}) {
    const double before = processor_seconds();
    const Outcome outcome =
        run(fmt::format("infer large.json --time-limit 0.5 --threads 1 --memory-limit none "
                        "--set inference.count_all=true{}",
                        more));
    EXPECT_LT(processor_seconds() - before, kSanitized ? 5.0 : 1.5);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("the time limit of 0.5 s ran out"));
  }
}

TEST_F(HostileInput, GroundsRulesOfVeryManyVariables) {
  std::string body, formula;
  for (int i = 0; i < 300; ++i) {
    body += fmt::format("{}P(X{})", i == 0 ? "" : " & ", i);
    formula += fmt::format("{}p(x{})", i == 0 ? "" : " ^ ", i);
  }
  write(
      "wide.json",
      fmt::format(
          R"json({{"predicates": {{"P/1": {{"observations": [["a"]]}}, "Q/1": {{"targets": [["a"]]}}}},
 "rules": ["1: {} -> Q(X0)"]}})json",
          body));
  const Outcome outcome = run("infer wide.json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "Q('a') = 1.0000\n");
  write("wide.mln", fmt::format("p(thing)\nq(thing)\n1 {} => q(x0)\n", formula));
  write("wide.db", "p(A)\n?q(A)\n");
  const Outcome markov = run("infer wide.mln --data wide.db");
  EXPECT_EQ(markov.exit_code, 2);
  EXPECT_THAT(markov.err, HasSubstr("has 300 variables, more than the 64 that Markov logic takes"));
  write("same.mln",
        "p(thing)\nq(thing)\n1 p(a) ^ p(b) ^ p(c) ^ p(d) ^ p(e) ^ p(f) ^ p(g) ^ p(h) ^ p(i) => "
        "q(a)\n");
  write("same.db", "p(A)\n?q(A)\n?p(B)\n");
  EXPECT_THAT(run("infer same.mln --data same.db").err, HasSubstr("may be the same atoms"));
}

TEST_F(HostileInput, RefusesRulesThatWouldTakeForEver) {
  std::string body;
  for (int i = 0; i < 100'000; ++i) body += fmt::format("{}P(X{})", i == 0 ? "" : " & ", i);
  write("rules.psl", fmt::format("1: {} -> Q(X0)\n", body));
  write("rules.data", "predicates:\n  P/1: closed\n  Q/1: open\n");
  const Outcome outcome = run("check rules.psl --data rules.data");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the formula has more than 10000 literals"));
}

// Each had been compared with all others, and looked for blocks of terms among all others'.
TEST_F(HostileInput, TakesTimeThatGrowsWithTheNumberOfRules) {
  std::string targets, rules;
  for (int i = 0; i < 20'000; ++i) {
    const char* comma = i == 0 ? "" : ",";
    targets += fmt::format("{}[\"c{}\"]", comma, i);
    rules += fmt::format("{}\"{}: P('c{}')\"", comma, 1 + i % 7, i);
  }
  write("rules.json",
        fmt::format(R"json({{"predicates": {{"P/1": {{"targets": [{}]}}}}, "rules": [{}]}})json",
                    targets,
                    rules));
  const double before = processor_seconds();
  EXPECT_EQ(run("infer rules.json --threads 1 --quiet").exit_code, 0);
  EXPECT_LT(processor_seconds() - before, kSanitized ? 60.0 : 5.0);
}

TEST_F(HostileInput, SaysBeforeSolvingThatItTakesTooMuchMemory) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  write("sums.json", R"json({
  "predicates": {"P/1": {"targets": ["p.txt"]}, "Q/1": {"targets": ["p.txt"]}},
  "rules": ["1: P(A) & P(B) -> Q(A)"]
})json");
  std::string rows;
  for (int i = 0; i < 1500; ++i) rows += fmt::format("{}\n", i);
  write("p.txt", rows);
  const Outcome outcome = run("infer sums.json --memory-limit 80M");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("solving needs about"), HasSubstr("[model-too-large]")));
  // What `estimate` says is about what `infer` takes.
  const auto said = nlohmann::json::parse(run("estimate sums.json --json").out);
  const auto taken = nlohmann::json::parse(run("infer sums.json --json").out);
  const double ratio =
      said["memory_bytes"].get<double>() / taken["peak_memory_bytes"].get<double>();
  EXPECT_GT(ratio, 0.6);
  EXPECT_LT(ratio, 1.7);
}

TEST_F(HostileInput, RefusesWeightsThatProbabilitiesCannotBeComputedWith) {
  write("large.mln", "p(thing)\nq(thing)\n4e38 p(x) => q(x)\n-4e38 q(x)\n");
  write("large.db", "p(A)\n?q(A)\n");
  const Outcome outcome = run("infer large.mln --data large.db");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("large.mln:3"), HasSubstr("at most 1e+20 in size")));
}

}  // namespace
}  // namespace sorites
