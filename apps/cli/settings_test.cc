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

}  // namespace
}  // namespace sorites
