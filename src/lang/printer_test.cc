#include "lang/printer.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "lang/test_predicates.h"

namespace sorites::lang {
namespace {

TEST(ToText, UsesTheFewestParentheses) {
  const std::string text =
      "1: P(A) & (P(B) | !(P(C) & P(A))) -> P(B) | Q(A, C) & A != B ^2\n"
      "P(A) -> P(B) <-> !!P(C) .\n"
      "1: (P(A) -> P(B)) -> P(C)\n"
      "0.5: Q(A, B) & !(A == B) & B % 'x' -> P(A)\n";
  EXPECT_EQ(to_text(compiled(text)), text);
}

TEST(ToText, BracketsQuantifiersOnlyWhereSomethingFollows) {
  const std::string text =
      "1: P(A) -> exists Y: Q(A, Y) & R(A, Y)\n"
      "1: P(A) & (exists Y: Q(A, Y)) -> P('x')\n"
      "1: (exists Y: Q(A, Y)) & P(A) -> !exists Z, Y: R(Y, Z) -> P(Z)\n"
      "(forall X: P(X)) <-> forall X: exists Y: Q(X, Y) .\n";
  EXPECT_EQ(to_text(compiled(text)), text);
}

TEST(ToText, WritesArithmeticAsPeopleDo) {
  const std::string text =
      "Q(A, +B) + 2 * P(A) - P('a') + (A != 'b') <= 1 . {B: R(A, B) & !(A == B)}\n"
      "0.01: Q(A, +B) / |B| - 3 * |B| >= @Max[|B|, 2] * P(A) - (|B| + 1) * P('c') / 2 ^2\n"
      "(-P(A)) <= -0.5 .\n";
  EXPECT_EQ(to_text(compiled(text)), text);
}

TEST(ToText, EscapesConstants) {
  EXPECT_EQ(quoted("a\\b'c\"\t\n\r"), R"('a\\b\'c"\t\n\r')");
  const std::string text = "P('it\\'s\\t\xC3\xA9') .\n";
  EXPECT_EQ(to_text(compiled(text)), text);
}

TEST(ToText, WritesConstantsInTheFormOfTheirDomain) {
  EXPECT_EQ(to_text(compiled("1: N(A, '007') & D('1.50') -> P(A)")),
            "1: N(A, '7') & D('1.5') -> P(A)\n");
}

// ---- Random programs --------------------------------------------------------------------------

// Writes random rules that are right, in every spelling.
class Writer {
 public:
  explicit Writer(std::uint32_t seed) : rng_(seed) {}

  std::string program() {
    std::string text;
    for (int n = pick(6); n >= 0; --n) text += rule() + one_of({"\n", "\n\n", " // x\n", " #\n"});
    return text;
  }

 private:
  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(rng_); }
  bool maybe(int percent) { return pick(100) < percent; }
  std::string one_of(const std::vector<std::string>& options) {
    return options[static_cast<std::size_t>(pick(static_cast<int>(options.size())))];
  }
  std::string blank() { return one_of({"", " ", " ", "\n ", "/* c */"}); }
  // In parentheses, or not where they are not needed.
  std::string enclosed(const std::string& text) { return "(" + blank() + text + blank() + ")"; }
  std::string operand(const std::string& text, bool simple) {
    return simple && maybe(80) ? text : enclosed(text);
  }

  std::string rule() { return maybe(50) ? logical() : arithmetic(); }
  std::string finished(const std::string& weighted, const std::string& filters) {
    if (maybe(40)) return weighted + " ." + filters;
    return one_of({"1: ", "0.25 : ", "3e-2:", "12:"}) + weighted +
           one_of({"", " ^1", " ^2", "^2"}) + filters;
  }

  // ---- Logic: the guard binds every variable in every clause.
  std::string variable() {
    if (!scope_.empty() && maybe(40)) return one_of(scope_);
    return one_of({"A", "B", "C", "a_1", "$x"});
  }
  // Goes as far to the right as it can, so what follows it must be a bracket or the end.
  std::string quantified(int depth) {
    const std::string name = one_of({"Y", "forall", "Exists"}) + std::to_string(scope_.size());
    std::string text = one_of({"forall ", "exists ", "EXISTS ", "ForAll\n"}) + name;
    if (maybe(20)) text += ",unused" + std::to_string(scope_.size());
    scope_.push_back(name);
    text += one_of({":", " : "}) + "Q(" + term() + ", " + name + ")";
    if (depth > 0) text += one_of({" & ", " | ", " -> "}) + enclosed(formula(depth - 1));
    scope_.pop_back();
    return text;
  }
  std::string text_constant() {
    return one_of({"'x'", "\"y\"", R"('it\'s \\ \t')", "'\xC3\xA9'", "''", "'7'"});
  }
  std::string term() { return maybe(80) ? variable() : text_constant(); }
  std::string atom() {
    switch (pick(5)) {
      case 0:
        return one_of({"P(", "p (", "P( "}) + term() + ")";
      case 1:
        return "Q(" + term() + "," + blank() + term() + ")";
      case 2:
        return "R(" + term() + ", " + term() + ")";
      case 3:
        return "N(" + term() + ", " + one_of({"'5'", "'007'", "'-3'"}) + ")";
      default:
        return "D(" + one_of({"'0.5'", "'1e3'", "'2'"}) + ")";
    }
  }
  std::string comparison() {
    return term() + " " + one_of({"==", "!=", "~=", "-", "%", "^"}) + " " + term();
  }
  std::string formula(int depth) {
    const auto part = [&] { return operand(formula(depth - 1), depth == 1); };
    if (depth > 0 && maybe(15)) return quantified(depth);
    if (depth > 0 && maybe(10)) {
      return part() + one_of({" & ", " | ", " -> ", " << ", " & !", " <-> "}) + quantified(depth);
    }
    switch (depth == 0 ? 6 + pick(2) : pick(8)) {
      case 0:
        return part() + blank() + one_of({"&", "&&"}) + blank() + part();
      case 1:
        return part() + " " + one_of({"|", "||"}) + blank() + part();
      case 2:
        return part() + one_of({" -> ", " >> ", "<<", " <- "}) + part();
      case 3:
        return part() + one_of({" <-> ", "<=>"}) + part();
      case 4:
      case 5:
        return one_of({"!", "~", "!!"}) + operand(formula(depth - 1), depth == 1);
      case 6:
        return comparison();
      default:
        return atom();
    }
  }
  std::string logical() {
    if (maybe(20)) return finished(one_of({"P(A)", "!Q(A, B)", "P('x')", "Q(A,B) | P(A)"}), "");
    std::string guard = "P(A) & Q(B, C) & R(a_1, $x)";
    const std::string rest = formula(pick(4));
    if (maybe(30)) return finished(enclosed(rest) + " << " + guard, "");
    if (maybe(30)) guard += " & " + enclosed(formula(1));
    return finished(guard + " >> " + enclosed(rest), "");
  }

  // ---- Arithmetic
  std::string positive(int depth) {
    switch (depth == 0 ? pick(2) : pick(6)) {
      case 0:
        return one_of({"1", "2", "0.5", "1e-2", "3.25"});
      case 1:
        return sums_.empty() ? "4" : "|" + one_of(sums_) + "|";
      case 2:
        return enclosed(positive(depth - 1) + " + " + positive(depth - 1));
      case 3:
        return enclosed(positive(depth - 1) + "*" + positive(depth - 1));
      case 4:
        return one_of({"@Max[", "@min["}) + positive(depth - 1) + "," + positive(depth - 1) + "]";
      default:
        return enclosed(positive(depth - 1) + " / " + positive(depth - 1));
    }
  }
  std::string coefficient(int depth) {
    if (depth == 0 || maybe(40)) return maybe(20) ? "-" + positive(0) : positive(depth);
    const std::string left = coefficient(depth - 1);
    return enclosed(left + one_of({" + ", " - ", " * "}) + coefficient(depth - 1));
  }
  std::string sum_atom() {
    if (next_sum_ == planned_.size() || maybe(60)) {
      return one_of({"P(A)", "Q(A, B)", "R(B,A)", "P('x')", "D('0.5')"});
    }
    return "Q(" + one_of({"A", "B"}) + ", +" + planned_[next_sum_++] + ")";
  }
  std::string scaled_atom() {
    switch (pick(5)) {
      case 0:
        return coefficient(2) + " * " + sum_atom();
      case 1:
        return positive(1) + " " + sum_atom();
      case 2:
        return sum_atom() + " / " + positive(2);
      case 3:
        return coefficient(1) + "*" + sum_atom() + "*" + coefficient(1) + "/" + positive(1);
      default:
        return sum_atom();
    }
  }
  std::string sum(int depth) {
    std::string text = maybe(20) ? "-" : "";
    for (int n = pick(3); n >= 0; --n) {
      switch (depth == 0 ? pick(4) : pick(6)) {
        case 0:
          text += coefficient(2);
          break;
        case 4:
          text += coefficient(1) + " * (" + sum(depth - 1) + ")";
          break;
        case 5:
          text += "(" + sum(depth - 1) + ") / " + positive(1);
          break;
        default:
          text += scaled_atom();
      }
      if (n > 0) text += one_of({" + ", " - ", "+", "-"});
    }
    return text;
  }
  std::string arithmetic() {
    planned_ = {"S", "T", "U"};
    next_sum_ = 0;
    // Cardinalities may stand before their sums, so one sum comes first for all.
    sums_ = {"V"};
    std::string text = one_of({"Q(A, +V)", "2*Q(A, +V)"}) + " + P(B) + " + sum(2);
    if (maybe(25)) text += one_of({" + (A != B)", " - (A % B)", " + A == 'x'"});
    text += one_of({" <= ", " >= ", "="}) + (maybe(10) ? "(A != B)" : sum(1));
    std::string filters;
    if (maybe(40)) filters += one_of({" {", "\n{"}) + "V: " + condition("V") + "}";
    if (next_sum_ > 0 && maybe(40)) filters += "{ S : " + condition("S") + " }";
    return finished(text, filters);
  }
  std::string condition(const std::string& v) {
    std::string known = one_of({"R(A, " + v + ")", "!R(" + v + ", 'x')", "N(" + v + ",'1')"});
    if (maybe(30)) return known;
    return known + one_of({" & ", " || ", " -> "}) + enclosed(v + " != A | R(B, " + v + ")");
  }

  std::mt19937 rng_;
  std::vector<std::string> scope_;  // variables of quantifiers around
  std::vector<std::string> sums_, planned_;
  std::size_t next_sum_ = 0;
};

// None if a formula came out too large, which is the one thing that may be wrong.
std::optional<Program> compile_random(const std::string& text) {
  Program program = test_program();
  try {
    add_rules(program, text);
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      if (diagnostic.code == "too-many-clauses") return std::nullopt;
    }
    throw;
  }
  return program;
}

TEST(ToText, CompilesToTheSameProgram) {
  constexpr std::uint32_t kProgramsPerCase = 20;  // of a hundred cases
  std::size_t num_rules = 0;
  const bool ok = rc::check("what is printed compiles to what was compiled", [&] {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    for (std::uint32_t i = 0; i < kProgramsPerCase; ++i) {
      const std::string text = Writer(seed * kProgramsPerCase + i).program();
      RC_LOG() << text;
      const auto program = compile_random(text);
      if (!program || program->rules.empty()) continue;
      num_rules += program->rules.size();
      const std::string printed = to_text(*program);
      const Program again = compiled(printed);
      RC_ASSERT(again == *program);
      RC_ASSERT(to_text(again) == printed);
    }
  });
  EXPECT_TRUE(ok);
  EXPECT_GT(num_rules, 5000U);
}

}  // namespace
}  // namespace sorites::lang
