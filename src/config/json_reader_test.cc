#include "config/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sorites {
namespace {

struct Reading {
  std::optional<ConfigNode> root;
  std::vector<Diagnostic> diagnostics;
};

Reading read(const std::string& text) {
  Diagnostics sink;
  const Source source("m.json", text);
  Reading result{read_json(source, sink), {}};
  result.diagnostics = sink.take_sorted();
  return result;
}

ConfigNode read_clean(const std::string& text) {
  Reading reading = read(text);
  EXPECT_TRUE(reading.diagnostics.empty()) << text << "\n" << render(reading.diagnostics[0]);
  EXPECT_TRUE(reading.root) << text;
  return reading.root.value_or(ConfigNode{});
}

// "line:column message" of the only diagnostic.
std::string complaint(const std::string& text) {
  const Reading reading = read(text);
  if (reading.diagnostics.size() != 1) {
    return std::to_string(reading.diagnostics.size()) + " diagnostics";
  }
  const Diagnostic& d = reading.diagnostics[0];
  return std::to_string(d.span.line) + ":" + std::to_string(d.span.column) + " " + d.message;
}

TEST(ReadJson, ReadsScalarsOfEveryKind) {
  const ConfigNode root = read_clean(R"([null, true, false, -1.5e+3, "text"])");
  ASSERT_EQ(root.children.size(), 5U);
  EXPECT_EQ(root.children[0].kind, ConfigKind::kNull);
  EXPECT_EQ(root.children[1].text, "true");
  EXPECT_EQ(root.children[2].kind, ConfigKind::kBool);
  EXPECT_EQ(root.children[3].kind, ConfigKind::kNumber);
  EXPECT_EQ(root.children[3].text, "-1.5e+3");
  EXPECT_EQ(root.children[4].text, "text");
}

TEST(ReadJson, KeepsKeysInOrderWithTheirPlaces) {
  const std::string text = R"({"b": 1, 'a': [2]})";
  const ConfigNode root = read_clean(text);
  ASSERT_EQ(root.children.size(), 2U);
  EXPECT_EQ(root.children[0].key, "b");
  EXPECT_EQ(root.children[1].key, "a");
  EXPECT_EQ(text.substr(root.children[1].key_range.begin, root.children[1].key_range.length),
            "'a'");
  EXPECT_EQ(text.substr(root.children[1].range.begin, root.children[1].range.length), "[2]");
  EXPECT_EQ(root.find("a"), &root.children[1]);
  EXPECT_EQ(root.find("c"), nullptr);
}

TEST(ReadJson, DropsLeadingZerosAndPlus) {
  const ConfigNode root = read_clean("[+1, 007, -00.5, +0, 0e1]");
  EXPECT_EQ(root.children[0].text, "1");
  EXPECT_EQ(root.children[1].text, "7");
  EXPECT_EQ(root.children[2].text, "-0.5");
  EXPECT_EQ(root.children[3].text, "0");
  EXPECT_EQ(root.children[4].text, "0e1");
}

TEST(ReadJson, SkipsCommentsByteOrderMarkAndTrailingCommas) {
  const ConfigNode root = read_clean("\xEF\xBB\xBF# a\n// b\n/* c\n*/ {\"k\": [1, /**/ 2,],} // d");
  EXPECT_EQ(root.find("k")->children.size(), 2U);
}

TEST(ReadJson, ReadsNumbersRightBeforeComments) {
  EXPECT_EQ(read_clean("[1//one\n,2/*two*/,3#three\n]").children.size(), 3U);
}

TEST(ReadJson, DecodesEscapes) {
  const ConfigNode root = read_clean(R"("\"\'\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00")");
  EXPECT_EQ(root.text, "\"'\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
}

TEST(ReadJson, PlacesEveryByteOfADecodedText) {
  const std::string text = "  \"a\\\"\\u00e9b\"";
  const ConfigNode root = read_clean(text);
  EXPECT_EQ(root.text,
            "a\"\xC3\xA9"
            "b");
  EXPECT_THAT(offsets_of(root), testing::ElementsAre(3, 4, 6, 6, 12, 13));
}

TEST(ReadJson, PlacesTextsWithoutEscapesByTheirBegin) {
  const ConfigNode root = read_clean("[\"ab\"]");
  EXPECT_TRUE(root.children[0].file_offset.empty());
  EXPECT_THAT(offsets_of(root.children[0]), testing::ElementsAre(2, 3, 4));
}

TEST(ReadJson, SaysWhatIsWrongWithTheStructure) {
  EXPECT_EQ(complaint(""), "1:1 the file is empty");
  EXPECT_EQ(complaint("{"), "1:2 expected `}`, found the end of the file");
  EXPECT_EQ(complaint("[1}"), "1:3 expected `]`, found `}`");
  EXPECT_EQ(complaint("[1, 2"), "1:6 expected `]`, found the end of the file");
  EXPECT_EQ(complaint("{} x"), "1:4 `x` stands after the end of the model");
  EXPECT_EQ(complaint("{\"a\" 1}"), "1:6 expected `:` after the key, found `1`");
  EXPECT_EQ(complaint("{\"a\": }"), "1:7 expected a value, found `}`");
  EXPECT_EQ(complaint("{[]: 1}"), "1:2 expected a key, found `[`");
  EXPECT_EQ(complaint("[1 = 2]"), "1:4 expected `,` or `]`, found `=`");
  EXPECT_EQ(complaint("[\n\"ab\n\"]"), "2:1 the text is not closed on its line");
  EXPECT_EQ(complaint("[1, /* 2]"), "1:5 the comment is never closed");
  EXPECT_EQ(complaint("[\"\\"), "1:2 the text is not closed on its line");
}

TEST(ReadJson, MendsWhatIsClear) {
  for (const char* text : {"[1 2]", "[a, 2]", "[1.2.3, 2]", "[\"\\q\", 2]", "[\"\\ud800\", 2]"}) {
    const Reading reading = read(text);
    EXPECT_EQ(reading.diagnostics.size(), 1U) << text;
    ASSERT_TRUE(reading.root) << text;
    EXPECT_EQ(reading.root->children.size(), 2U) << text;
  }
}

TEST(ReadJson, RejectsMalformedUnicodeEscapes) {
  for (const char* text : {R"("\u12")", R"("\u12g4")", R"("\udc00")", R"("\ud83d\u0041")"}) {
    EXPECT_EQ(complaint(text), "1:2 malformed \\u escape") << text;
  }
}

TEST(ReadJson, KeepsTheFirstOfTwoEqualKeys) {
  const Reading reading = read(R"({"a": 1, "a": 2})");
  ASSERT_EQ(reading.diagnostics.size(), 1U);
  EXPECT_EQ(reading.diagnostics[0].code, "duplicate-key");
  EXPECT_EQ(reading.diagnostics[0].notes[0].span.column, 2U);
  EXPECT_EQ(reading.root->find("a")->text, "1");
}

TEST(ReadJson, LimitsTheDepth) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  read_clean(nested(kMaxConfigDepth));
  EXPECT_EQ(complaint(nested(kMaxConfigDepth + 1)), "1:101 lists and objects nest deeper than 100");
  EXPECT_EQ(complaint(std::string(1'000'000, '[')), "1:101 lists and objects nest deeper than 100");
}

TEST(ReadJson, RejectsBytesThatAreNotUtf8) {
  const Reading reading = read("[\"\xFF\"]");
  ASSERT_EQ(reading.diagnostics.size(), 1U);
  EXPECT_EQ(reading.diagnostics[0].code, "invalid-utf8");
}

TEST(ReadJson, GivesUpAfterAHundredMistakes) {
  std::string text = "[";
  for (int i = 0; i < 100'000; ++i) text += "x ";
  const Reading reading = read(text + "]");
  EXPECT_FALSE(reading.root);
  EXPECT_LT(reading.diagnostics.size(), 110U);
}

TEST(ReadJson, EndsWhenItIsAskedTo) {
  std::stop_source stop;
  stop.request_stop();
  Diagnostics sink;
  const std::string text = "{\"a\": [1, 2]}";
  const Source source("m.json", text);
  EXPECT_THROW(read_json(source, sink, stop.get_token()), Interrupted);
}

}  // namespace
}  // namespace sorites
