#include "sorites/session.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "session/atom_values.h"

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

// The data has no constants that the first rule has weights for: under hinge it makes no rule, and
// the others keep their numbers.
TEST(Session, ARuleHasOneNumberWhateverIsMadeOfOthers) {
  for (const char* semantics : {"hinge", "markov-logic"}) {
    Session session =
        Session::from_text(R"j({"language": "mln", "domains": {"doc": null, "word": null},
      "predicates": {"Has/2": {"types": ["doc", "word"], "world": "closed"},
        "Topic/1": {"types": ["doc"], "targets": [["a"]], "truth": [["a", 1]]}},
      "rules": ["1 Has(d, +w) => Topic(d)", "0.3 !Topic(d)", "0.2 Topic(d)"]})j",
                           {.semantics = semantics});
    const std::vector<std::string> second = {"2"};
    const ExplainResult why = session.explain({}, second);
    ASSERT_THAT(why.explained_rules, SizeIs(1)) << semantics;
    EXPECT_EQ(why.rules[why.explained_rules[0].rule].text, "0.3 !Topic(d)") << semantics;
    session.set_flags({{"learn.fixed_rules", "1, 2", {}, {}}});
    const LearnReport report = session.learn();
    for (std::size_t i = 0; i < report.learned.size(); ++i) {
      const GroundRule& rule = report.rules[report.rule_of_weight[i]];
      EXPECT_EQ(report.learned[i], rule.text == "0.2 Topic(d)") << rule.text;
    }
    session.update({.weights = {{1, 0.9}}});
    EXPECT_EQ(session.program().rules[1].weight, 0.9) << semantics;
  }
}

// ---- Updates ------------------------------------------------------------------------------------

// Friends who smoke, in data of the test's own: it knows nothing of what a session makes of
// updates.
class RandomUpdates {
 public:
  explicit RandomUpdates(unsigned seed) : random_(seed) {
    for (const char* who : kNames) {
      targets_.insert({"Smokes", who});
      targets_.insert({"Cancer", who});
    }
    friends_.insert({"ann", "bob"});
  }

  SessionUpdate next() {
    const char* const predicate = below(2) == 0 ? "Smokes" : "Cancer";
    const std::string who = person();
    switch (below(6)) {
      case 0: {
        const std::size_t rule = below(3);
        weights_[rule] = 0.5 + double(below(8)) / 4.0;
        return {.weights = {{static_cast<RuleId>(rule), weights_[rule]}}};
      }
      case 1:
        return change_target(predicate, who);
      case 2:
        return change_observation(predicate, who);
      default: {
        const std::string other = person();
        const bool there = !friends_.insert({who, other}).second;
        if (there) friends_.erase({who, other});
        return {
            .observations = {{"Friends", {who, other}, there ? std::nullopt : std::optional(1.0)}}};
      }
    }
  }

  // The model as it is after all updates.
  std::string text() const {
    std::map<std::string, std::string> observations, targets;
    const auto add = [](std::string& rows, const std::string& row) {
      rows += (rows.empty() ? "[" : ", [") + row + "]";
    };
    for (const auto& [a, b] : friends_) {
      add(observations["Friends"], fmt::format("\"{}\", \"{}\"", a, b));
    }
    for (const auto& [atom, value] : observed_) {
      add(observations[atom.first], fmt::format("\"{}\", {}", atom.second, value));
    }
    for (const auto& [predicate, who] : targets_) {
      add(targets[predicate], fmt::format("\"{}\"", who));
    }
    return fmt::format(R"j({{"predicates": {{
        "Friends/2": {{"observations": [{}]}},
        "Smokes/1": {{"observations": [{}], "targets": [{}], "force-open": true}},
        "Cancer/1": {{"observations": [{}], "targets": [{}], "force-open": true}}}},
        "rules": ["{}: Friends(A, B) & Smokes(A) -> Smokes(B)", "{}: Smokes(A) -> Cancer(A)",
                  "{}: !Smokes(A) -> !Cancer(A)"]}})j",
                       observations["Friends"],
                       observations["Smokes"],
                       targets["Smokes"],
                       observations["Cancer"],
                       targets["Cancer"],
                       weights_[0],
                       weights_[1],
                       weights_[2]);
  }

 private:
  using Atom = std::pair<std::string, std::string>;
  static constexpr const char* kNames[] = {"ann", "bob", "cid", "dan", "eve", "fay"};

  // Makes it a target, whatever it was; or nothing, if it was one.
  SessionUpdate change_target(const std::string& predicate, const std::string& who) {
    const bool there = targets_.erase({predicate, who}) > 0;
    if (!there) targets_.insert({predicate, who});
    observed_.erase({predicate, who});
    return {.targets = {{predicate, {who}, there ? std::nullopt : std::optional(1.0)}}};
  }
  // Gives it a value; now and then it is nothing afterwards.
  SessionUpdate change_observation(const std::string& predicate, const std::string& who) {
    if (observed_.contains({predicate, who}) && below(2) == 0) {
      observed_.erase({predicate, who});
      return {.observations = {{predicate, {who}, std::nullopt}}};
    }
    const double value = double(below(5)) / 4.0;
    targets_.erase({predicate, who});
    observed_[{predicate, who}] = value;
    return {.observations = {{predicate, {who}, value}}};
  }
  std::size_t below(std::size_t count) { return random_() % count; }
  std::string person() { return kNames[below(6)]; }

  std::mt19937 random_;
  std::set<Atom> friends_, targets_;
  std::map<Atom, double> observed_;
  double weights_[3] = {2.0, 1.5, 1.0};
};

// With regularisation there is one answer.
TEST(SessionUpdate, AThousandUpdatesAnswerAsModelsWrittenAnewDo) {
  const SessionOptions exact{.flags = {{"inference.gap", "1e-9", {}, {}},
                                       {"inference.regularization", "0.01", {}, {}},
                                       {"inference.on_missing_target", "skip", {}, {}}}};
  RandomUpdates updates(7);
  Session session = Session::from_text(updates.text(), exact);
  session.infer();
  for (int i = 0; i < 1000; ++i) {
    session.update(updates.next());
    const InferResult warm = session.infer();
    Session fresh = Session::from_text(updates.text(), exact);
    const InferResult cold = fresh.infer();
    ASSERT_EQ(warm.status, SolveStatus::kOptimal) << i;
    ASSERT_NEAR(warm.objective, cold.objective, 1e-6 * std::max(1.0, cold.objective)) << i;
    ASSERT_NEAR(*warm.lower_bound, *cold.lower_bound, 1e-6 * std::max(1.0, cold.objective)) << i;
    ASSERT_EQ(warm.size.terms, cold.size.terms) << i;
    const auto values = values_of(session, warm), expected = values_of(fresh, cold);
    ASSERT_EQ(values.size(), expected.size()) << i;
    for (const auto& [atom, value] : expected) {
      ASSERT_TRUE(values.contains(atom)) << i << " " << atom;
      ASSERT_NEAR(values.at(atom), value, 2e-3) << i << " " << atom;
    }
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
  EXPECT_THROW(session.update({.observations = {{"Friends", {"bob", "dan"}, 1.0}}}), InputError);
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

TEST(SessionUpdate, ResultsHaveTheWeightsOfTheUpdate) {
  for (const char* semantics : {"hinge", "markov-logic"}) {
    Session session(smokers(), friends(), {.semantics = semantics});
    const double before = session.infer().rules[1].weight;
    session.update({.weights = {{1, before + 1.0}}});
    EXPECT_EQ(session.infer().rules[1].weight, before + 1.0) << semantics;
  }
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
