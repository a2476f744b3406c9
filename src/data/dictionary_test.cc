#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <unordered_map>

#include "data/hash.h"
#include "data/intern.h"
#include "sorites/database.h"

namespace sorites {
namespace {

TEST(Dictionary, GivesCodesInOrderOfFirstAppearance) {
  Dictionary dictionary(ConstantType::kText);
  EXPECT_EQ(dictionary.intern("b"), 0U);
  EXPECT_EQ(dictionary.intern("a"), 1U);
  EXPECT_EQ(dictionary.intern("b"), 0U);
  EXPECT_EQ(dictionary.intern(""), 2U);
  EXPECT_EQ(dictionary.size(), 3U);
  EXPECT_EQ(dictionary.text(0), "b");
  EXPECT_EQ(dictionary.text(2), "");
  EXPECT_EQ(dictionary.find("a"), 1U);
  EXPECT_EQ(dictionary.find("c"), std::nullopt);
}

TEST(Dictionary, HoldsOneConstantPerNumber) {
  Dictionary integers(ConstantType::kInteger);
  EXPECT_EQ(integers.intern("007"), integers.intern("+7"));
  EXPECT_EQ(integers.text(0), "7");
  EXPECT_EQ(integers.integer(0), 7);
  EXPECT_EQ(integers.intern("-9223372036854775808"), 1U);
  EXPECT_EQ(integers.text(1), "-9223372036854775808");
  Dictionary reals(ConstantType::kReal);
  EXPECT_EQ(reals.intern("0.50"), reals.intern("5e-1"));
  EXPECT_EQ(reals.intern("-0"), reals.intern("0"));
  EXPECT_EQ(reals.text(0), "0.5");
  EXPECT_EQ(reals.real(0), 0.5);
}

TEST(Dictionary, RefusesTextsOfAnotherDomain) {
  Dictionary integers(ConstantType::kInteger);
  EXPECT_THROW(integers.intern("x"), std::invalid_argument);
  EXPECT_THROW(integers.intern("1.0"), std::invalid_argument);
  EXPECT_EQ(integers.find("x"), std::nullopt);
  EXPECT_EQ(integers.size(), 0U);
}

TEST(Dictionary, OrdersByTheDomain) {
  Dictionary texts(ConstantType::kText), integers(ConstantType::kInteger),
      reals(ConstantType::kReal);
  const auto less = [](Dictionary& d, const char* a, const char* b) {
    return d.less(d.intern(a), d.intern(b));
  };
  EXPECT_TRUE(less(texts, "10", "9"));
  EXPECT_TRUE(less(texts, "z", "\xC3\xA9"));
  EXPECT_TRUE(less(integers, "9", "10"));
  EXPECT_TRUE(less(integers, "-1", "0"));
  EXPECT_TRUE(less(reals, "-1.5", "-1"));
  EXPECT_FALSE(less(reals, "2", "2.0"));
}

TEST(Dictionary, AgreesWithAHashMapOnManyConstants) {
  std::mt19937_64 random(3);
  Dictionary texts(ConstantType::kText), integers(ConstantType::kInteger);
  std::unordered_map<std::string, Code> known;
  for (int i = 0; i < 200'000; ++i) {
    const std::string text = std::to_string(random() % 50'000);
    const auto code = known.try_emplace(text, static_cast<Code>(known.size())).first->second;
    ASSERT_EQ(texts.intern(text), code);
    ASSERT_EQ(integers.intern(text), code);
  }
  EXPECT_EQ(texts.size(), known.size());
  for (const auto& [text, code] : known) {
    ASSERT_EQ(texts.find(text), code);
    ASSERT_EQ(integers.find(text), code);
    ASSERT_EQ(texts.text(code), text);
  }
}

TEST(Dictionary, InternsManyAsItInternsOne) {
  std::mt19937_64 random(4);
  Dictionary one(ConstantType::kText), many(ConstantType::kText);
  for (int batch = 0; batch < 20; ++batch) {
    std::vector<std::string> texts(500);
    for (auto& text : texts)
      text = std::string(random() % 20, 'a') + std::to_string(random() % 999);
    std::vector<std::string_view> views(texts.begin(), texts.end());
    std::vector<std::uint32_t> hashes(texts.size());
    std::transform(texts.begin(), texts.end(), hashes.begin(), hash_text);
    std::vector<Code> codes(texts.size());
    intern_texts(many, views, hashes, codes);
    for (std::size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(codes[i], one.intern(texts[i]));
  }
}

TEST(Dictionary, CountsItsMemory) {
  Dictionary integers(ConstantType::kInteger);
  for (int i = 0; i < 100'000; ++i) integers.intern(std::to_string(i));
  EXPECT_GE(integers.memory_bytes(), 100'000U * (8 + 6));
  EXPECT_LE(integers.memory_bytes(), 100'000U * (12 + 13));
}

// The low bits are tags, the high bits choose slots: patterned keys must fill both evenly.
TEST(Hash, SpreadsPatternedKeys) {
  constexpr std::size_t kBuckets = 1024, kKeys = 64 * kBuckets;
  for (const unsigned shift : {0U, 8U, 20U, 32U, 40U}) {
    std::vector<int> high(kBuckets), low(kBuckets);
    for (std::uint64_t i = 0; i < kKeys; ++i) {
      const std::uint32_t hash = hash_number(i << shift);
      ++high[hash >> 22U];
      ++low[hash % kBuckets];
    }
    for (std::size_t b = 0; b < kBuckets; ++b) {
      ASSERT_NEAR(high[b], 64, 56) << shift;
      ASSERT_NEAR(low[b], 64, 56) << shift;
    }
  }
}

TEST(Hash, SpreadsGridsOfPairs) {
  constexpr std::size_t kBuckets = 1024;
  std::vector<int> high(kBuckets), low(kBuckets);
  for (Code a = 0; a < 256; ++a) {
    for (Code b = 0; b < 256; ++b) {
      const Code pair[] = {a, b};
      const std::uint32_t hash = hash_row(2, [&](std::size_t k) { return pair[k]; });
      ++high[hash >> 22U];
      ++low[hash % kBuckets];
    }
  }
  for (std::size_t b = 0; b < kBuckets; ++b) {
    ASSERT_NEAR(high[b], 64, 56);
    ASSERT_NEAR(low[b], 64, 56);
  }
}

}  // namespace
}  // namespace sorites
