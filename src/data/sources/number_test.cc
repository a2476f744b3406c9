#include "data/sources/number.h"

#include <gtest/gtest.h>

#include <charconv>
#include <random>
#include <string>

#include "base/constant.h"

namespace sorites {
namespace {

TEST(ReadShortDecimal, EqualsFromChars) {
  std::mt19937_64 random(1);
  int num_read = 0;
  for (int i = 0; i < 2'000'000; ++i) {
    std::string text = std::to_string(random() >> (random() % 64));
    text.insert(random() % (text.size() + 1), ".");
    if (random() % 8 == 0) text += std::to_string(random() % 100000);
    text += '\n';
    double expected = 0.0, got = 0.0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), expected).ptr;
    const char* p = text.data();
    if (!read_short_decimal(p, got)) continue;
    ++num_read;
    ASSERT_EQ(p, end) << text;
    ASSERT_EQ(got, expected) << text;
  }
  EXPECT_GT(num_read, 500'000);
}

TEST(ReadShortDecimal, LeavesAllElseToFromChars) {
  for (const std::string text : {"",
                                 ".5",
                                 "5.",
                                 "-1",
                                 "+1",
                                 "1e5",
                                 "0.1E2",
                                 "9007199254740993",
                                 "0.1234567890123456789",
                                 "x"}) {
    const std::string line = text + "\n";
    const char* p = line.data();
    double value = 0.0;
    EXPECT_FALSE(read_short_decimal(p, value)) << text;
    EXPECT_EQ(p, line.data());
  }
}

TEST(ReadShortInteger, EqualsParseInteger) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto number = static_cast<std::int64_t>(random()) >> (random() % 64);
    const std::string text = std::to_string(number) + "\t";
    const char* p = text.data();
    std::int64_t got = 0;
    if (!read_short_integer(p, got)) {
      ASSERT_GE(text.size(), 20U) << text;
      continue;
    }
    ASSERT_EQ(got, number);
    ASSERT_EQ(*p, '\t');
  }
}

TEST(ReadShortInteger, RefusesWhatIsNotShortAndPlain) {
  for (const std::string text : {"", "-", "+1", "x", "1234567890123456789"}) {
    const std::string line = text + "\n";
    const char* p = line.data();
    std::int64_t number = 0;
    EXPECT_FALSE(read_short_integer(p, number)) << text;
  }
}

TEST(ParseValue, TellsWhatIsNoNumberFromWhatIsOutOfRange) {
  double value = 0.0;
  for (const auto* text : {"0", "1", "0.5", "1e-3", "+0.5", ".5", "1.", "-0", "1e-300"}) {
    EXPECT_EQ(parse_value(text, value), ValueStatus::kGood) << text;
  }
  for (const auto* text : {"1.0001", "-0.1", "nan", "inf", "-inf", "1e999", "2"}) {
    EXPECT_EQ(parse_value(text, value), ValueStatus::kOutOfRange) << text;
  }
  for (const auto* text : {"", "x", "1x", "0,5", "1 ", "+", "+-1", "0x1"}) {
    EXPECT_EQ(parse_value(text, value), ValueStatus::kNotANumber) << text;
  }
}

}  // namespace
}  // namespace sorites
