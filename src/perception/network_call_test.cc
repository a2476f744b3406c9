#include "perception/network_call.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace sorites {
namespace {

TEST(NetworkCall, IsSeenWhileItLasts) {
  using namespace std::chrono_literals;
  EXPECT_EQ(seconds_in_network_call(), 0.0);
  {
    const NetworkCall outer;
    std::this_thread::sleep_for(2ms);
    const NetworkCall inner;
    EXPECT_GE(seconds_in_network_call(), 0.002);
  }
  EXPECT_EQ(seconds_in_network_call(), 0.0);
  const NetworkCall next;  // counts from its own begin
  EXPECT_LT(seconds_in_network_call(), 1.0);
}

}  // namespace
}  // namespace sorites
