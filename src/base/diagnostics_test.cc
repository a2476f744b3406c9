#include "base/diagnostics.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace sorites {
namespace {

TEST(Source, LocatesRangesByLineAndCharacter) {
  const std::string text = "ab\n\xC3\xA9 = x\n";
  const Source source("f.rules", text);
  EXPECT_EQ(source.locate({6, 1}), (Span{"f.rules", 2, 3, 1}));  // after the two bytes of e acute
  EXPECT_EQ(source.excerpt({6, 1}), "\xC3\xA9 = x");
}

TEST(Source, CutsSpansAtTheEndOfTheirLine) {
  const Source source("f", "ab\ncd");
  EXPECT_EQ(source.locate({1, 3}), (Span{"f", 1, 2, 1}));
}

TEST(Source, LocatesTheEndOfTheText) {
  const Source source("f", "ab\n");
  EXPECT_EQ(source.locate({3, 0}), (Span{"f", 2, 1, 0}));
  EXPECT_EQ(source.locate({99, 7}), (Span{"f", 2, 1, 0}));
}

TEST(Source, LocatesDecodedTextInItsFile) {
  // The decoded text a"b of the file's "a\"b".
  const std::string file = R"({"a\"b"})";
  const Source source(Source("m.json", file), "a\"b", {2, 3, 5, 6});
  EXPECT_EQ(source.locate({1, 1}), (Span{"m.json", 1, 4, 2}));
  EXPECT_EQ(source.locate({2, 1}), (Span{"m.json", 1, 6, 1}));
}

TEST(Source, CountsCharactersOfLongLines) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "\xC3\xA9 ";
  text += "\n" + text;
  const Source source("f", text);
  for (const std::uint32_t character : {0U, 85U, 86U, 170U, 171U, 999U}) {
    EXPECT_EQ(source.locate({3 * character, 2}), (Span{"f", 1, 2 * character + 1, 1}));
    EXPECT_EQ(source.locate({3001 + 3 * character, 2}), (Span{"f", 2, 2 * character + 1, 1}));
  }
}

TEST(Diagnostics, SortsByFileThenPlace) {
  Diagnostics sink;
  sink.error(DiagnosticCode::kSyntax, Span{"b", 1, 1, 1}, "first file seen");
  sink.error(DiagnosticCode::kSyntax, Span{"a", 2, 1, 1}, "later line");
  sink.warning(DiagnosticCode::kSyntax, Span{"a", 1, 1, 1}, "earlier line");
  EXPECT_EQ(sink.num_errors(), 2U);
  const auto sorted = sink.take_sorted();
  EXPECT_EQ(sorted[0].span.file, "b");
  EXPECT_EQ(sorted[1].message, "earlier line");
  EXPECT_FALSE(sink.has_errors());
}

// A file of one line, with something to say of every word.
TEST(Diagnostics, DoNotAllKeepTheSameLongLine) {
  const std::string text(20'000, 'x');
  const Source source("m.json", text);
  Diagnostics diagnostics;
  std::size_t kept = 0;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    diagnostics.warning(DiagnosticCode::kDuplicateRule, source, {2 * i, 1}, "again");
  }
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    kept += diagnostic.excerpt.size();
    EXPECT_EQ(diagnostic.span.line, 1U);
  }
  EXPECT_GE(kept, 20 * text.size());
  EXPECT_LE(kept, 200 * text.size());
  const Source word(source, "xx", {100, 101, 102});
  EXPECT_EQ(word.locate({0, 2}).column, 101U);
  EXPECT_TRUE(word.excerpt({0, 2}).empty());
}

TEST(Render, PutsCaretsUnderTheSpan) {
  const std::string text = "1: Knwos(A)";
  Diagnostics sink;
  suggest_name(sink.error(DiagnosticCode::kUnknownPredicate, Source("m.rules", text), {3, 5}, "no"),
               "Knwos",
               {"Likes", "Knows"});
  EXPECT_EQ(render(sink.all()[0]),
            "m.rules:1:4: error: no [unknown-predicate]\n"
            " 1 | 1: Knwos(A)\n"
            "   |    ^~~~~\n"
            "   hint: did you mean `Knows`?\n");
}

TEST(Render, ShowsAWindowOfLongLines) {
  const std::string text = std::string(500, 'x') + "?" + std::string(500, 'y');
  Diagnostics sink;
  sink.error(DiagnosticCode::kSyntax, Source("f", text), {500, 1}, "odd");
  const std::string shown = render(sink.all()[0]);
  EXPECT_LT(shown.size(), 400U);
  const std::size_t first = shown.find('\n') + 1, second = shown.find('\n', first) + 1;
  EXPECT_EQ(shown[second + (shown.find('?', first) - first)], '^');
}

TEST(NearestName, ForgivesCaseSwapsAndSlips) {
  EXPECT_EQ(nearest_name("knows", {"Knows"}), "Knows");
  EXPECT_EQ(nearest_name("Knwos", {"Likes", "Knows"}), "Knows");
  EXPECT_EQ(nearest_name("Tree", {"Knows"}), "");
}

TEST(FindInvalidUtf8, FindsTheFirstBadByte) {
  const auto valid = [](std::string_view text) { return find_invalid_utf8(text) == text.size(); };
  EXPECT_TRUE(valid("plain ascii, longer than eight bytes"));
  EXPECT_TRUE(valid("\xE2\x82\xAC \xF0\x9F\x98\x80"));
  EXPECT_FALSE(valid("\xC0\x80"));          // overlong
  EXPECT_FALSE(valid("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(valid("\xF4\x90\x80\x80"));  // above U+10FFFF
  EXPECT_FALSE(valid("\xE2\x82"));          // cut short
  EXPECT_EQ(find_invalid_utf8("12345678\xFF"), 8U);
}

}  // namespace
}  // namespace sorites
