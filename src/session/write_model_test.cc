// Models on disk that give the answers of the session that wrote them.
#include "session/write_model.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/test_folder.h"
#include "session/atom_values.h"
#include "sorites/session.h"

namespace sorites {
namespace {

// The second rule is skipped: in what is written the third one has its number.
constexpr const char* kWithDuplicate = R"j({"predicates": {
  "F/1": {"observations": [["a"], ["b", 0.5]]},
  "D/1": {"targets": [["a"], ["b"]], "truth": [["a", 1], ["b", 0]]}},
"rules": ["1: F(A) -> D(A) ^2", "2: F(A) -> D(A) ^2", "0.5: !D(A) ^2",
  "0.25: D('a') ^2"],
"learn": {"rules": ["0.125: D('b') ^2"]}, "options": {"learn.fixed_rules": "NAMED"}})j";

SessionOptions five_epochs(const std::string& semantics = {}) {
  return {.semantics = semantics, .flags = {{"learn.max_epochs", "5", {}, {}}}};
}

std::map<std::string, double> answer_of(Session& session) {
  const InferResult result = session.infer();
  EXPECT_TRUE(result.is_usable());
  return values_of(session, result);
}

void expect_reopened(const std::string& path, const std::map<std::string, double>& values) {
  Session session = Session::open(path);
  const auto reopened = answer_of(session);
  ASSERT_EQ(reopened.size(), values.size());
  for (const auto& [atom, value] : values) EXPECT_NEAR(reopened.at(atom), value, 1e-4) << atom;
}

// The phases have their constants in different orders, and inference has one more.
std::string model_of_words(const std::string& domains) {
  return R"j({"language": "mln", )j" + domains + R"j("predicates": {
    "Has": {"types": ["person", "word"], "world": "closed", "observations": {
      "learn": [["a", "x"], ["b", "y"], ["c", "x"]],
      "infer": [["d", "z"], ["e", "y"], ["f", "x"]]}},
    "T": {"types": ["person"],
          "targets": {"learn": [["a"], ["b"], ["c"]], "infer": [["d"], ["e"], ["f"]]},
          "truth": {"learn": [["a", 1], ["b", 0], ["c", 1]]}}},
  "rules": ["0.5 Has(p, +w) => T(p)", "0.3 !T(p)"]})j";
}

TEST(WriteModel, KeepsWeightsPerConstantOfDomainsThatListNone) {
  for (const char* semantics : {"markov-logic", "hinge"}) {
    for (const char* domains : {"", R"("domains": {"person": null, "word": null}, )"}) {
      SCOPED_TRACE(fmt::format("{} {}", semantics, domains));
      const TestFolder folder;
      Session session = Session::from_text(model_of_words(domains), five_epochs(semantics));
      const auto before = answer_of(session);
      session.learn({.output = folder.path("learned.json")});
      session.save_model(folder.path("saved.json"));
      const auto values = answer_of(session);
      EXPECT_NE(values, before);
      expect_reopened(folder.path("learned.json"), values);
      expect_reopened(folder.path("saved.json"), values);
    }
  }
}

// Learning does not see the data that says which constants the weights are of.
TEST(WriteModel, KeepsListsOfWeightsOfOtherPhases) {
  const TestFolder folder;
  std::string text = model_of_words(R"("semantics": "markov-logic", )");
  text.insert(text.rfind('}'), R"j(, "infer": {"rules": ["[2, -1, 0.25] Has(p, +w) ^ T(p)"]})j");
  Session session = Session::from_text(text, five_epochs());
  session.learn({.output = folder.path("learned.json")});
  session.save_model(folder.path("saved.json"));
  expect_reopened(folder.path("saved.json"), answer_of(session));
  expect_reopened(folder.path("learned.json"), answer_of(session));
}

TEST(WriteModel, KeepsWhatWasLearnedForRulesOfLearningAlone) {
  const TestFolder folder;
  std::string text = kWithDuplicate;
  text.replace(text.find("NAMED"), 5, "1");
  Session session = Session::from_text(text, five_epochs());
  const std::vector<double> weights = session.learn().weights;
  session.save_model(folder.path("saved.json"));
  const LearnReport again = Session::open(folder.path("saved.json"), five_epochs()).learn();
  EXPECT_NE(weights.back(), 0.125);
  EXPECT_THAT(again.old_weights, testing::Pointwise(testing::DoubleNear(1e-9), weights));
}

SessionUpdate some_update() {
  return {.observations = {{"F", {"a"}, 0.9}, {"F", {"c"}, 0.75}, {"D", {"b"}, 0.25}},
          .targets = {{"D", {"c"}, 1.0}, {"D", {"e"}, std::nullopt}}};
}

// Rows of all phases, rows by phase, and both.
TEST(WriteModel, KeepsWhatUpdatesMadeOfTheData) {
  for (const char* more :
       {R"("targets": [["a"], ["b"], ["d"], ["e"]])",
        R"("targets": {"learn": [["a"], ["b"], ["d"]], "infer": [["e"], ["d"], ["b"], ["a"]]})",
        R"("targets": {"all": [["a"], ["b"], ["d"], ["e"]], "learn": [["f"]]})"}) {
    SCOPED_TRACE(more);
    const TestFolder folder;
    const std::string text = fmt::format(
        R"j({{"predicates": {{"F/1": {{"observations": [["a", 0.5], ["b"], ["d", 0.25]]}},
          "G/1": {{"observations": [["a"], ["c", 0.5], ["d"]]}},
          "D/1": {{{}, "truth": [["c", 1], ["d", 0]]}}}},
          "rules": ["1: F(A) -> D(A) ^2", "1: D(A) & G(A) -> D('d') ^2", "0.5: !D(A) ^2"]}})j",
        more);
    const std::string path = folder.write("first.json", text);
    Session session = Session::open(path, five_epochs());
    session.update(some_update());
    session.save_model(folder.path("saved.json"));
    expect_reopened(folder.path("saved.json"), answer_of(session));
    const std::vector<double> weights =
        session.learn({.output = folder.path("learned.json")}).weights;
    expect_reopened(folder.path("learned.json"), answer_of(session));
    Session saved = Session::open(folder.path("saved.json"), five_epochs());
    EXPECT_THAT(saved.learn().weights, testing::Pointwise(testing::DoubleNear(1e-4), weights));
  }
}

// A predicate without targets is open still.
TEST(WriteModel, KeepsThatAllTargetsWent) {
  const TestFolder folder;
  Session session = Session::from_text(R"j({"predicates": {
    "F/1": {"observations": [["a"]]}, "D/1": {"targets": [["a"]]}, "E/1": {"targets": [["a"]]}},
    "rules": ["1: F(A) -> E(A) ^2", "0.5: D(A) -> E(A) ^2", "0.25: !E(A) ^2"]})j");
  session.update({.targets = {{"D", {"a"}, std::nullopt}}});
  session.save_model(folder.path("saved.json"));
  expect_reopened(folder.path("saved.json"), answer_of(session));
  EXPECT_TRUE(Session::open(folder.path("saved.json")).program().predicates[1].open);
}

std::vector<std::string> texts_of_fixed_rules(Session& session) {
  const LearnReport report = session.learn();
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < report.learned.size(); ++i) {
    const std::string& text = report.rules[report.rule_of_weight[i]].text;
    if (!report.learned[i]) texts.push_back(text.substr(text.find(':') + 2));
  }
  return texts;
}

TEST(WriteModel, FixesTheSameRulesWhateverTheirNumbersAndLines) {
  const TestFolder folder;
  for (const char* named : {"3", "4, 5", "first.json:5", "first.json:5, 1"}) {
    SCOPED_TRACE(named);
    std::string text = kWithDuplicate;
    text.replace(text.find("NAMED"), 5, named);
    const std::string path = folder.write("first.json", text);
    Session session = Session::open(path, five_epochs());
    const auto fixed = texts_of_fixed_rules(session);
    EXPECT_FALSE(fixed.empty());
    session.learn({.output = folder.path("learned.json")});
    session.save_model(folder.path("saved.json"));
    for (const char* name : {"learned.json", "saved.json"}) {
      Session again = Session::open(folder.path(name), five_epochs());
      EXPECT_EQ(texts_of_fixed_rules(again), fixed) << name;
    }
  }
}

}  // namespace
}  // namespace sorites
