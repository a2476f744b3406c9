// Updates of a session against fresh sessions that read the data as it is then.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sorites/session.h"

namespace sorites {
namespace {

struct TestPredicate {
  std::string name;
  std::string declared;  // what stands in the model file beside the rows
  Partition partition = Partition::kObserved;
  // Per argument: the constants that rows are drawn from.
  std::vector<std::vector<std::string>> pools = {};
  std::vector<std::vector<std::string>> first = {};  // rows at first
};

struct TestModel {
  std::string name, head, rules;  // JSON
  std::vector<TestPredicate> predicates;
};

const std::vector<std::string> kPeople = {"a", "b", "c"};
const std::vector<std::string> kAll = {"a", "b", "c", "x", "y"};
const std::vector<std::string> kWords = {"u", "v", "w"};

std::vector<TestModel> models() {
  const TestPredicate friends = {
      "Friend", "", Partition::kObserved, {kPeople, kAll}, {{"a", "b"}, {"a", "a"}}};
  const TestPredicate other = {"Other", "", Partition::kObserved, {kAll}, {{"a"}}};
  const TestPredicate smokers = {"Smokes", "", Partition::kTarget, {}, {{"a"}, {"b"}, {"c"}}};
  const TestPredicate has = {"Has",
                             R"j("types": ["doc", "word"], "world": "closed", )j",
                             Partition::kObserved,
                             {kPeople, kWords},
                             {{"a", "u"}, {"b", "v"}}};
  return {
      {"a quantifier in a body",
       "",
       R"j("0.7: (forall X: Friend(A, X)) & Other(A) -> Smokes(A)", "0.4: !Smokes(B)",
          "0.3: Other(B) & Friend(A, B) -> Smokes(A)")j",
       {friends, other, smokers}},
      {"exists of what is not",
       "",
       R"j("1: Smokes(A) -> exists B: !Friend(A, B)", "0.9: Smokes(A)", "0.2: Other(B) & Friend(A, B) -> !Smokes(A)")j",
       {friends, other, smokers}},
      {"rows alone",
       "",
       R"j("1: Friend(A, B) & Other(B) -> Smokes(A) ^2", "0.4: !Smokes(A) ^2", "0.5: Friend(A, B) & Smokes(A) -> Other(B)")j",
       {friends, other, smokers}},
      {"weights per constant",
       R"j("language": "mln", "domains": {"doc": null, "word": null}, )j",
       R"j("1 Has(d, +w) => Topic(d)", "0.3 !Topic(d)")j",
       {has, {"Topic", R"j("types": ["doc"], )j", Partition::kTarget, {}, {{"a"}, {"b"}, {"c"}}}}},
      {"an open world",
       R"j("domains": {"person": null}, )j",
       R"j("1: Person(A) -> Smokes(A)", "0.4: !Smokes(A)")j",
       {{"Person", R"j("types": ["person"], )j", Partition::kObserved, {kAll}, {{"a"}, {"b"}}},
        {"Smokes",
         R"j("types": ["person"], "world": "open", )j",
         Partition::kObserved,
         {kPeople}}}},
      {"classes",
       R"j("language": "mln", "domains": {"doc": null, "word": null}, )j",
       R"j("1 Has(d, +w) => Topic(d, AI)", "0.3 !Topic(d, ML)")j",
       {has,
        {"Topic",
         R"j("types": ["doc"], "classes": ["AI", "ML"], "world": "open", )j",
         Partition::kObserved,
         {kPeople, {"AI", "ML"}}}}},
  };
}

// A model with the rows there are.
class Rows {
 public:
  explicit Rows(const TestModel& model) : model_(&model) {
    for (std::size_t p = 0; p < model.predicates.size(); ++p) {
      for (const auto& row : model.predicates[p].first) rows_.insert({p, row});
    }
  }

  // Takes a row away, or adds it.
  SessionUpdate change(std::mt19937& random) {
    std::size_t p = 0;
    do {
      p = random() % model_->predicates.size();
    } while (model_->predicates[p].pools.empty());
    std::vector<std::string> row;
    for (const auto& pool : model_->predicates[p].pools)
      row.push_back(pool[random() % pool.size()]);
    std::optional<double> value;
    if (rows_.erase({p, row}) == 0) {
      rows_.insert({p, row});
      value = 1.0;
    }
    return {.observations = {{model_->predicates[p].name, row, value}}};
  }

  std::string text() const {
    std::string predicates;
    for (std::size_t p = 0; p < model_->predicates.size(); ++p) {
      const TestPredicate& predicate = model_->predicates[p];
      std::string rows;
      for (const auto& [of, row] : rows_) {
        if (of == p)
          rows += fmt::format("{}[\"{}\"]", rows.empty() ? "" : ", ", fmt::join(row, "\", \""));
      }
      const bool is_target = predicate.partition == Partition::kTarget;
      std::size_t arity =
          predicate.first.empty() ? predicate.pools.size() : predicate.first[0].size();
      if (predicate.declared.find("classes") != std::string::npos) --arity;
      predicates += fmt::format("{}\"{}/{}\": {{{}\"{}\": [{}]}}",
                                p == 0 ? "" : ", ",
                                predicate.name,
                                arity,
                                predicate.declared,
                                is_target ? "targets" : "observations",
                                rows);
    }
    return fmt::format(
        "{{{}\"predicates\": {{{}}}, \"rules\": [{}]}}", model_->head, predicates, model_->rules);
  }

 private:
  const TestModel* model_;
  std::set<std::pair<std::size_t, std::vector<std::string>>> rows_;
};

struct Found {
  std::string error;
  double objective = 0.0;
  std::map<std::string, double> values;
};

Found answer_of(Session& session) {
  Found found;
  try {
    const InferResult result = session.infer();
    found.objective = result.objective * result.weight_scale;
    for (const AtomRange& range : result.ranges) {
      for (std::uint32_t i = 0; i < range.count; ++i) {
        found.values[atom_text(session.database(), range.predicate, {Partition::kTarget, i})] =
            result.values[range.first + i];
      }
    }
  } catch (const std::exception& error) {
    found.error = error.what();
  }
  return found;
}

SessionOptions options_of(const std::string& semantics) {
  SessionOptions options{.semantics = semantics};
  if (semantics == "hinge") options.flags = {{"inference.gap", "1e-8", {}, {}}};
  return options;
}

Found fresh_answer(const Rows& rows, const std::string& semantics) {
  Session session = Session::from_text(rows.text(), options_of(semantics));
  return answer_of(session);
}

void expect_equal(const Found& updated, const Found& fresh, bool values_are_unique) {
  ASSERT_EQ(updated.error, fresh.error);
  EXPECT_NEAR(updated.objective, fresh.objective, 1e-4);
  ASSERT_EQ(updated.values.size(), fresh.values.size());
  for (const auto& [atom, value] : fresh.values) {
    ASSERT_TRUE(updated.values.contains(atom)) << atom;
    if (!values_are_unique) continue;
    EXPECT_NEAR(updated.values.at(atom), value, 1e-3) << atom;
  }
}

class SessionUpdates : public testing::TestWithParam<const char*> {};

// With an answer between updates, and without: the order of calls makes no difference.
TEST_P(SessionUpdates, AnswerAsAFreshSessionThatReadsTheDataAsItIsThen) {
  const std::string semantics = GetParam();
  for (const TestModel& model : models()) {
    int answered = 0;
    for (unsigned seed = 0; seed < 4; ++seed) {
      std::mt19937 random(seed);
      Rows rows(model);
      Session session = Session::from_text(rows.text(), options_of(semantics));
      std::string history;
      for (int step = 0; step < 40; ++step) {
        Rows next = rows;
        const SessionUpdate update = next.change(random);
        const AtomChange& change = update.observations[0];
        history += fmt::format("\n{} {}({})",
                               change.value ? "+" : "-",
                               change.predicate,
                               fmt::join(change.arguments, ", "));
        SCOPED_TRACE(fmt::format("{}, seed {}, {}{}", model.name, seed, semantics, history));
        try {
          session.update(update);
          rows = std::move(next);
        } catch (const std::exception& error) {  // all or nothing
          EXPECT_NE(fresh_answer(next, semantics).error, "") << error.what();
        }
        if (random() % 3 != 0) continue;
        const Found fresh = fresh_answer(rows, semantics);
        expect_equal(answer_of(session), fresh, semantics == "markov-logic");
        if (testing::Test::HasFailure()) return;
        if (fresh.error.empty()) ++answered;
      }
    }
    EXPECT_GT(answered, 25) << model.name;
  }
}
INSTANTIATE_TEST_SUITE_P(All,
                         SessionUpdates,
                         testing::Values("hinge", "markov-logic"),
                         [](const auto& one) { return one.index == 0 ? "Hinge" : "MarkovLogic"; });

constexpr const char* kOpenWorld = R"j({"domains": {"p": null}, "predicates": {
  "Person/1": {"types": ["p"], "observations": [["a"], ["b"]]}, "Smokes/1": {"types": ["p"], "world": "open"}},
  "rules": ["1: Person(A) -> Smokes(A)", "0.4: !Smokes(A)"]})j";

// Of the constants that come, too.
TEST(SessionUpdate, WeightsPerConstantAreOfTheConstantsThereAre) {
  constexpr auto kText = ArgumentType::kUniqueStringId;
  Program program;
  program.predicates = {{.name = "Has", .types = {kText, kText}},
                        {.name = "Topic", .types = {kText}, .open = true}};
  add_rules(program, "1: Has(D, W) -> Topic(D)  0.3: !Topic(D)");
  program.rules[0].weighted = {1};
  Database database(program.predicates);
  database.add(Partition::kObserved, "Has", {"d", "x"});
  for (const char* document : {"d", "e"}) database.add(Partition::kTarget, "Topic", {document});
  Session session(program, std::move(database));
  EXPECT_NEAR(answer_of(session).objective, 0.3, 1e-3);
  session.update({.observations = {{"Has", {"e", "y"}, 1.0}}});
  EXPECT_NEAR(answer_of(session).objective, 0.6, 1e-3);
}

TEST(SessionUpdate, ForecastsLeaveTheDataAsItIs) {
  Session session = Session::from_text(kOpenWorld);
  const auto targets = [&] {
    return session.database().relation(1).table(Partition::kTarget).num_rows;
  };
  session.estimate(0.01);
  EXPECT_EQ(targets(), 0U);
  session.infer();
  EXPECT_EQ(targets(), 2U);
}

TEST(SessionUpdate, ARefusedOneLeavesNoConstantBehind) {
  Session session = Session::from_text(kOpenWorld);
  session.infer();
  EXPECT_THROW(session.update({.observations = {{"Person", {"c"}, 2.0}}}), std::invalid_argument);
  EXPECT_EQ(answer_of(session).values.size(), 2U);
  EXPECT_EQ(session.database().dictionary(session.program().predicates[0].domain(0)).size(), 2U);
}

// '007' and '7' are one integer, whichever data the update is repeated on.
TEST(SessionUpdate, LearnsFromTheLastStateOfAnAtomHoweverItIsWritten) {
  Session session = Session::from_text(R"j({"predicates": {
    "P/1": {"types": ["Integer"], "observations": [[1]]},
    "Q/1": {"types": ["Integer"], "targets": [[1], [7]], "truth": [[1, 1], [7, 0]]}},
    "rules": ["1: P(X) -> Q(X)", "2: !Q(X)"]})j");
  session.update({.observations = {{"P", {"007"}, 1.0}}});
  session.update({.observations = {{"P", {"7"}, std::nullopt}}});
  EXPECT_EQ(session.infer().statistics[0].terms, 1.0);
  EXPECT_EQ(session.learn().terms[0], 1.0);
}

TEST(SessionUpdate, AnAtomStandsOnceInAnUpdate) {
  Session session = Session::from_text(kOpenWorld);
  try {
    session.update({.observations = {{"Person", {"c"}, 1.0}, {"person", {"c"}, std::nullopt}}});
    FAIL() << "what is wanted is not known";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "update: Person('c') stands twice in the update");
  }
}

std::string refusal_of(Session& session, const SessionUpdate& update) {
  try {
    session.update(update);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(SessionUpdate, ARowIsRemovedFromWhereItIs) {
  for (const char* semantics : {"hinge", "markov-logic"}) {
    Session session = Session::from_text(R"j({"predicates": {
      "P/1": {"observations": [["a"]], "targets": [["b"]]}, "Q/1": {"targets": [["a"], ["b"]]}},
      "rules": ["1: P(X) -> Q(X)", "0.5: !Q(X)", "0.5: P(X)"]})j",
                                         {.semantics = semantics});
    session.infer();
    EXPECT_EQ(refusal_of(session, {.targets = {{"P", {"a"}, {}}}}),
              "update: P('a') cannot be removed: it is no target");
    EXPECT_EQ(refusal_of(session, {.observations = {{"P", {"b"}, {}}}}),
              "update: P('b') cannot be removed: it is not observed");
    EXPECT_EQ(
        refusal_of(session, {.observations = {{"P", {"c"}, 1.0}}, .targets = {{"P", {"c"}, 1.0}}}),
        "update: P('c') is observed and made a target in one update");
    EXPECT_EQ(
        refusal_of(session, {.observations = {{"P", {"a"}, 0.0}}, .targets = {{"P", {"a"}, {}}}}),
        "update: P('a') cannot be removed: it is no target");
    const auto rows = [&](Partition partition) {
      return session.database().relation(0).table(partition).num_rows;
    };
    EXPECT_EQ(rows(Partition::kObserved), 1U);
    session.update({.observations = {{"P", {"a"}, {}}}, .targets = {{"P", {"a"}, 1.0}}});
    EXPECT_EQ(rows(Partition::kObserved), 0U);
    EXPECT_EQ(rows(Partition::kTarget), 2U);
    EXPECT_EQ(session.infer().values.size(), 4U);
  }
}

TEST(SessionUpdate, ATargetThatIsObservedNowIsSoInDataThatIsReadLater) {
  Session session = Session::from_text(R"j({"predicates": {
    "P/1": {"targets": [["a"]]}, "Q/1": {"targets": [["a"]], "truth": [["a", 1]]}},
    "rules": ["1: P(X) -> Q(X)", "2: !Q(X)", "1: !P(X)"]})j");
  session.infer();
  session.update({.observations = {{"P", {"a"}, 1.0}}, .targets = {{"P", {"a"}, {}}}});
  EXPECT_EQ(session.learn().terms, (std::vector<double>{1.0, 1.0, 0.0}));
}

// As a model file with `rows`, JSON, of Topic has it.
std::string with_topics(const std::string& rows, const std::string& world = "") {
  return fmt::format(
      R"j({{"domains": {{"person": null}}, "predicates": {{
    "Has/1": {{"types": ["person"], "observations": [["p"], ["q"]]}},
    "Topic/1": {{"types": ["person"], "classes": ["AI", "ML", "DB"]{}{}}}}},
    "rules": ["1: Has(A) -> Topic(A, 'AI')"]}})j",
      world,
      rows.empty() ? "" : ", " + rows);
}

void expect_topics(Session& session, const std::string& rows, const std::string& world = "") {
  SCOPED_TRACE(rows + world);
  Session fresh =
      Session::from_text(with_topics(rows, world), options_of(std::string(session.semantics())));
  expect_equal(answer_of(session), answer_of(fresh), true);
}

// Targets that were given ask for all classes, those that came along ask for nothing.
TEST(SessionUpdate, ATargetOfOneClassComesAndGoesWithTheOthers) {
  const AtomChange put = {"Topic", {"p", "ML"}, 1.0}, removed = {"Topic", {"p", "ML"}, {}};
  const std::string one = R"j("targets": [["p", "ML"]])j", other = R"j("targets": [["q", "DB"]])j",
                    both = R"j("targets": [["q", "DB"], ["p", "ML"]])j",
                    open = R"j(, "world": "open")j";
  for (const bool asks : {true, false}) {
    SCOPED_TRACE(asks ? "after an answer" : "before one");
    const auto open_session = [&](const std::string& rows, const std::string& world = "") {
      Session session = Session::from_text(with_topics(rows, world), options_of("markov-logic"));
      if (asks) session.infer();
      return session;
    };
    Session of_open_world = open_session("", open);
    of_open_world.update({.targets = {put}});
    expect_topics(of_open_world, one, open);
    Session session = open_session(other);
    session.update({.targets = {put}});
    expect_topics(session, both);
    EXPECT_EQ(refusal_of(session, {.targets = {{"Topic", {"p", "AI"}, {}}}}),
              "update: Topic('p', 'AI') cannot be removed: it is no target");
    session.update({.targets = {{"Topic", {"p", "AI"}, 1.0}}});
    session.update({.targets = {removed}});
    expect_topics(session, both);  // AI asks for them now
    session.update({.targets = {{"Topic", {"p", "AI"}, {}}}});
    expect_topics(session, other);
    session.update({.observations = {{"Topic", {"q", "DB"}, 1.0}}, .targets = {put}});
    expect_topics(session, R"j("observations": [["q", "DB"]], "targets": [["p", "ML"]])j");
  }
}

TEST(SessionUpdate, LearningReadsTheTargetsThatAreLeftOfClasses) {
  const std::string truth = R"j(, "truth": [["p", "ML"], ["q", "AI"]])j";
  const std::string both = R"j("targets": [["q", "DB"], ["p", "ML"]])j" + truth;
  Session session = Session::from_text(with_topics(both), options_of("markov-logic"));
  session.update({.targets = {{"Topic", {"p", "ML"}, {}}}});
  Session fresh = Session::from_text(with_topics(R"j("targets": [["q", "DB"]])j" + truth),
                                     options_of("markov-logic"));
  const LearnReport learned = session.learn(), expected = fresh.learn();
  EXPECT_EQ(learned.weights, expected.weights);
  EXPECT_EQ(learned.terms, expected.terms);
}

// Targets of the first predicate with a choice, in their order.
std::vector<std::string> targets_in_order(Session& session) {
  std::vector<std::string> found;
  const Database& database = session.database();
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    const std::size_t count = database.relation(p).table(Partition::kTarget).num_rows;
    for (std::uint32_t row = 0; row < count; ++row) {
      found.push_back(atom_text(database, p, {Partition::kTarget, row}));
    }
  }
  return found;
}

TEST(SessionUpdate, WhatMarkovLogicDoesNotTakeIsRefusedAtOnceAndChangesNothing) {
  const std::string model = R"j({"semantics": "markov-logic", "predicates": {
    "Has/2": {"observations": [["p", "a"]]},
    "Dig/2": {"exactly-one": [1], "targets": [["p", "a"], ["p", "b"], ["p", "c"]]}},
    "rules": ["1: Has(A, W) -> Dig(A, W)"]})j";
  for (const bool asks : {false, true}) {
    Session session = Session::from_text(model);
    if (asks) session.infer();
    const std::vector<std::string> before = targets_in_order(session);
    for (const double value : {0.0, 0.5}) {
      EXPECT_THROW(session.update({.observations = {{"Dig", {"p", "a"}, value}}}), InputError);
    }
    try {
      session.update({.observations = {{"Dig", {"p", "a"}, 1.0}, {"Dig", {"p", "b"}, 1.0}}});
      FAIL() << "an atom has one class";
    } catch (const InputError& error) {
      EXPECT_TRUE(error.diagnostics()[0].notes.empty());  // there is no place to show
    }
    EXPECT_EQ(targets_in_order(session), before);
    EXPECT_EQ(answer_of(session).error, "");
    EXPECT_EQ(targets_in_order(session), before);
  }
}

TEST(SessionUpdate, ExplanationsAfterARefusedOneAreOfTheDataThereIs) {
  Session session =
      Session::from_text(with_topics(R"j("targets": [["p", "ML"]])j"), options_of("markov-logic"));
  session.infer();
  const std::vector<std::string> atoms = {"Topic('p', 'ML')"};
  const double before = session.explain(atoms).atoms[0].value;
  EXPECT_THROW(session.update({.observations = {{"Topic", {"q", "AI"}, 0.0}}}), InputError);
  EXPECT_EQ(session.explain(atoms).atoms[0].value, before);
}

// Of observed atoms alone, where the ground model follows what has changed.
TEST(SessionUpdate, ARefusalNamesTheAtomsThatAreMissing) {
  Session session = Session::from_text(R"j({"predicates": {
    "F/1": {"observations": [["a"], ["d"]]}, "P/1": {"targets": [["a"]]}, "Q/1": {"targets": [["a"]]}},
    "rules": ["1: P(A) & F(A) -> Q(A) ^2", "0.5: !Q(A) ^2"]})j");
  const Found before = answer_of(session);
  try {
    session.update({.observations = {{"P", {"d"}, 1.0}}});
    FAIL() << "Q('d') is neither observed nor a target";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("an atom that is neither observed nor a target: Q('d')"));
  }
  expect_equal(answer_of(session), before, true);
}

// Data that does not fit yet can be mended by one update after the other.
TEST(SessionUpdate, AStepTowardsDataThatFitsIsTaken) {
  Session session = Session::from_text(R"j({"semantics": "markov-logic", "predicates": {
    "P/1": {"observations": [["a", 0.5], ["b", 0.5]]}, "Q/1": {"targets": [["a"]]}},
    "rules": ["1: P(X) -> Q(X)"]})j");
  EXPECT_NE(answer_of(session).error, "");
  session.update({.observations = {{"P", {"a"}, 1.0}}});
  session.update({.observations = {{"P", {"b"}, 0.0}}});
  EXPECT_EQ(answer_of(session).error, "");
}

// The two ways out of where an atom stands in the model, and from there away.
TEST(SessionUpdate, AnAtomThatWasMovedAndRemovedIsGoneFromDataThatIsReadLater) {
  for (const bool is_observed : {true, false}) {
    Session session = Session::from_text(fmt::format(
        R"j({{"predicates": {{
          "P/1": {{{}}}, "Q/1": {{"targets": [["a"], ["b"]], "truth": [["a", 1], ["b", 1]]}}}},
        "rules": ["1: P(X) -> Q(X)", "2: !Q(X)", "1: !P(X)"]}})j",
        is_observed ? R"j("observations": [["a"]], "targets": [["b"]])j"
                    : R"j("targets": [["a"], ["b"]])j"));
    session.infer();
    const auto rows = [&] {
      const Relation& relation = session.database().relation(0);
      return relation.table(Partition::kObserved).num_rows +
             relation.table(Partition::kTarget).num_rows;
    };
    const AtomChange put = {"P", {"a"}, 1.0}, removed = {"P", {"a"}, {}};
    session.update(is_observed ? SessionUpdate{.targets = {put}}
                               : SessionUpdate{.observations = {put}});
    session.update(is_observed ? SessionUpdate{.targets = {removed}}
                               : SessionUpdate{.observations = {removed}});
    EXPECT_EQ(rows(), 1U) << is_observed;
    EXPECT_EQ(session.learn().terms, (std::vector<double>{1.0, 2.0, 1.0})) << is_observed;
    session.attach("Q", Partition::kTruth, Phase::kValidation, {"", 0, {{}}, {}});
    EXPECT_EQ(rows(), 1U) << is_observed;  // all is read anew
  }
}

// What is removed from one place alone stays in the other, where other data has it there.
TEST(SessionUpdate, AnAtomIsRemovedFromDataThatIsReadLaterWhereItWasRemoved) {
  Session session = Session::from_text(R"j({"predicates": {
    "P/1": {"observations": {"infer": [["a"]]}, "targets": {"learn": [["a"]]}, "truth": {"learn": [["a", 1]]}},
    "Q/1": {"targets": [["a"]], "truth": [["a", 1]]}},
    "rules": ["1: P(X) -> Q(X)", "2: !Q(X)"]})j");
  session.update({.observations = {{"P", {"a"}, {}}}});
  EXPECT_EQ(session.learn().terms, (std::vector<double>{1.0, 1.0}));
}

// Seconds of the processor that an update of so many observations and targets takes.
double seconds_of_update(std::size_t count) {
  Session session = Session::from_text(
      R"j({"predicates": {"P/1": {"observations": [["a"]]}, "Q/1": {"targets": [["a"]]}},
      "rules": ["1: P(X) -> Q(X)"]})j");
  session.database();  // reads it
  SessionUpdate update;
  for (std::size_t i = 0; i < count; ++i) {
    update.observations.push_back({"P", {fmt::format("observed {}", i)}, 1.0});
    update.targets.push_back({"Q", {fmt::format("target {}", i)}, 1.0});
  }
  const std::clock_t before = std::clock();
  session.update(update);
  return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
}

TEST(SessionUpdate, TakesTimeInProportionToItsRows) {
  constexpr std::size_t kRows = 4000, kTimes = 8;
  const double few = seconds_of_update(kRows), many = seconds_of_update(kTimes * kRows);
  RecordProperty("few", fmt::format("{}", few));
  RecordProperty("many", fmt::format("{}", many));
  // 64 times as long, if each looked at all others.
  EXPECT_LT(many, 3.0 * kTimes * few) << few << " s";
}

}  // namespace
}  // namespace sorites
