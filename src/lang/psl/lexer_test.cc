#include "lang/psl/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sorites::lang {
namespace {

using testing::ElementsAre;

struct Lexed {
  std::vector<Token> tokens;
  std::vector<Diagnostic> diagnostics;

  std::vector<TokenKind> kinds() const {
    std::vector<TokenKind> result;
    for (const Token& token : tokens) result.push_back(token.kind);
    result.pop_back();  // kEnd
    return result;
  }
};

Lexed lex(std::string_view text) {
  const Source source("test", text);
  Diagnostics sink;
  auto tokens = tokenize(source, sink);
  return {std::move(tokens), sink.take_sorted()};
}

TEST(Tokenize, TakesTheLongestOperator) {
  EXPECT_THAT(lex("<-> <- <<<=<=>").kinds(),
              ElementsAre(TokenKind::kIff,
                          TokenKind::kImpliedBy,
                          TokenKind::kImpliedBy,
                          TokenKind::kLessEqual,
                          TokenKind::kIff));
}

TEST(Tokenize, EndsANumberBeforeAPeriodWithoutDigits) {
  const Lexed lexed = lex("1. 1.5 2e-3 5e");
  EXPECT_THAT(lexed.kinds(),
              ElementsAre(TokenKind::kNumber,
                          TokenKind::kPeriod,
                          TokenKind::kNumber,
                          TokenKind::kNumber,
                          TokenKind::kNumber,
                          TokenKind::kIdentifier));
  EXPECT_EQ(lexed.tokens[0].number, 1.0);
  EXPECT_EQ(lexed.tokens[2].number, 1.5);
  EXPECT_EQ(lexed.tokens[3].number, 0.002);
  EXPECT_TRUE(lexed.diagnostics.empty());
}

TEST(Tokenize, ReadsAPeriodThatTouchesAnAtomAsTheEndOfItsRule) {
  EXPECT_THAT(lex(").5").kinds(),
              ElementsAre(TokenKind::kRightParenthesis, TokenKind::kPeriod, TokenKind::kNumber));
  EXPECT_EQ(lex("= .5").diagnostics.at(0).code, "bad-number");
}

TEST(Tokenize, TellsExponentsFromComparisons) {
  const Lexed lexed = lex("^1 ^2 ^3 ^B ^ 2");
  EXPECT_THAT(lexed.kinds(),
              ElementsAre(TokenKind::kExponent,
                          TokenKind::kExponent,
                          TokenKind::kExponent,
                          TokenKind::kCaret,
                          TokenKind::kIdentifier,
                          TokenKind::kCaret,
                          TokenKind::kNumber));
  EXPECT_EQ(lexed.tokens[1].number, 2.0);
  EXPECT_EQ(lexed.tokens[2].number, 0.0);
}

TEST(Tokenize, ReplacesEscapes) {
  EXPECT_EQ(lex(R"('a\\b\'c\"d\te\nf\rg')").tokens[0].text, "a\\b'c\"d\te\nf\rg");
  EXPECT_EQ(lex(R"("it's")").tokens[0].text, "it's");
}

TEST(Tokenize, SkipsCommentsAndMarksTheStartOfLines) {
  const Lexed lexed = lex("A // one\n/* two\n */ B # three\nC /* four */ D");
  ASSERT_EQ(lexed.kinds().size(), 4U);
  EXPECT_TRUE(lexed.tokens[0].begins_line);
  EXPECT_TRUE(lexed.tokens[1].begins_line);
  EXPECT_TRUE(lexed.tokens[2].begins_line);
  EXPECT_FALSE(lexed.tokens[3].begins_line);
}

TEST(Tokenize, SkipsAByteOrderMark) {
  EXPECT_THAT(lex("\xEF\xBB\xBF"
                  "A")
                  .kinds(),
              ElementsAre(TokenKind::kIdentifier));
}

TEST(Tokenize, ReadsAMinusAfterTheColonOfAWeight) {
  EXPECT_THAT(
      lex("1:-A").kinds(),
      ElementsAre(
          TokenKind::kNumber, TokenKind::kColon, TokenKind::kMinus, TokenKind::kIdentifier));
  EXPECT_THAT(
      lex(") :- A").kinds(),
      ElementsAre(TokenKind::kRightParenthesis, TokenKind::kTurnstile, TokenKind::kIdentifier));
}

TEST(Tokenize, ReportsAForeignNameOnce) {
  const Lexed lexed = lex("Größe(A)");
  ASSERT_EQ(lexed.diagnostics.size(), 1U);
  EXPECT_EQ(lexed.diagnostics[0].span.length, 5U);
  EXPECT_EQ(lexed.tokens[0].kind, TokenKind::kError);
}

TEST(Tokenize, ReadsTypographicQuotesAsQuotes) {
  const Lexed lexed = lex("\u201Cann\u201D");
  ASSERT_EQ(lexed.diagnostics.size(), 1U);
  EXPECT_EQ(lexed.tokens[0].kind, TokenKind::kString);
  EXPECT_EQ(lexed.tokens[0].text, "ann");
}

// Every byte is passed once: no input makes it hang, whatever it ends with.
TEST(Tokenize, EndsOnEveryPrefixOfAnOddText) {
  const std::string text = "@M\u201Cx 'a\\' /* * / .5e+ 1e+9 ^2.5 |\u2227 \x01 \u00AC$_ \"";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const Lexed lexed = lex(std::string_view(text).substr(0, length));
    ASSERT_EQ(lexed.tokens.back().kind, TokenKind::kEnd);
    std::uint32_t end = 0;
    for (const Token& token : lexed.tokens) {
      ASSERT_GE(token.range.begin, end);
      end = token.range.end();
    }
    ASSERT_LE(end, length);
  }
}

}  // namespace
}  // namespace sorites::lang
