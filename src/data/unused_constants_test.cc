#include "data/unused_constants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/change.h"

namespace sorites {
namespace {

using testing::ElementsAre;

// Likes(person, thing) over domains of their own; `tea` is listed.
Database likes() {
  const std::vector<Domain> domains = {{.name = "String", .type = ConstantType::kText},
                                       {.name = "Integer", .type = ConstantType::kInteger},
                                       {.name = "Real", .type = ConstantType::kReal},
                                       {.name = "person", .type = ConstantType::kText},
                                       {.name = "thing", .constants = {"tea"}}};
  constexpr auto kText = ArgumentType::kUniqueStringId;
  Database database({{.name = "Likes", .types = {kText, kText}, .domains = {3, 4}},
                     {.name = "Nice", .types = {kText}, .open = true, .domains = {3}}},
                    domains);
  database.add(Partition::kObserved, "Likes", {"ann", "milk"});
  database.add(Partition::kObserved, "Likes", {"bob", "cake"});
  database.add(Partition::kTarget, "Nice", {"cid"});
  return database;
}

TEST(UnusedConstants, AreThoseOfTheLastRowThatGoes) {
  const Database database = likes();
  const std::vector<RowChange> bob = {{0, {"bob", "cake"}, {}}};
  EXPECT_TRUE(leave_unused_constants(database, bob));
  // His cake goes to somebody else, and so does he.
  const std::vector<RowChange> moved = {
      {0, {"bob", "cake"}, {}}, {0, {"bob", "milk"}, 1.0}, {0, {"ann", "cake"}, 1.0}};
  EXPECT_FALSE(leave_unused_constants(database, moved));
}

TEST(UnusedConstants, GoAndTheOthersKeepTheirOrderAndRows) {
  Database database = likes();
  apply_changes(database, std::vector<RowChange>{{0, {"ann", "milk"}, {}}});
  const NewCodes codes = remove_unused_constants(database);
  EXPECT_THAT(codes[3], ElementsAre(kNoCode, 0U, 1U));
  EXPECT_THAT(codes[4], ElementsAre(0U, kNoCode, 1U));  // what is listed stays
  EXPECT_EQ(database.dictionary(3).size(), 2U);
  EXPECT_THAT(database.arguments(0, {Partition::kObserved, 0}), ElementsAre("bob", "cake"));
  const Code bob = *database.dictionary(3).find("bob"), cake = *database.dictionary(4).find("cake");
  EXPECT_TRUE(database.relation(0).find(std::vector<Code>{bob, cake}).has_value());
  EXPECT_TRUE(remove_unused_constants(database).empty());
}

}  // namespace
}  // namespace sorites
