#include "perception/read_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "data/test_folder.h"

namespace sorites {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::FloatNear;
using ::testing::HasSubstr;

// A NumPy file with this head, and numbers behind it.
template <class T>
std::string npy(std::string_view head, const std::vector<T>& numbers) {
  std::string bytes = "\x93NUMPY";
  bytes += {'\1', '\0'};
  bytes += static_cast<char>(head.size() & 255U);
  bytes += static_cast<char>(head.size() >> 8U);
  bytes += head;
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
  return bytes;
}

std::string head_for(std::string_view descr, bool fortran, std::string_view shape) {
  return "{'descr': '" + std::string(descr) +
         "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + std::string(shape) + ", }    \n";
}

std::string idx(unsigned char type,
                const std::vector<unsigned>& extents,
                std::string_view numbers) {
  std::string bytes = {'\0', '\0', static_cast<char>(type), static_cast<char>(extents.size())};
  for (const unsigned extent : extents) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(extent >> shift);
  }
  return bytes + std::string(numbers);
}

FeatureArray good(const std::optional<FeatureArray>& array, Diagnostics& sink) {
  EXPECT_TRUE(array.has_value());
  for (const Diagnostic& d : sink.all()) ADD_FAILURE() << render(d);
  return array.value_or(FeatureArray{});
}

FeatureArray npy_array(const std::string& bytes) {
  Diagnostics sink;
  return good(parse_npy(bytes, "a.npy", sink), sink);
}

FeatureArray idx_array(const std::string& bytes) {
  Diagnostics sink;
  return good(parse_idx(bytes, "a.idx", sink), sink);
}

// The text of the only diagnostic.
std::string message_of(const std::function<std::optional<FeatureArray>(Diagnostics&)>& read) {
  Diagnostics sink;
  EXPECT_FALSE(read(sink).has_value());
  EXPECT_EQ(sink.num_errors(), 1U);
  return sink.all().empty() ? "" : render(sink.all()[0]);
}

std::string npy_error(const std::string& bytes) {
  return message_of([&](Diagnostics& sink) { return parse_npy(bytes, "a.npy", sink); });
}

std::string idx_error(const std::string& bytes) {
  return message_of([&](Diagnostics& sink) { return parse_idx(bytes, "a.idx", sink); });
}

TEST(ParseNpy, ReadsEveryTypeOfNumber) {
  const auto expect = [](std::string_view descr, const auto& numbers) {
    const FeatureArray array = npy_array(npy(head_for(descr, false, "(2, 1)"), numbers));
    EXPECT_THAT(array.shape, ElementsAre(1)) << descr;
    EXPECT_THAT(array.values, ElementsAre(3.0F, 100.0F)) << descr;
  };
  expect("|i1", std::vector<std::int8_t>{3, 100});
  expect("<i2", std::vector<std::int16_t>{3, 100});
  expect("<i4", std::vector<std::int32_t>{3, 100});
  expect("<i8", std::vector<std::int64_t>{3, 100});
  expect("|u1", std::vector<std::uint8_t>{3, 100});
  expect("<u2", std::vector<std::uint16_t>{3, 100});
  expect("<u4", std::vector<std::uint32_t>{3, 100});
  expect("<u8", std::vector<std::uint64_t>{3, 100});
  expect("<f4", std::vector<float>{3, 100});
  expect("<f8", std::vector<double>{3, 100});
  expect(">u2", std::vector<std::uint16_t>{3 << 8, 100 << 8});
}

TEST(ParseNpy, ReadsBothOrders) {
  const std::vector<float> rows = {1, 2, 3, 4, 5, 6}, columns = {1, 4, 2, 5, 3, 6};
  const FeatureArray c = npy_array(npy(head_for("<f4", false, "(2, 3)"), rows));
  const FeatureArray fortran = npy_array(npy(head_for("<f4", true, "(2, 3)"), columns));
  EXPECT_EQ(c.values, rows);
  EXPECT_EQ(fortran.values, rows);
  EXPECT_EQ(fortran.shape, c.shape);
  EXPECT_EQ(c.num_rows(), 2U);
}

TEST(ParseNpy, OneDimensionHasRowsOfOneNumber) {
  const FeatureArray array = npy_array(npy(head_for("<f4", false, "(3,)"), std::vector<float>(3)));
  EXPECT_THAT(array.shape, ElementsAre(1));
  EXPECT_EQ(array.num_rows(), 3U);
}

TEST(ParseNpy, SaysWhatIsWrong) {
  const std::vector<float> six(6);
  EXPECT_THAT(npy_error("\x93NUM"), HasSubstr("no NumPy array"));
  EXPECT_THAT(npy_error(npy(head_for("<f4", false, "(2, 3)"), six).substr(0, 30)),
              HasSubstr("cut off"));
  EXPECT_THAT(npy_error(npy(head_for("<f4", false, "(2, 4)"), six)), HasSubstr("8 numbers"));
  EXPECT_THAT(npy_error(npy(head_for("<f4", false, "(1, 5)"), six)), HasSubstr("24 bytes"));
  EXPECT_THAT(npy_error(npy(head_for("<c8", false, "(3,)"), six)), HasSubstr("astype"));
  EXPECT_THAT(npy_error(npy(head_for("<U4", false, "(3,)"), six)), HasSubstr("'<U4'"));
  EXPECT_THAT(npy_error(npy(head_for("<f4", false, "()"), six)), HasSubstr("dimension"));
  EXPECT_THAT(npy_error(npy(head_for("<f4", false, "(-1, 3)"), six)), HasSubstr("shape"));
  EXPECT_THAT(npy_error(npy(head_for("<f4", false, "(2, 0)"), std::vector<float>())),
              HasSubstr("empty"));
  EXPECT_THAT(npy_error(npy(std::string_view("{'descr': '<f4', 'shape': (6,)}"), six)),
              HasSubstr("order"));
  // Sizes whose product does not fit into 64 bits, and that no memory could hold.
  EXPECT_THAT(npy_error(npy(head_for("<f8", false, "(4294967296, 4294967297)"), six)),
              HasSubstr("more numbers than any file can hold"));
  std::vector<float> nan = six;
  nan[4] = NAN;
  EXPECT_THAT(npy_error(npy(head_for("<f4", false, "(2, 3)"), nan)),
              HasSubstr("number 1 of row 1"));
}

TEST(ParseIdx, ImagesHaveOneChannelAndLightBetween0And1) {
  const FeatureArray images = idx_array(idx(8, {2, 1, 2}, std::string("\x00\xff\x33\x66", 4)));
  EXPECT_THAT(images.shape, ElementsAre(1, 1, 2));
  EXPECT_THAT(images.values, ElementsAre(0.0F, FloatEq(1.0F), FloatEq(0.2F), FloatEq(0.4F)));
}

TEST(ParseIdx, OtherNumbersStayAsTheyAre) {
  EXPECT_THAT(idx_array(idx(8, {3}, "\x01\x05\x09")).values, ElementsAre(1.0F, 5.0F, 9.0F));
  const FeatureArray floats =
      idx_array(idx(0x0D, {1, 2}, std::string("\x3f\x80\x00\x00\xc0\x00\x00\x00", 8)));
  EXPECT_THAT(floats.shape, ElementsAre(2));
  EXPECT_THAT(floats.values, ElementsAre(1.0F, -2.0F));
}

TEST(ParseIdx, SaysWhatIsWrong) {
  EXPECT_THAT(idx_error("\x01"), HasSubstr("two zeros"));
  EXPECT_THAT(idx_error(idx(7, {1}, "x")), HasSubstr("0x07"));
  EXPECT_THAT(idx_error(idx(8, {}, "x")), HasSubstr("0 dimensions"));
  EXPECT_THAT(idx_error(idx(8, {2, 28, 28}, "short")), HasSubstr("1568 numbers"));
  EXPECT_THAT(idx_error(idx(8, {4000000000U, 4000000000U, 4000000000U}, "short")),
              HasSubstr("more numbers than any file can hold"));
}

TEST(ParseEntityFeatures, ReadsArgumentsAndNumbers) {
  Diagnostics sink;
  const auto read =
      parse_entity_features("a\tx\t1\t-2.5\t1e-3\n\n b\ty\t0\t+1\t2\r\n", "m.tsv", 2, {}, sink);
  ASSERT_TRUE(read.has_value());
  EXPECT_THAT(read->array.shape, ElementsAre(3));
  EXPECT_THAT(read->array.values,
              ElementsAre(1.0F, -2.5F, FloatNear(1e-3F, 1e-9F), 0.0F, 1.0F, 2.0F));
}

TEST(ParseEntityFeatures, LeavesColumnsOut) {
  Diagnostics sink;
  const auto read = parse_entity_features(
      "a\ttrain\t1\t2\tcat\nb\ttest\t3\t4\tdog\n", "m.tsv", 1, {.skipped = {0}, .label = -1}, sink);
  ASSERT_TRUE(read.has_value());
  EXPECT_THAT(read->array.shape, ElementsAre(2));
  EXPECT_THAT(read->array.values, ElementsAre(1.0F, 2.0F, 3.0F, 4.0F));
  EXPECT_THAT(read->labels, ElementsAre("cat", "dog"));
}

TEST(ParseEntityFeatures, NamesAColumnThatIsNotThere) {
  Diagnostics sink;
  EXPECT_FALSE(parse_entity_features("a\t1\t2\n", "m.tsv", 1, {.label = 2}, sink).has_value());
  EXPECT_THAT(sink.take_sorted().front().message, HasSubstr("no column 2: 2 stand"));
  EXPECT_FALSE(parse_entity_features("a\t1\n", "m.tsv", 1, {.label = 0}, sink).has_value());
  EXPECT_THAT(sink.take_sorted().front().message, HasSubstr("no column is left"));
}

TEST(ParseEntityFeatures, PointsAtEveryMistake) {
  Diagnostics sink;
  EXPECT_FALSE(parse_entity_features(
                   "a\t1\t2\nb\t1\nc\t1\tno\nd\nf\t1e99\t0\ne\t5\t6\n", "m.tsv", 1, {}, sink)
                   .has_value());
  const auto found = sink.take_sorted();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].code, "column-count");
  EXPECT_EQ(found[0].span.line, 2U);
  EXPECT_THAT(found[0].message, HasSubstr("1 number, but line 1 has 2"));
  EXPECT_EQ(found[1].code, "bad-features");
  EXPECT_EQ(found[1].span.column, 5U);
  EXPECT_THAT(found[1].message, HasSubstr("`no`"));
  EXPECT_THAT(found[2].message, HasSubstr("1 argument"));
  EXPECT_THAT(found[3].message, HasSubstr("too large"));
}

TEST(ParseEntityFeatures, NeedsARow) {
  Diagnostics sink;
  EXPECT_FALSE(parse_entity_features("\n \n", "m.tsv", 1, {}, sink).has_value());
  EXPECT_THAT(sink.take_sorted().front().message, HasSubstr("no rows"));
}

TEST(ReadFeatureArray, KnowsFormatsByTheirBytes) {
  const TestFolder folder;
  const std::string images = idx(8, {1, 1, 1}, "\xff");
  const std::string numbers = npy(head_for("<f4", false, "(1,)"), std::vector<float>{1});
  for (const std::string& path : {folder.write("images", images),
                                  folder.write("images.gz", packed(images)),
                                  folder.write("a.npy", numbers),
                                  folder.write("b.npy", packed(numbers))}) {
    Diagnostics sink;
    EXPECT_THAT(good(read_feature_array(path, sink), sink).values, ElementsAre(FloatEq(1.0F)));
  }
}

TEST(ReadFeatureArray, SaysWhichFileCannotBeRead) {
  const TestFolder folder;
  const auto error = [](const std::string& path) {
    return message_of([&](Diagnostics& sink) { return read_feature_array(path, sink); });
  };
  EXPECT_THAT(error(folder.path("none.npy")), HasSubstr("none.npy"));
  EXPECT_THAT(error(folder.write("text", "hello")), HasSubstr("neither"));
  EXPECT_THAT(error(folder.write("empty", "")), HasSubstr("neither"));
  EXPECT_THAT(error(folder.write("cut.gz", packed("hello").substr(0, 12))), HasSubstr("gzip -t"));
}

}  // namespace
}  // namespace sorites
