#include "config/yaml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "config/json_reader.h"

namespace sorites {
namespace {

std::optional<ConfigNode> read(const std::string& text, std::vector<Diagnostic>* found = nullptr) {
  Diagnostics sink;
  const Source source("m.yaml", text);
  auto root = read_yaml(source, sink);
  if (found != nullptr) *found = sink.take_sorted();
  return root;
}

ConfigNode read_clean(const std::string& text) {
  std::vector<Diagnostic> found;
  auto root = read(text, &found);
  EXPECT_TRUE(found.empty()) << text << "\n" << render(found[0]);
  EXPECT_TRUE(root) << text;
  return root.value_or(ConfigNode{});
}

// What stands in the file at the places of the bytes of the text.
std::string text_in_file(const std::string& file, const ConfigNode& node) {
  std::string result;
  const auto offsets = offsets_of(node);
  for (std::size_t i = 0; i < node.text.size(); ++i) result += file.at(offsets[i]);
  return result;
}

TEST(ReadYaml, ResolvesPlainScalarsByTheCoreSchema) {
  const ConfigNode root =
      read_clean("[null, ~, True, false, 007, -1.5, yes, 0x1F, .5, 'true', !!str 1]");
  const auto kind = [&](std::size_t i) { return root.children[i].kind; };
  EXPECT_EQ(kind(0), ConfigKind::kNull);
  EXPECT_EQ(kind(1), ConfigKind::kNull);
  EXPECT_EQ(root.children[2].text, "true");
  EXPECT_EQ(kind(3), ConfigKind::kBool);
  EXPECT_EQ(root.children[4].text, "7");
  EXPECT_EQ(kind(5), ConfigKind::kNumber);
  for (const std::size_t i : {6U, 7U, 8U, 9U, 10U}) EXPECT_EQ(kind(i), ConfigKind::kText) << i;
}

TEST(ReadYaml, PlacesKeysAndValues) {
  const std::string text = "a:\n  \xC3\xA9t\xC3\xA9: [x, 'y']\n";
  const ConfigNode root = read_clean(text);
  const ConfigNode& inner = root.children[0].children[0];
  EXPECT_EQ(text.substr(inner.key_range.begin, inner.key_range.length), "\xC3\xA9t\xC3\xA9");
  const ConfigNode& last = inner.children[1];
  EXPECT_EQ(text.substr(last.range.begin, last.range.length), "'y'");
}

TEST(ReadYaml, PlacesTheBytesOfScalarsOfEveryStyle) {
  for (const std::string text : {"- plain text",
                                 "- 'single quoted'",
                                 "- \"double quoted\"",
                                 "- |\n  literal\n  block",
                                 "- |-\n    literal\n      deeper",
                                 "\xEF\xBB\xBF- \"after a byte order mark\"",
                                 "- \xE2\x82\xAC euro"}) {
    const ConfigNode node = read_clean(text).children.at(0);
    EXPECT_EQ(text_in_file(text, node), node.text);
  }
}

TEST(ReadYaml, PlacesWordsOfFoldedScalars) {
  for (const std::string text : {"- one\n  two three",
                                 "- 'one\n  two three'",
                                 "- \"one  \n  two three\"",
                                 "- >\n  one\n  two three",
                                 "- \"one \\\n   two three\""}) {
    const ConfigNode node = read_clean(text).children.at(0);
    for (const std::string word : {"one", "two", "three"}) {
      EXPECT_EQ(offsets_of(node).at(node.text.find(word)), text.find(word)) << text;
    }
  }
}

TEST(ReadYaml, PlacesTextBehindEscapes) {
  for (const std::string text :
       {R"(["a\"b" , "c\x41\u00e9\U0001F600\t'end'"])", R"(['', 'it''s the end'])"}) {
    const ConfigNode node = read_clean(text).children.at(1);
    EXPECT_EQ(offsets_of(node).at(node.text.find("end")), text.find("end")) << text;
  }
}

TEST(ReadYaml, CopiesWhatAnAliasMeans) {
  const ConfigNode root = read_clean("a: &x {k: [1, 2]}\nb: *x\n");
  ConfigNode copy = root.children[1];
  EXPECT_EQ(copy.key, "b");
  copy.key = "a";
  EXPECT_TRUE(same_content(copy, root.children[0]));
}

TEST(ReadYaml, RefusesAliasesThatBlowUp) {
  std::string text = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    text += "- &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) text += "*a" + std::to_string(i - 1) + ", ";
    text += "]\n";
  }
  std::vector<Diagnostic> found;
  EXPECT_FALSE(read(text, &found));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, testing::HasSubstr("16 MB"));
}

TEST(ReadYaml, ReportsMistakesWithTheirPlace) {
  struct Case {
    const char* text;
    std::uint32_t line;
    const char* code;
  };
  for (const auto& [text, line, code] : {Case{"a: [1, 2\nb: 3", 2, "yaml-syntax"},
                                         Case{"a: 1\n---\nb: 2\n", 2, "yaml-syntax"},
                                         Case{"a: *nowhere\n", 1, "yaml-syntax"},
                                         Case{"a: 1\n? [b]\n: 2\n", 2, "yaml-syntax"},
                                         Case{"a: 1\na: 2\n", 2, "duplicate-key"},
                                         Case{"a: \x01\n", 1, "yaml-syntax"},
                                         Case{"# nothing\n", 1, "yaml-syntax"},
                                         Case{"a: \xFF\n", 1, "invalid-utf8"}}) {
    std::vector<Diagnostic> found;
    read(text, &found);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_EQ(found[0].code, code) << text;
    EXPECT_EQ(found[0].span.line, line) << text;
  }
}

// ---- Both forms of one tree ------------------------------------------------------------------

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string scalar_text(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigKind::kNull:
      return "null";
    case ConfigKind::kText:
      return quoted(node.text);
    default:
      return node.text;
  }
}

std::string as_json(const ConfigNode& node) {
  if (node.is_scalar()) return scalar_text(node);
  std::string result;
  for (const ConfigNode& child : node.children) {
    if (node.kind == ConfigKind::kObject) result += quoted(child.key) + ": ";
    result += as_json(child) + ",";
  }
  return node.kind == ConfigKind::kObject ? "{" + result + "}" : "[" + result + "]";
}

std::string as_yaml(const ConfigNode& node, std::size_t indent) {
  if (node.is_scalar()) return " " + scalar_text(node) + "\n";
  if (node.children.empty()) return node.kind == ConfigKind::kObject ? " {}\n" : " []\n";
  std::string result = "\n";
  for (const ConfigNode& child : node.children) {
    result += std::string(indent, ' ');
    result += node.kind == ConfigKind::kObject ? quoted(child.key) + ":" : "-";
    result += as_yaml(child, indent + 2);
  }
  return result;
}

rc::Gen<std::string> any_text() {
  return rc::gen::container<std::string>(
      rc::gen::element('a', 'Z', '0', ' ', ':', '#', '-', '"', '\'', '\\', '\n', '{', ']', ','));
}

ConfigNode any_node(int depth) {
  ConfigNode node;
  node.kind = *rc::gen::element(ConfigKind::kNull,
                                ConfigKind::kBool,
                                ConfigKind::kNumber,
                                ConfigKind::kText,
                                ConfigKind::kList,
                                ConfigKind::kObject);
  if (depth == 0 && !node.is_scalar()) node.kind = ConfigKind::kText;
  if (node.kind == ConfigKind::kBool) node.text = *rc::gen::element("true", "false");
  if (node.kind == ConfigKind::kNumber) node.text = *rc::gen::element("0", "-7", "12.50", "1e-3");
  if (node.kind == ConfigKind::kText) node.text = *any_text();
  if (node.is_scalar()) return node;
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) {
    node.children.push_back(any_node(depth - 1));
    if (node.kind == ConfigKind::kObject) {
      node.children.back().key = *any_text() + std::to_string(i);
    }
  }
  return node;
}

TEST(ReadYaml, GivesTheSameTreeAsJson) {
  EXPECT_TRUE(rc::check([] {
    const ConfigNode node = any_node(4);
    Diagnostics sink;
    const std::string json = as_json(node), yaml = as_yaml(node, 0);
    const auto from_json = read_json(Source("j", json), sink);
    const auto from_yaml = read_yaml(Source("y", yaml), sink);
    RC_ASSERT(!sink.has_errors());
    RC_ASSERT(same_content(*from_json, node));
    RC_ASSERT(same_content(*from_yaml, node));
  }));
}

TEST(ReadYaml, EndsWhenItIsAskedTo) {
  std::stop_source stop;
  stop.request_stop();
  Diagnostics sink;
  const std::string text = "{\"a\": [1, 2]}";
  const Source source("m.yaml", text);
  EXPECT_THROW(read_yaml(source, sink, stop.get_token()), Interrupted);
}

}  // namespace
}  // namespace sorites
