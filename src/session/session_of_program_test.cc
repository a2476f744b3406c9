// Sessions of rules and data that a caller has made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "sorites/session.h"

namespace sorites {
namespace {

constexpr auto kText = ArgumentType::kUniqueStringId;

Program knows() {
  Program program;
  program.predicates = {{.name = "Knows", .types = {kText, kText}, .open = true},
                        {.name = "Likes", .types = {kText}}};
  add_rules(program, "1: Likes(A) & Knows(A, B) -> Knows(B, A)\n2: Knows(A, B)");
  return program;
}

Database strangers() {
  Database database(knows().predicates);
  database.add(Partition::kTarget, "Knows", {"a", "b"});
  database.add(Partition::kTarget, "Knows", {"b", "a"});
  database.add(Partition::kObserved, "Likes", {"a"});
  return database;
}

TEST(SessionOfAProgram, InfersIt) {
  Session session(knows(), strangers());
  EXPECT_THAT(session.infer().values, testing::SizeIs(2));
}

TEST(SessionOfAProgram, RefusesADatabaseOfOtherPredicates) {
  for (const char* semantics : {"hinge", "markov-logic"}) {
    EXPECT_THROW(Session(knows(), Database(std::vector<Predicate>{}), {.semantics = semantics}),
                 std::invalid_argument);
    EXPECT_THROW(Session(knows(), Database({knows().predicates[0]}), {.semantics = semantics}),
                 std::invalid_argument);
  }
}

std::vector<double> weights_of(const InferResult& result) {
  std::vector<double> weights;
  for (const GroundRule& rule : result.rules) weights.push_back(rule.weight);
  return weights;
}

TEST(SessionOfAProgram, NumbersRulesThatHaveNoNumbers) {
  Program program = knows();
  for (Rule& rule : program.rules) rule.id = 0;
  Session session(program, strangers());
  session.update({.weights = {{1, 5.0}}});
  EXPECT_THAT(weights_of(session.infer()), testing::ElementsAre(1.0, 5.0));
}

TEST(SessionOfAProgram, KeepsNumbersAndRefusesThoseThatStandTwice) {
  Program program = knows();
  program.rules[0].id = 7;
  program.rules[1].id = 3;
  Session session(program, strangers());
  session.update({.weights = {{3, 5.0}}});
  EXPECT_THAT(weights_of(session.infer()), testing::ElementsAre(1.0, 5.0));
  program.rules[0].id = 3;
  EXPECT_THROW(Session(program, strangers()), std::invalid_argument);
}

TEST(SessionOfAProgram, HasNoStateToSaveBeforeItsFirstAnswer) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("sorites_first_" + std::to_string(::getpid()) + ".state"))
                               .string();
  Session session(knows(), strangers());
  EXPECT_THROW(session.save_state(path), std::logic_error);
  EXPECT_FALSE(std::filesystem::exists(path));
  session.infer();
  session.save_state(path);
  Session other(knows(), strangers());
  EXPECT_TRUE(other.infer({.warm_start = path}).is_usable());
  std::filesystem::remove(path);
}

TEST(SessionOfAProgram, IsNoModelFileToBeWritten) {
  Session session(knows(), strangers());
  const std::string path =
      (std::filesystem::temp_directory_path() / "sorites_no_model.json").string();
  EXPECT_THROW(session.save_model(path), InputError);
  EXPECT_THROW(session.learn({.output = path}), InputError);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace sorites
