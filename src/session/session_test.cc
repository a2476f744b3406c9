#include "sorites/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

namespace sorites {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr auto kText = ArgumentType::kUniqueStringId;

// Friends are alike; smoking causes cancer.
Program smokers() {
  Program program;
  program.predicates = {{.name = "Friends", .types = {kText, kText}},
                        {.name = "Smokes", .types = {kText}, .open = true},
                        {.name = "Cancer", .types = {kText}, .open = true}};
  add_rules(program,
            "2: Friends(A, B) & Smokes(A) -> Smokes(B)\n"
            "1.5: Smokes(A) -> Cancer(A)\n"
            "1: !Smokes(A) -> !Cancer(A)\n");
  return program;
}

Database friends() {
  Database database(smokers().predicates);
  for (const auto& [a, b] : {std::pair{"ann", "bob"}, {"bob", "ann"}, {"bob", "cid"}}) {
    database.add(Partition::kObserved, "Friends", {a, b});
  }
  database.add(Partition::kObserved, "Smokes", {"ann"}, 1.0);
  for (const char* who : {"bob", "cid"}) database.add(Partition::kTarget, "Smokes", {who});
  for (const char* who : {"ann", "bob", "cid"}) database.add(Partition::kTarget, "Cancer", {who});
  return database;
}

// Values by atom.
std::map<std::string, double> values_of(Session& session, const InferResult& result) {
  std::map<std::string, double> values;
  for (const AtomRange& range : result.ranges) {
    for (std::uint32_t i = 0; i < range.count; ++i) {
      values[atom_text(session.database(), range.predicate, {Partition::kTarget, i})] =
          result.values[range.first + i];
    }
  }
  return values;
}

TEST(Session, AnswersOneProgramUnderBothSemantics) {
  Session hinge(smokers(), friends());
  const InferResult soft = hinge.infer();
  EXPECT_EQ(soft.semantics, "hinge");
  EXPECT_EQ(soft.status, SolveStatus::kOptimal);
  ASSERT_TRUE(soft.lower_bound.has_value());
  EXPECT_NEAR(values_of(hinge, soft).at("Smokes('cid')"), 1.0, 1e-3);

  Session markov(smokers(), friends(), {.semantics = "markov-logic"});
  const InferResult likely = markov.infer();
  EXPECT_EQ(likely.semantics, "markov-logic");
  EXPECT_FALSE(likely.lower_bound.has_value());
  const auto values = values_of(markov, likely);
  EXPECT_GT(values.at("Smokes('bob')"), 0.6);
  EXPECT_LT(values.at("Smokes('bob')"), 1.0);
  EXPECT_GT(values.at("Cancer('ann')"), 0.6);
  EXPECT_THAT(likely.rules, SizeIs(soft.rules.size()));
}

TEST(Session, ExplainsUnderBothSemanticsInOneForm) {
  const std::vector<std::string> atoms = {"Smokes('bob')"};
  for (const char* semantics : {"hinge", "markov-logic"}) {
    Session session(smokers(), friends(), {.semantics = semantics});
    const ExplainResult why = session.explain(atoms, std::vector<std::string>{"1"});
    ASSERT_THAT(why.atoms, SizeIs(1)) << semantics;
    EXPECT_EQ(why.atoms[0].atom, "Smokes('bob')");
    ASSERT_FALSE(why.atoms[0].rules.empty()) << semantics;
    EXPECT_EQ(why.atoms[0].rules[0].rule, 0U) << semantics;  // friends are alike
    EXPECT_GT(why.atoms[0].rules[0].force, 0.0) << semantics;
    ASSERT_FALSE(why.atoms[0].up.empty()) << semantics;
    EXPECT_THAT(why.atoms[0].up[0].ground.text, HasSubstr("Smokes('bob')"));
    ASSERT_THAT(why.explained_rules, SizeIs(1));
    EXPECT_GT(why.explained_rules[0].statistics.terms, 0.0);
  }
}

TEST(Session, NamesWhatASemanticsDoesNotTake) {
  Program program = smokers();
  add_rules(program, "1: Smokes(A) + Cancer(A) <= 1");
  Session session(program, friends(), {.semantics = "markov-logic"});
  try {
    session.infer();
    FAIL() << "an arithmetic rule was taken";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().at(0).code, "unfit-semantics");
    EXPECT_EQ(error.diagnostics().at(0).span.line, 1U);
  }
  EXPECT_THROW(Session(smokers(), friends(), {.semantics = "fuzzy"}).infer(), InputError);
}

TEST(Session, OpensTheTextOfAModelFile) {
  Session session = Session::from_text(R"({
    "predicates": {
      "Likes/2": {"observations": [["ann", "tea"], ["bob", "tea"]]},
      "Knows/2": {"targets": [["ann", "bob"], ["bob", "ann"]]}
    },
    "rules": ["3: Likes(A, X) & Likes(B, X) & (A != B) -> Knows(A, B) ^2", "1: !Knows(A, B) ^2"]
  })");
  const InferResult result = session.infer();
  ASSERT_THAT(result.values, SizeIs(2));
  EXPECT_NEAR(result.values[0], 0.75, 1e-3);
  EXPECT_THROW(Session::from_text("{\"predicates\": 3}"), InputError);
}

// Rules with weights per constant become several under hinge-loss semantics.
TEST(Session, EstimatesTheRulesThatAreGround) {
  Program program = smokers();
  program.rules[1].weighted = {0};
  Session session(program, friends());
  const EstimateResult estimate = session.estimate();
  const GroundResult ground = session.ground();
  ASSERT_EQ(estimate.rules.size(), ground.rules.size());
  ASSERT_EQ(estimate.forecast.rules.size(), ground.rules.size());
  for (std::size_t r = 0; r < ground.rules.size(); ++r) {
    EXPECT_EQ(estimate.forecast.rules[r].terms, ground.size.rule_terms[r]) << r;
  }
}

// ---- Updates ------------------------------------------------------------------------------------

class RandomUpdates {
 public:
  explicit RandomUpdates(unsigned seed) : random_(seed) {}

  SessionUpdate next() {
    SessionUpdate update;
    switch (below(5)) {
      case 0:
        update.weights.push_back({static_cast<RuleId>(below(3)), 0.5 + double(below(8)) / 4.0});
        break;
      case 1:
        update.targets.push_back(change("Smokes", {person()}, 1.0));
        break;
      case 2:
        update.observations.push_back(change("Smokes", {person()}, double(below(5)) / 4.0));
        break;
      default: {
        const std::string a = person(), b = person();
        const bool there = !friends_.insert({a, b}).second;
        if (there) friends_.erase({a, b});
        update.observations.push_back(
            change("Friends", {a, b}, there ? std::nullopt : std::optional(1.0)));
      }
    }
    return update;
  }

  void know(const std::string& a, const std::string& b) { friends_.insert({a, b}); }

 private:
  static AtomChange change(std::string predicate,
                           std::vector<std::string> arguments,
                           std::optional<double> value) {
    return {std::move(predicate), std::move(arguments), value};
  }
  std::size_t below(std::size_t count) { return random_() % count; }
  std::string person() {
    static const char* const kNames[] = {"ann", "bob", "cid", "dan", "eve", "fay"};
    return kNames[below(6)];
  }

  std::mt19937 random_;
  std::set<std::pair<std::string, std::string>> friends_;
};

// Everybody is a target of one predicate or observed in it, so that no ground rule lacks an atom.
Database six_friends() {
  Database database(smokers().predicates);
  for (const char* who : {"ann", "bob", "cid", "dan", "eve", "fay"}) {
    database.add(Partition::kTarget, "Smokes", {who});
    database.add(Partition::kTarget, "Cancer", {who});
  }
  database.add(Partition::kObserved, "Friends", {"ann", "bob"});
  return database;
}

TEST(SessionUpdate, AThousandUpdatesAnswerAsFreshRunsDo) {
  const SessionOptions exact{.flags = {{"inference.gap", "1e-7", {}, {}}}};
  Session session(smokers(), six_friends(), exact);
  session.infer();
  RandomUpdates updates(7);
  updates.know("ann", "bob");
  for (int i = 0; i < 1000; ++i) {
    session.update(updates.next());
    const InferResult warm = session.infer();
    Session fresh(session.program(), session.database(), exact);
    const InferResult cold = fresh.infer();
    ASSERT_EQ(warm.status, SolveStatus::kOptimal) << i;
    ASSERT_NEAR(warm.objective, cold.objective, 1e-5 * std::max(1.0, cold.objective)) << i;
    ASSERT_NEAR(*warm.lower_bound, *cold.lower_bound, 1e-5 * std::max(1.0, cold.objective)) << i;
    ASSERT_EQ(warm.size.terms, cold.size.terms) << i;
    ASSERT_EQ(warm.values.size(), cold.values.size()) << i;
  }
}

TEST(SessionUpdate, ChangesNothingIfSomethingDoesNotFit) {
  Session session(smokers(), friends());
  const InferResult before = session.infer();
  const auto refused = [&](SessionUpdate update) {
    EXPECT_THROW(session.update(update), std::invalid_argument);
    const InferResult after = session.infer();
    EXPECT_EQ(after.size.terms, before.size.terms);
    EXPECT_NEAR(after.objective, before.objective, 1e-6);
  };
  refused({.observations = {{"Friends", {"ann", "cid"}, 1.0}, {"Enemies", {"ann", "bob"}, 1.0}}});
  refused({.observations = {{"Friends", {"cid", "ann"}, std::nullopt}}});
  refused({.observations = {{"Friends", {"ann"}, 1.0}}});
  refused({.observations = {{"Smokes", {"ann"}, 2.0}}});
  refused({.observations = {}, .targets = {{"Friends", {"dan", "ann"}, 1.0}}});
  refused({.observations = {}, .targets = {}, .weights = {{17, 1.0}}});
  refused({.observations = {}, .targets = {}, .weights = {{0, -1.0}}});
}

TEST(SessionUpdate, TellsOfAtomsThatAreMissingNowAndGoesBack) {
  Session session(smokers(), friends());
  const InferResult before = session.infer();
  // Nobody said that dan may smoke.
  EXPECT_THROW(session.update({.observations = {{"Friends", {"bob", "dan"}, 1.0}}}),
               std::invalid_argument);
  const InferResult after = session.infer();
  EXPECT_EQ(after.size.terms, before.size.terms);
  EXPECT_NEAR(after.objective, before.objective, 1e-6);
  session.update({.observations = {{"Friends", {"bob", "dan"}, 1.0}},
                  .targets = {{"Smokes", {"dan"}, 1.0}, {"Cancer", {"dan"}, 1.0}}});
  EXPECT_NEAR(values_of(session, session.infer()).at("Smokes('dan')"), 1.0, 1e-3);
}

TEST(SessionUpdate, ATargetThatIsObservedMayBeRemovedAsTargetToo) {
  Session session(smokers(), friends());
  session.infer();
  session.update(
      {.observations = {{"Smokes", {"bob"}, 0.0}}, .targets = {{"Smokes", {"bob"}, std::nullopt}}});
  EXPECT_EQ(values_of(session, session.infer()).count("Smokes('bob')"), 0U);
}

TEST(SessionUpdate, WorksInMarkovLogic) {
  Session session(smokers(), friends(), {.semantics = "markov-logic"});
  const double before = values_of(session, session.infer()).at("Smokes('bob')");
  session.update({.observations = {{"Smokes", {"ann"}, 0.0}}});
  const double after = values_of(session, session.infer()).at("Smokes('bob')");
  EXPECT_LT(after, before);
  Session fresh(session.program(), session.database(), {.semantics = "markov-logic"});
  EXPECT_EQ(values_of(fresh, fresh.infer()), values_of(session, session.infer()));
}

// ---- Events -------------------------------------------------------------------------------------

TEST(SessionEvents, ProgressNamesStagesAndStopEndsCalls) {
  std::set<std::string> stages;
  std::stop_source stop;
  SessionOptions options;
  options.events.progress = [&](const Progress& progress) {
    stages.insert(std::string(progress.stage));
  };
  options.events.stop = stop.get_token();
  Session session(smokers(), friends(), options);
  session.infer();
  EXPECT_THAT(stages, testing::Contains("grounding"));
  stop.request_stop();
  Session stopped(smokers(), friends(), options);
  EXPECT_THROW(stopped.infer(), Interrupted);
}

TEST(SessionLearn, ValidatesModelsWhoseDomainsHaveNames) {
  for (const char* semantics : {"hinge", "markov-logic"}) {
    Session session = Session::from_text(R"j({"domains": {"person": null}, "predicates": {
      "Old/1": {"types": ["person"], "observations": {"learn": [["a"]], "validation": [["b"]]}},
      "Wise/1": {"types": ["person"], "targets": {"learn": [["a"], ["b"]], "validation": [["b"], ["c"]]},
                 "truth": {"learn": [["a", 1], ["b", 0]], "validation": [["b", 1], ["c", 0]]},
                 "evaluations": ["DiscreteEvaluator"]}},
      "rules": ["1: Old(A) -> Wise(A)", "0.5: !Wise(A)"]})j",
                                         {.semantics = semantics});
    const LearnReport report = session.learn({}, false);
    ASSERT_FALSE(report.history.empty()) << report.error;
    EXPECT_TRUE(report.history.front().validation_metric.has_value());
  }
}

TEST(SessionLearn, LearnsInMemoryAndGoesOnWithWhatItLearned) {
  Program program = smokers();
  Database database = friends();
  for (const char* who : {"bob", "cid"}) database.add(Partition::kTruth, "Smokes", {who}, 0.0);
  for (const char* who : {"ann", "bob", "cid"}) {
    database.add(Partition::kTruth, "Cancer", {who}, 0.0);
  }
  Session session(program, database, {.flags = {{"learn.max_epochs", "20", {}, {}}}});
  const LearnReport report = session.learn();
  ASSERT_TRUE(report.stop.has_value()) << report.error;
  EXPECT_LT(report.weights[1], report.old_weights[1] + 1e-9);  // smoking does not cause cancer here
  const InferResult after = session.infer();
  EXPECT_DOUBLE_EQ(after.rules[1].weight, report.weights[1]);
  EXPECT_DOUBLE_EQ(*session.program().rules[1].weight, report.weights[1]);
}

// Pairs of neighbours; whether one is good says all of the other. Small parts, all alike.
std::string pairs(const std::string& rule) {
  std::string next, targets, truth;
  for (int i = 0; i < 8; i += 2) {
    const std::string comma = i > 0 ? ", " : "", a = std::to_string(i), b = std::to_string(i + 1);
    next += comma + "[\"" + a + "\", \"" + b + "\"]";
    targets += comma + "[\"" + a + "\"], [\"" + b + "\"]";
    truth += comma + "[\"" + a + "\", 1], [\"" + b + "\", 0]";
  }
  return R"({"semantics": "markov-logic", "predicates": {"Next/2": {"observations": [)" + next +
         R"(]}, "Good/1": {"targets": [)" + targets + R"(], "truth": [)" + truth +
         R"(]}}, "rules": [)" + rule + "]}";
}

std::vector<double> learned_weights(const std::string& batch_components,
                                    const std::string& regularizer) {
  Session session =
      Session::from_text(pairs(R"j("1: Next(A, B) -> Good(A)", "1: Next(A, B) -> !Good(B)")j"),
                         {.flags = {{"learn.batch_components", batch_components, {}, {}},
                                    {"learn.loss", "cross_entropy", {}, {}},
                                    {"learn.domain", "real", {}, {}},
                                    {"learn.optimizer", "plain", {}, {}},
                                    {"learn.schedule", "constant", {}, {}},
                                    {"learn.step_size", "0.5", {}, {}},
                                    {"learn.keep_best", "false", {}, {}},
                                    {"learn.movement_tolerance", "0", {}, {}},
                                    {regularizer, "0.1", {}, {}},
                                    {"learn.max_epochs", "200", {}, {}}}});
  return session.learn({}, false).weights;
}

// Whatever batches there are, learning goes to the least sum of loss and regularisers.
TEST(Session, BatchesOfMarkovLogicDoNotChangeWhatIsLearned) {
  for (const char* regularizer : {"learn.l2", "learn.pull_to_start"}) {
    const std::vector<double> whole = learned_weights("0", regularizer);
    const std::vector<double> batches = learned_weights("1", regularizer);
    ASSERT_EQ(whole.size(), 2U);
    for (std::size_t r = 0; r < whole.size(); ++r) EXPECT_NEAR(batches[r], whole[r], 1e-4);
  }
}

TEST(Session, SaysWhereDataDoesNotFallIntoBatches) {
  const auto told = [](const std::string& rule) {
    std::string messages;
    SessionOptions options{
        .flags = {{"learn.batch_components", "1", {}, {}}, {"learn.max_epochs", "1", {}, {}}}};
    options.events.diagnostic = [&](const Diagnostic& one) { messages += one.message + "\n"; };
    Session::from_text(pairs(rule), options).learn({}, false);
    return messages;
  };
  EXPECT_THAT(told(R"j("1: Next(A, B) & Good(A) -> Good(B)")j"), Not(HasSubstr("batch")));
  EXPECT_THAT(told(R"j("1: Good('0') & Good(A) -> Good(B)")j"),
              HasSubstr("`learn.batch_components` has no effect: there is no domain"));
}

}  // namespace
}  // namespace sorites
