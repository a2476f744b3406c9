#include <fmt/format.h>

#include <utility>

#include "lang/mln/parser.h"
#include "lang/nesting.h"

namespace sorites::markov {
namespace {

class ExpressionParser {
 public:
  explicit ExpressionParser(Cursor& cursor) : cursor_(cursor) {}

  bool iff(Expression& result) {
    if (++depth_ > kMaxNesting) {
      return cursor_.fail(
          DiagnosticCode::kNestingTooDeep, cursor_.peek().range, "brackets are nested too deep");
    }
    const bool read = arrow(TokenKind::kIff, result);
    --depth_;
    return read;
  }

 private:
  // `a <=> b` of implications, `a => b` of disjunctions. Which of two arrows comes first is not
  // guessed.
  bool arrow(TokenKind kind, Expression& result) {
    const bool is_iff = kind == TokenKind::kIff;
    const auto operand = [&](Expression& to) {
      return is_iff ? arrow(TokenKind::kImplies, to) : disjunction(to);
    };
    if (!operand(result)) return false;
    if (!cursor_.take_if(kind)) return true;
    Expression right;
    if (!operand(right)) return false;
    if (cursor_.peek_is(kind)) {
      return cursor_.fail(DiagnosticCode::kSyntax,
                          cursor_.peek().range,
                          "a second arrow: it is not clear which comes first",
                          "put brackets around one of them");
    }
    combine(is_iff ? ExpressionKind::kIff : ExpressionKind::kImplies, result, std::move(right));
    return true;
  }

  static void combine(ExpressionKind kind, Expression& left, Expression right) {
    Expression both;
    both.kind = kind;
    both.range = join(left.range, right.range);
    both.operands.push_back(std::move(left));
    both.operands.push_back(std::move(right));
    left = std::move(both);
  }

  bool disjunction(Expression& result) { return series(ExpressionKind::kOr, result); }

  bool series(ExpressionKind kind, Expression& result) {
    const bool is_or = kind == ExpressionKind::kOr;
    const auto operand = [&](Expression& to) {
      return is_or ? series(ExpressionKind::kAnd, to) : negation(to);
    };
    if (!operand(result)) return false;
    bool first = true;
    while (is_or ? means_or(cursor_.peek()) : means_and(cursor_.peek())) {
      cursor_.take();
      Expression next;
      if (!operand(next)) return false;
      if (first) {
        combine(kind, result, std::move(next));
      } else {
        result.range = join(result.range, next.range);
        result.operands.push_back(std::move(next));
      }
      first = false;
    }
    return true;
  }

  bool negation(Expression& result) {
    const TextRange begin = cursor_.peek().range;
    bool negated = false;
    for (; means_not(cursor_.peek()); cursor_.take()) negated = !negated;
    if (!operand(result)) return false;
    result.range = join(begin, result.range);
    if (negated) negate(result);
    return true;
  }

  static void negate(Expression& expression) {
    Expression outer;
    outer.kind = ExpressionKind::kNot;
    outer.range = expression.range;
    outer.operands.push_back(std::move(expression));
    expression = std::move(outer);
  }

  bool operand(Expression& result) {
    const Token& token = cursor_.peek();
    const TextRange begin = token.range;
    if (cursor_.take_if(TokenKind::kLeftParenthesis)) {
      if (!iff(result) ||
          !cursor_.expect_closing(TokenKind::kRightParenthesis, "an operator or `)`", begin)) {
        return false;
      }
      result.range = join(begin, cursor_.last_range());
      return true;
    }
    if (means_exists(token) || means_forall(token)) return quantified(result);
    const bool compared =
        cursor_.peek_is(TokenKind::kEqual, 1) || cursor_.peek_is(TokenKind::kDiffers, 1);
    if (token.kind == TokenKind::kWord && is_keyword(token.text) && !compared) {
      return cursor_.fail_expected("an atom");
    }
    if (cursor_.peek_is(TokenKind::kStar)) {
      cursor_.take();
      result.starred = true;
      if (!cursor_.peek_is(TokenKind::kWord)) return cursor_.fail_expected("an atom");
      return atom(result);
    }
    if (token.kind == TokenKind::kWord && cursor_.peek_is(TokenKind::kLeftParenthesis, 1)) {
      return atom(result);
    }
    return equality(result);
  }

  // Its scope reaches as far as it can: to the end of the brackets around it, or of the formula.
  bool quantified(Expression& result) {
    const TextRange begin = cursor_.peek().range;
    result.kind = means_exists(cursor_.peek()) ? ExpressionKind::kExists : ExpressionKind::kForall;
    cursor_.take();
    if (!parse_variables(cursor_, result.quantified)) return false;
    if (!iff(result.operands.emplace_back())) return false;
    result.range = join(begin, cursor_.last_range());
    return true;
  }

  bool atom(Expression& result) {
    result.kind = ExpressionKind::kAtom;
    result.name = cursor_.peek().text;
    result.range = cursor_.take().range;
    const TextRange opening = cursor_.peek().range;
    if (!cursor_.expect(TokenKind::kLeftParenthesis, "`(`")) return false;
    if (!cursor_.peek_is(TokenKind::kRightParenthesis)) {
      do {
        if (!term(result.terms.emplace_back())) return false;
      } while (cursor_.take_if(TokenKind::kComma));
    }
    if (!cursor_.expect_closing(TokenKind::kRightParenthesis, "`,` or `)`", opening)) return false;
    result.range = join(result.range, cursor_.last_range());
    return test(result);
  }

  bool term(TermSyntax& result) {
    const TextRange begin = cursor_.peek().range;
    const bool plus = cursor_.take_if(TokenKind::kPlus);
    if (!parse_term(cursor_, plus ? "a variable" : "a variable or constant", result)) return false;
    result.plus = plus;
    if (plus) result.range = join(begin, result.range);
    if (plus && !result.is_variable) {
      return cursor_.fail(DiagnosticCode::kSyntax,
                          result.range,
                          fmt::format("`+` in front of `{}`, which is no variable", result.text),
                          "variables begin with a small letter");
    }
    if (result.is_variable && is_keyword(result.text) && result.text != "v") {
      return cursor_.fail(DiagnosticCode::kSyntax,
                          result.range,
                          fmt::format("`{}` has a meaning of its own", result.text),
                          "choose another name for the variable, or quote it if it is a constant");
    }
    if (cursor_.peek_is(TokenKind::kLeftParenthesis)) {
      return cursor_.fail(DiagnosticCode::kSyntax,
                          result.range,
                          fmt::format("`{}` has arguments, but is itself one", result.text),
                          fmt::format("there are no functions; terms are variables and constants: "
                                      "give the values of `{}` as facts of a predicate",
                                      result.text));
    }
    return true;
  }

  // What may stand behind an atom with classes.
  bool test(Expression& result) {
    const bool differs = cursor_.peek_is(TokenKind::kDiffers);
    if (cursor_.peek_is_word("in")) {
      cursor_.take();
      if (!parse_names(cursor_, "a class", result.classes)) return false;
      for (TermSyntax& name : result.classes) name.is_variable = false;
    } else if (differs || cursor_.peek_is(TokenKind::kEqual)) {
      cursor_.take();
      if (cursor_.peek_is(TokenKind::kWord) && cursor_.peek_is(TokenKind::kLeftParenthesis, 1)) {
        return cursor_.fail(DiagnosticCode::kSyntax,
                            cursor_.peek().range,
                            "atoms cannot be compared with each other",
                            "compare each with a class, or with a variable `c` in both places: "
                            "`label(x) = c => label(y) = c`");
      }
      if (!term(result.classes.emplace_back())) return false;
    } else {
      return true;
    }
    result.range = join(result.range, cursor_.last_range());
    if (differs) negate(result);
    return true;
  }

  bool equality(Expression& result) {
    result.kind = ExpressionKind::kEquality;
    const TextRange begin = cursor_.peek().range;
    if (cursor_.at_line_end() || !begins_term()) return cursor_.fail_expected("an atom");
    if (!term(result.terms.emplace_back())) return false;
    const bool differs = cursor_.peek_is(TokenKind::kDiffers);
    if (!differs && !cursor_.peek_is(TokenKind::kEqual)) {
      return cursor_.fail_expected(
          "`=` or `!=`", fmt::format("an atom has brackets: `{}(x)`", result.terms[0].text));
    }
    cursor_.take();
    if (!term(result.terms.emplace_back())) return false;
    result.range = join(begin, cursor_.last_range());
    if (differs) negate(result);
    return true;
  }

  bool begins_term() const {
    switch (cursor_.peek().kind) {
      case TokenKind::kWord:
      case TokenKind::kNumber:
      case TokenKind::kString:
      case TokenKind::kPlus:
        return true;
      default:
        return false;
    }
  }

  Cursor& cursor_;
  int depth_ = 0;
};

}  // namespace

bool parse_expression(Cursor& cursor, Expression& expression) {
  return ExpressionParser(cursor).iff(expression);
}

}  // namespace sorites::markov
