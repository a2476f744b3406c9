#include "data/open_world.h"

#include <gtest/gtest.h>

#include <stop_token>
#include <string>

#include "sorites/diagnostic.h"

namespace sorites {
namespace {

TEST(AddUnknownAtoms, MakesTargetsOfWhatIsNeitherObservedNorOne) {
  constexpr ArgumentType kText = ArgumentType::kString;
  Database database({{.name = "Near", .types = {kText, kText}, .open = true, .open_world = true}});
  for (int i = 0; i < 100; ++i) {
    database.add(Partition::kObserved, "Near", {std::to_string(i), std::to_string(i / 2)});
  }
  database.add(Partition::kTarget, "Near", {"7", "9"});
  EXPECT_EQ(add_unknown_atoms(database, 0), 100U * 100U - 101U);
  EXPECT_EQ(database.relation(0).table(Partition::kTarget).num_rows, 100U * 100U - 100U);
  EXPECT_EQ(database.origin(0, {Partition::kTarget, 5}), Span{});
  std::stop_source stop;
  stop.request_stop();
  for (int i = 100; i < 200; ++i) {
    database.add(Partition::kObserved, "Near", {std::to_string(i), "0"});
  }
  EXPECT_THROW(add_unknown_atoms(database, 0, stop.get_token()), Interrupted);
}

}  // namespace
}  // namespace sorites
