#include "base/shown_number.h"

#include <gtest/gtest.h>

#include <limits>

namespace sorites {
namespace {

TEST(Shown, HasNoSignWhereNothingIsLeft) {
  EXPECT_EQ(fmt::format("{:.4f}", Shown{-0.0}), "0.0000");
  EXPECT_EQ(fmt::format("{:.4f}", Shown{-0.00001}), "0.0000");
  EXPECT_EQ(fmt::format("{:.4g}", Shown{-0.0}), "0");
  EXPECT_EQ(fmt::format("{:+.2f}", Shown{-0.001}), "+0.00");
  EXPECT_EQ(fmt::format("{}", Shown{-0.0}), "0");
}

TEST(Shown, IsTheNumberOtherwise) {
  EXPECT_EQ(fmt::format("{:.4f}", Shown{-0.00006}), "-0.0001");
  EXPECT_EQ(fmt::format("{:.4g}", Shown{-1e-9}), "-1e-09");
  EXPECT_EQ(fmt::format("{:8.2f}", Shown{2.5}), "    2.50");
  EXPECT_EQ(fmt::format("{:.3f}", Shown{-std::numeric_limits<double>::infinity()}), "-inf");
}

}  // namespace
}  // namespace sorites
