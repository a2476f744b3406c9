#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "sorites/c_api.h"

namespace sorites {
namespace {

// Whoever looks at the stop while another call puts a new one there has a data race, which the
// thread sanitizer sees (`make tsan`); without it, this passes mostly.
TEST(CApiStop, MayBeAskedForWhileCallsBeginAndEnd) {
  sorites_session* session = sorites_open_text(
      R"json({"predicates": {"P/1": {"targets": [["a"]]}}, "rules": ["1: P(X)"]})json", nullptr);
  ASSERT_NE(session, nullptr) << sorites_last_error();
  ASSERT_EQ(sorites_infer(session), ::sorites_done);
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends) sorites_stop(session);
  });
  constexpr int kCalls = 20'000;
  for (int call = 0; call < kCalls; ++call) {
    ASSERT_NE(sorites_ask(session, "warnings", nullptr), nullptr) << sorites_last_error();
  }
  ends = true;
  other.join();
  EXPECT_EQ(sorites_infer(session), ::sorites_done);  // what was asked for before it is over
  sorites_close(session);
}

}  // namespace
}  // namespace sorites
