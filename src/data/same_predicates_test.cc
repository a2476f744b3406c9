#include "data/same_predicates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace sorites {
namespace {

using testing::HasSubstr;

constexpr auto kText = ArgumentType::kUniqueStringId;

Program knows_and_likes() {
  Program program;
  program.domains.push_back({.name = "person"});
  program.predicates = {{.name = "Knows", .types = {kText, kText}, .open = true},
                        {.name = "Likes", .types = {kText}, .domains = {3}}};
  return program;
}

std::string difference(const Program& program, const Database& database) {
  try {
    require_same_predicates(program, database);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(SamePredicates, WorldsAndListedConstantsMayDiffer) {
  Program program = knows_and_likes();
  const Database database(program.predicates, program.domains);
  EXPECT_EQ(difference(program, database), "none");
  program.predicates[0].open = false;
  program.domains[3].constants = {"ann"};
  EXPECT_EQ(difference(program, database), "none");
  EXPECT_EQ(difference({}, Database(std::vector<Predicate>{})), "none");
}

TEST(SamePredicates, NumbersNamesAndAritiesMayNot) {
  const Program program = knows_and_likes();
  EXPECT_THAT(difference(program, Database(std::vector<Predicate>{}, program.domains)),
              HasSubstr("predicates number 2 in the program and 0 in the database"));
  std::vector<Predicate> others = program.predicates;
  std::swap(others[0], others[1]);
  EXPECT_THAT(difference(program, Database(others, program.domains)),
              HasSubstr("predicate 0 is `Knows/2` in the program and `Likes/1` in the database"));
  others = program.predicates;
  others[0].types.pop_back();
  EXPECT_THAT(difference(program, Database(others, program.domains)), HasSubstr("`Knows/1`"));
}

TEST(SamePredicates, DomainsMayNot) {
  const Program program = knows_and_likes();
  std::vector<Predicate> others = program.predicates;
  others[0].types[1] = ArgumentType::kInteger;
  EXPECT_THAT(difference(program, Database(others, program.domains)),
              HasSubstr("argument 2 of `Knows` has domain 0 in the program and 1"));
  others = program.predicates;
  others[1].domains = {3, 3};
  EXPECT_THAT(difference(program, Database(others, program.domains)),
              HasSubstr("`Likes/1` has 2 domains"));
  EXPECT_THAT(difference(program, Database(program.predicates)),
              HasSubstr("domains number 4 in the program and 3 in the database"));
  std::vector<Domain> domains = program.domains;
  domains[3].type = ConstantType::kInteger;
  EXPECT_THAT(difference(program, Database(program.predicates, domains)),
              HasSubstr("constants of domain 3, `person`, have another type"));
}

}  // namespace
}  // namespace sorites
