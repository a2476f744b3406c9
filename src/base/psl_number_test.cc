#include "base/psl_number.h"

#include <gtest/gtest.h>

namespace sorites {
namespace {

TEST(PslNumber, HasTheFormOfJavaFloats) {
  EXPECT_EQ(psl_number(0.0), "0.0");
  EXPECT_EQ(psl_number(1.0), "1.0");
  EXPECT_EQ(psl_number(-2.0), "-2.0");
  EXPECT_EQ(psl_number(0.29952204), "0.29952204");
  EXPECT_EQ(psl_number(8.187412e-6), "8.187412E-6");
  EXPECT_EQ(psl_number(1e-3), "0.001");
  EXPECT_EQ(psl_number(1e-4), "1.0E-4");
  EXPECT_EQ(psl_number(1e7), "1.0E7");
  EXPECT_EQ(psl_number(1.0 / 3), "0.33333334");
}

}  // namespace
}  // namespace sorites
