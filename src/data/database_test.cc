#include "sorites/database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "data/insert.h"
#include "data/sources/load.h"

namespace sorites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Database example() {
  Predicate likes, age;
  likes.name = "Likes";
  likes.types = {2, ArgumentType::kUniqueStringId};
  age.name = "Age";
  age.types = {ArgumentType::kUniqueStringId, ArgumentType::kInteger};
  return Database({likes, age});
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no exception";
}

TEST(Database, HoldsWhatIsAdded) {
  Database database = example();
  database.add(Partition::kObserved, "Likes", {"ann", "tea"}, 0.8);
  database.add(Partition::kTarget, "LIKES", {"bob", "tea"});
  database.add(Partition::kTruth, "likes", {"ann", "tea"}, 0.0);
  database.add(Partition::kObserved, "Age", {"ann", "042"});
  const Relation& likes = database.relation(0);
  EXPECT_EQ(likes.table(Partition::kObserved).value(0), 0.8);
  EXPECT_EQ(likes.table(Partition::kTruth).value(0), 0.0);
  EXPECT_TRUE(likes.table(Partition::kTarget).values.empty());
  EXPECT_THAT(database.arguments(0, {Partition::kTarget, 0}), ElementsAre("bob", "tea"));
  EXPECT_THAT(database.arguments(1, {Partition::kObserved, 0}), ElementsAre("ann", "42"));
  EXPECT_EQ(database.dictionary(builtin_domain(ArgumentType::kString)).size(), 3U);
  EXPECT_EQ(database.origin(0, {Partition::kObserved, 0}), Span{});
}

TEST(Database, RefusesRowsThatDoNotFitAndStaysAsItWas) {
  Database database = example();
  database.add(Partition::kObserved, "Likes", {"ann", "tea"});
  const auto add = [&](Partition partition,
                       std::string_view predicate,
                       std::initializer_list<std::string_view> arguments,
                       double value = 1.0) {
    return message_of([&] { database.add(partition, predicate, arguments, value); });
  };
  EXPECT_EQ(add(Partition::kObserved, "Hates", {"x"}), "there is no predicate Hates");
  EXPECT_EQ(add(Partition::kObserved, "Likes", {"x"}),
            "the row has 1 argument, but Likes has 2 arguments");
  EXPECT_EQ(add(Partition::kObserved, "Age", {"x", "old"}),
            "argument 2 of Age is an integer, not `old`");
  EXPECT_EQ(add(Partition::kObserved, "Likes", {"x", "y"}, 1.5),
            "the truth value 1.5 is outside [0, 1]");
  EXPECT_THAT(add(Partition::kObserved, "Likes", {"x", "y"}, std::nan("")), HasSubstr("outside"));
  EXPECT_EQ(add(Partition::kObserved, "Likes", {"ann", "tea"}),
            "Likes('ann', 'tea') stands twice in the observations");
  EXPECT_EQ(add(Partition::kTarget, "Likes", {"ann", "tea"}),
            "Likes('ann', 'tea') is both observed and a target");
  EXPECT_EQ(database.dictionary(builtin_domain(ArgumentType::kString)).size(), 2U);
  EXPECT_EQ(database.relation(0).table(Partition::kObserved).num_rows, 1U);
}

TEST(Database, CountsSpareMemoryToo) {
  Database database = example();
  const std::size_t before = database.memory_bytes();
  for (int i = 0; i < 1000; ++i) {
    database.add(Partition::kObserved, "Age", {"ann", std::to_string(i)}, 0.5);
  }
  EXPECT_GE(database.memory_bytes() - before, 1000U * (2 * 4 + 8 + 6 + 8 + 6));
}

TEST(Database, IsAValue) {
  Database database = example();
  database.add(Partition::kObserved, "Likes", {"ann", "tea"});
  Database copy = database;
  copy.add(Partition::kObserved, "Likes", {"bob", "tea"});
  EXPECT_EQ(database.relation(0).table(Partition::kObserved).num_rows, 1U);
  EXPECT_EQ(copy.relation(0).table(Partition::kObserved).num_rows, 2U);
}

TEST(Database, KeepsUnaryPotentialsApartFromRows) {
  Database database = example();
  database.add(Partition::kObserved, "Likes", {"ann", "tea"});
  database.add_potential("likes", {"ann", "tea"}, 1.25);
  database.add_potential("Likes", {"bob", "tea"}, -30.0);
  const Table& potentials = database.potentials(0);
  EXPECT_EQ(potentials.num_rows, 2U);
  EXPECT_EQ(potentials.value(0), 1.25);
  EXPECT_EQ(potentials.value(1), -30.0);
  EXPECT_THAT(potentials.columns[0], ElementsAre(0, 2));
  EXPECT_EQ(database.potential_origin(0, 1).file, "");
  EXPECT_EQ(database.relation(0).table(Partition::kObserved).num_rows, 1U);
  EXPECT_EQ(database.potentials(1).num_rows, 0U);
}

TEST(Database, RefusesPotentialsThatAreNone) {
  Database database = example();
  database.add_potential("Likes", {"ann", "tea"}, 1.0);
  const auto added = [&](std::initializer_list<std::string_view> arguments, double log_odds) {
    return message_of([&] { database.add_potential("Likes", arguments, log_odds); });
  };
  EXPECT_EQ(added({"ann", "tea"}, 2.0), "Likes('ann', 'tea') has a unary potential already");
  EXPECT_EQ(added({"ann", "milk"}, NAN), "a unary potential is a finite number");
  EXPECT_EQ(added({"ann", "milk"}, INFINITY), "a unary potential is a finite number");
  EXPECT_THAT(added({"ann"}, 1.0), HasSubstr("1 argument"));
  EXPECT_THAT(message_of([&] { database.add_potential("Hates", {"ann"}, 1.0); }),
              HasSubstr("no predicate"));
  EXPECT_EQ(database.potentials(0).num_rows, 1U);
  EXPECT_EQ(database.dictionary(0).size(), 2U);
}

TEST(Database, RefusesConstantsThatAClosedDomainDoesNotList) {
  Predicate label;
  label.name = "Label";
  label.types = {2, ArgumentType::kUniqueStringId};
  label.domains = {0, 3};
  label.has_classes = true;
  std::vector<Domain> domains = builtin_domains();
  domains.push_back({"topic", ConstantType::kText, {"Robots", "Logic"}, true});
  Database database({label}, domains);
  database.add(Partition::kObserved, "Label", {"P1", "Logic"});
  EXPECT_EQ(message_of([&] {
              database.add(Partition::kTarget, "Label", {"P1", "Logik"});
            }),
            "`Logik` is no class of Label");
  EXPECT_EQ(message_of([&] {
              database.add_potential("Label", {"P1", "x"}, 1.0);
            }),
            "`x` is no class of Label");
  EXPECT_EQ(database.dictionary(3).size(), 2U);
}

TEST(AddRow, KeepsThePlaceAndReportsMistakesThere) {
  Database database = example();
  Diagnostics sink;
  const std::string_view atom[] = {"ann", "tea"};
  const std::string_view other[] = {"bob", "tea"};
  add_row(database, {0, Partition::kObserved, atom, 0.5, {"m.json", 3, 9, 2}}, sink);
  add_row(database, {0, Partition::kObserved, other, std::nullopt, {"m.json", 7, 9, 2}}, sink);
  EXPECT_FALSE(sink.has_errors());
  EXPECT_EQ(database.origin(0, {Partition::kObserved, 0}), (Span{"m.json", 3, 0, 0}));
  EXPECT_EQ(database.origin(0, {Partition::kObserved, 1}), (Span{"m.json", 7, 0, 0}));
  EXPECT_EQ(database.relation(0).table(Partition::kObserved).value(1), 1.0);

  add_row(database, {0, Partition::kTarget, atom, 1.0, {"m.json", 8, 9, 2}}, sink);
  ASSERT_EQ(sink.num_errors(), 1U);
  EXPECT_EQ(render(sink.all()[0]),
            "m.json:8:9: error: Likes('ann', 'tea') is both observed and a target "
            "[observed-and-target]\n"
            "   m.json:3: it is observed here\n"
            "   hint: an atom is either known or to be inferred: delete one of the two rows\n");
}

}  // namespace
}  // namespace sorites
