#include "hinge/ground/memory_watch.h"

#include <gtest/gtest.h>

#include "base/memory_limit.h"

namespace sorites {
namespace {

constexpr double kMega = 1e6, kGiga = 1e9;

// Whether a rule is given up of which 100 bytes per binding are there.
bool gives_up(BindingsSoFar so_far) {
  MemoryWatch watch{std::stop_token()};
  so_far.bytes = 100.0 * so_far.count;
  watch.guess(so_far);
  return watch.is_over();
}

class MemoryWatchTest : public testing::Test {
 protected:
  MemoryWatchTest() { set_memory_limit(static_cast<std::uint64_t>(8 * kGiga)); }
  ~MemoryWatchTest() override { set_memory_limit(kNoMemoryLimit); }
};

TEST_F(MemoryWatchTest, GivesUpAtOnceIfTheNumberOfBindingsIsKnown) {
  EXPECT_TRUE(gives_up({.count = kMega, .share = 0.5, .estimated_count = kGiga, .exact = true}));
  EXPECT_FALSE(
      gives_up({.count = kMega, .share = 0.01, .estimated_count = 70 * kMega, .exact = true}));
  // Too few of them to say what bindings are like.
  EXPECT_FALSE(gives_up({.count = 10.0, .share = 0.5, .estimated_count = kGiga, .exact = true}));
}

TEST_F(MemoryWatchTest, BelievesEstimatesThatAgree) {
  EXPECT_TRUE(gives_up({.count = kMega, .share = 1e-3, .estimated_count = kGiga}));
  // Ten gigabytes might be less than half of it.
  EXPECT_FALSE(gives_up({.count = kMega, .share = 1e-2, .estimated_count = kGiga / 10}));
}

// A hub that comes first, or columns that go together: a model that fits is not refused.
TEST_F(MemoryWatchTest, GoesOnIfOneOfTwoEstimatesFits) {
  EXPECT_FALSE(gives_up({.count = kMega, .share = 1e-4, .estimated_count = 2 * kMega}));
  EXPECT_FALSE(gives_up({.count = kMega, .share = 0.2, .estimated_count = 5 * kGiga}));
  EXPECT_TRUE(gives_up({.count = kMega, .share = 0.2, .estimated_count = 100 * kGiga}));
}

}  // namespace
}  // namespace sorites
