#include "base/stable_hash.h"

#include <gtest/gtest.h>

#include <set>

namespace sorites {
namespace {

template <class... Parts>
std::uint64_t hash_of(const Parts&... parts) {
  StableHash hash;
  (hash.add(parts), ...);
  return hash.value();
}

// Files of earlier versions hold them.
TEST(StableHash, IsTheSameForEver) {
  EXPECT_EQ(hash_of(), 14695981039346656037U);
  EXPECT_EQ(hash_of(std::uint64_t{1}), 6522365721952710360U);
  EXPECT_EQ(hash_of(0.5), 14077006459501505261U);
  EXPECT_EQ(hash_of(std::string_view("model.json")), 5385211611109732955U);
}

TEST(StableHash, TellsPartsAndTheirOrderApart) {
  using Text = std::string_view;
  const std::set<std::uint64_t> all = {hash_of(Text("a"), Text("bc")),
                                       hash_of(Text("ab"), Text("c")),
                                       hash_of(Text("abc")),
                                       hash_of(Text("bc"), Text("a")),
                                       hash_of(Text("")),
                                       hash_of(),
                                       hash_of(0.0),
                                       hash_of(-0.0, 0.0)};
  EXPECT_EQ(all.size(), 7U);  // a text of no bytes is its length, 0, as the number is
}

}  // namespace
}  // namespace sorites
