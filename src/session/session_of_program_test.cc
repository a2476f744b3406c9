// Sessions of rules and data that a caller has made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sorites
