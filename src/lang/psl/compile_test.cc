#include "lang/psl/compile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lang/test_predicates.h"

namespace sorites::lang {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(AddRules, KeepsTextAndPlaceOfARule) {
  const Program program = compiled("// a prior\n  1.5 :  P(A)   // soft\n  & /* x */ P(B)  ^2\n");
  ASSERT_EQ(program.rules.size(), 1U);
  const Rule& rule = program.rules[0];
  EXPECT_EQ(rule.text, "1.5 : P(A) & P(B) ^2");
  EXPECT_EQ(rule.source, (Span{"<rules>", 2, 3, 21}));
  EXPECT_EQ(rule.weight, 1.5);
  EXPECT_TRUE(rule.squared);
}

TEST(AddRules, LeavesTheProgramAsItWasIfARuleIsWrong) {
  Program program = compiled("1: P(A)");
  const Program before = program;
  EXPECT_THROW(add_rules(program, "1: P(B)\n1: Unknown(A)"), InputError);
  EXPECT_EQ(program, before);
}

TEST(AddRules, ReturnsWarnings) {
  Program program = compiled("1: P(A)");
  const auto warnings = add_rules(program, "2: P(A)\n1: P(A) | !P(A)");
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0].code, "duplicate-rule");
  EXPECT_EQ(warnings[0].notes.at(0).span.line, 1U);
  EXPECT_EQ(warnings[1].code, "always-satisfied");
  EXPECT_EQ(program.rules.size(), 1U);
}

TEST(AddRules, FindsPredicatesWhateverTheirCase) {
  EXPECT_EQ(compiled("1: q(A, B)").rules, compiled("1: Q(A, B)").rules);
  EXPECT_EQ(test_program().find_predicate("r"), PredicateId{2});
  EXPECT_EQ(test_program().find_predicate("rr"), std::nullopt);
}

TEST(AddRules, ReadsAllSpellingsOfAnOperator) {
  const auto same = [](const char* a, const char* b) {
    EXPECT_EQ(compiled(a).rules, compiled(b).rules) << a;
  };
  same("1: P(A) >> P(B)", "1: P(A) -> P(B)");
  same("1: P(B) << P(A)", "1: P(A) -> P(B)");
  same("1: P(B) <- P(A)", "1: P(A) -> P(B)");
  same("1: P(A) && P(B)", "1: P(A) & P(B)");
  same("1: P(A) || P(B)", "1: P(A) | P(B)");
  same("1: ~P(A)", "1: !P(A)");
  same("1: P(A) <=> P(B)", "1: P(A) <-> P(B)");
  same("1: Q(A, B) & A - B -> P(A)", "1: Q(A, B) & A != B -> P(A)");
  same("1: Q(A, B) & A ~= B -> P(A)", "1: Q(A, B) & A != B -> P(A)");
  same("1: Q(A, B) & A ^ B -> P(A)", "1: Q(A, B) & A % B -> P(A)");
  same("1: Q(A, +B) <= @mAx(|B|, 2) ^1", "1: Q(A, +B) <= @Max[|B|, 2]");
  same("1: 2 P(A) = 1", "1: 2 * P(A) = 1");
  same("1: P(A) & (P(B) & P(C))", "1: P(A) & P(B) & P(C)");
}

TEST(AddRules, DistributesProductsOverSums) {
  EXPECT_EQ(to_text(compiled("(P(A) - 2 * (P(B) - 3)) / 2 >= -(P(C) + 1) .")),
            "0.5 * P(A) - P(B) + 3 >= -P(C) - 1 .\n");
}

TEST(AddRules, FoldsNumbers) {
  EXPECT_EQ(to_text(compiled("(1 + 2 * 3) / @Max[2, 1] * P(A) <= 10 - @Min[4, 5] .")),
            "3.5 * P(A) <= 10 - 4 .\n");
}

TEST(AddRules, EndsARuleWhereTheNextBegins) {
  EXPECT_EQ(compiled("1: P(A) >> P(B)\nQ(A, +B) = 1 .\n1: P(A) = 1\n2: P(B) = 1 3: Q(A, B) = 1")
                .rules.size(),
            5U);
  EXPECT_EQ(compiled("1: P(A) = 1\n|B| * P(A) = Q(A, +B) .").rules.size(), 2U);
  EXPECT_EQ(compiled("1: P(A) = 1\n(P(B) & P(A)) .").rules.size(), 2U);
}

TEST(AddRules, GoesOnAfterEveryMistake) {
  EXPECT_THAT(codes("1: P(A) & & P(B)\n"
                    "1: Unknown(A)\n"
                    "1: (P(A) -> P(B)\n"
                    "P(A) = 1\n"
                    "1: P('a\n"
                    "2: P(A) .\n"
                    "1: R(A, B) >> P(C\n"
                    "P(A) >> R(A, B) .\n"),
              ElementsAre("syntax",
                          "unknown-predicate",
                          "unclosed-bracket",
                          "missing-rule-end",
                          "unterminated-string",
                          "weight-and-period",
                          "unclosed-bracket",
                          "unbound-variable"));
}

std::string nested(const std::string& open, int depth, const std::string& close) {
  return "1: " + repeated(open, depth) + "P(A)" + repeated(close, depth);
}

TEST(AddRules, LimitsNestingOfFormulas) {
  EXPECT_THAT(codes(nested("(", 200, ")")), IsEmpty());
  EXPECT_THAT(codes(nested("!", 200, "")), IsEmpty());
  EXPECT_THAT(codes(nested("!(", 100, ")")), IsEmpty());
  for (const int depth : {201, 20'000}) {
    EXPECT_THAT(codes(nested("(", depth, ")")), ElementsAre("nesting-too-deep"));
    EXPECT_THAT(codes(nested("!", depth, "")), ElementsAre("nesting-too-deep"));
    EXPECT_THAT(codes(nested("!(", depth, ")")), ElementsAre("nesting-too-deep"));
  }
}

TEST(AddRules, LimitsNestingOfNumbers) {
  EXPECT_THAT(codes("1: P(A) = " + repeated("-", 20'000) + "1"), ElementsAre("nesting-too-deep"));
  EXPECT_THAT(codes("1: P(A) = " + repeated("@Max[1,", 20'000)), ElementsAre("nesting-too-deep"));
}

TEST(AddRules, LimitsCoefficients) {
  const auto sum = [](int count) {
    return "1: (|B|" + repeated(" + |B|", count) + ") * Q(A, +B) <= 1";
  };
  EXPECT_THAT(codes(sum(64)), IsEmpty());
  EXPECT_THAT(codes(sum(10'000)), ElementsAre("nesting-too-deep"));
}

TEST(AddRules, TakesLongFlatRules) {
  EXPECT_THAT(codes("1: P(A)" + repeated(" | P(A)", 5'000)), IsEmpty());
  EXPECT_THAT(codes("1: P(A)" + repeated(" & P(A)", 5'000)), IsEmpty());
  EXPECT_THAT(codes("1: P(A)" + repeated(" + P(A)", 5'000) + " <= 1"), IsEmpty());
  EXPECT_THAT(codes("1: " + repeated("2 * ", 900) + "P(A) <= 1"), IsEmpty());
}

TEST(AddRules, TakesManyRules) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "1: Q(A, 'c" + std::to_string(i) + "') -> P(A)\n";
  EXPECT_EQ(compiled(text).rules.size(), 2000U);
}

TEST(AddRules, TellsNestedEquivalencesOffAtOnce) {
  std::string text = "P(A)";
  for (int i = 0; i < 150; ++i) text = fmt::format("({} <-> P(A{}))", text, i);
  EXPECT_THAT(codes("1: " + text), ElementsAre("too-many-clauses"));
}

// ---- Strings of a model file ------------------------------------------------------------------

std::vector<Diagnostic> compile_one(const std::string& file_text, const std::string& text) {
  const auto begin = static_cast<std::uint32_t>(file_text.find(text));
  std::vector<std::uint32_t> offsets(text.size() + 1);
  for (std::uint32_t i = 0; i <= text.size(); ++i) offsets[i] = begin + i;
  const Source source(Source("model.json", file_text), text, offsets);
  Program program = test_program();
  Diagnostics sink;
  compile_rules(source, program, sink, {.exactly_one = true});
  return sink.take_sorted();
}

TEST(CompileRules, WantsOneRulePerString) {
  const auto two = compile_one("[\"1: P(A) 1: P(B)\"]", "1: P(A) 1: P(B)");
  ASSERT_EQ(two.size(), 1U);
  EXPECT_EQ(two[0].code, "several-rules");
  EXPECT_EQ(two[0].span, (Span{"model.json", 1, 11, 7}));
  const auto none = compile_one("[\"# x\"]", "# x");
  ASSERT_EQ(none.size(), 1U);
  EXPECT_EQ(none[0].code, "no-rules");
  EXPECT_EQ(none[0].span.column, 3U);
}

}  // namespace
}  // namespace sorites::lang
