#include "base/constant.h"

#include <gtest/gtest.h>

namespace sorites {
namespace {

TEST(CanonicalConstant, GivesOneTextPerConstant) {
  EXPECT_EQ(canonical_constant(ConstantType::kText, " a "), " a ");
  EXPECT_EQ(canonical_constant(ConstantType::kInteger, "007"), "7");
  EXPECT_EQ(canonical_constant(ConstantType::kInteger, "-0"), "0");
  EXPECT_EQ(canonical_constant(ConstantType::kReal, ".50"), "0.5");
  EXPECT_EQ(canonical_constant(ConstantType::kReal, "1E20"), "1e20");
}

TEST(CanonicalConstant, RejectsWhatIsNoneOfItsDomain) {
  for (const auto* text : {"", "x", "1.0", "1 ", "+-1", "9223372036854775808"}) {
    EXPECT_EQ(canonical_constant(ConstantType::kInteger, text), std::nullopt) << text;
  }
  for (const auto* text : {"", "x", "inf", "nan", "1e999", "1.0.0"}) {
    EXPECT_EQ(canonical_constant(ConstantType::kReal, text), std::nullopt) << text;
  }
}

TEST(ToText, ReadsBackAsTheSameNumber) {
  for (const double number : {0.1, 1e20, 1e-7, 1.0 / 3, 5e-324, -2.5}) {
    EXPECT_EQ(parse_real(to_text(number)), number);
  }
}

}  // namespace
}  // namespace sorites
