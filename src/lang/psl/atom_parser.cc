#include "lang/psl/atom_parser.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "lang/psl/slips.h"

namespace sorites::lang {
namespace {

using Result = std::optional<Expression>;

class AtomParser {
 public:
  explicit AtomParser(Cursor& cursor) : cursor_(cursor) {}

  Result atom();
  Result term_operand();

 private:
  bool arguments(Expression& atom);
  bool argument(Expression& atom);
  Result comparison(TermSyntax left);
  Result lone_term(TermSyntax term);
  std::optional<TermSyntax> right_term(std::string_view operator_text);
  TermSyntax unquoted_number();

  Cursor& cursor_;
};

Result AtomParser::atom() {
  const Token& name = cursor_.take();
  Expression atom;
  atom.kind = ExpressionKind::kAtom;
  atom.name = name.text;
  atom.operator_range = name.range;
  if (!arguments(atom)) return std::nullopt;
  atom.range = join(name.range, cursor_.previous().range);
  return atom;
}

bool AtomParser::arguments(Expression& atom) {
  const TextRange opening = cursor_.take().range;
  if (cursor_.take_if(TokenKind::kRightParenthesis)) return true;
  for (;;) {
    if (!argument(atom)) return false;
    if (cursor_.take_if(TokenKind::kRightParenthesis)) return true;
    if (cursor_.take_if(TokenKind::kComma)) continue;
    if (cursor_.sees_boundary()) return cursor_.close(TokenKind::kRightParenthesis, ")", opening);
    if (cursor_.sees(TokenKind::kLeftParenthesis)) {
      cursor_.error(DiagnosticCode::kSyntax,
                    cursor_.previous().range,
                    fmt::format("an atom as an argument of `{}`", atom.name),
                    "arguments are variables and quoted constants");
    } else {
      cursor_.unexpected("`,` or `)`");
    }
    return false;
  }
}

TermSyntax AtomParser::unquoted_number() {
  const TextRange begin = cursor_.peek().range;
  cursor_.take_if(TokenKind::kMinus);
  TermSyntax term{TermSyntaxKind::kConstant, {}, join(begin, cursor_.take().range)};
  term.text = cursor_.slice(term.range);
  cursor_.error(DiagnosticCode::kSyntax,
                term.range,
                fmt::format("the constant {} is not quoted", term.text),
                fmt::format("constants are quoted: '{}'", term.text));
  return term;
}

bool AtomParser::argument(Expression& atom) {
  const Token& token = cursor_.peek();
  const bool minus = token.kind == TokenKind::kMinus && cursor_.sees(TokenKind::kNumber, 1);
  if (token.kind == TokenKind::kNumber || minus) {
    atom.terms.push_back(unquoted_number());
    return true;
  }
  if (token.kind == TokenKind::kString) {
    atom.terms.push_back({TermSyntaxKind::kConstant, token.text, token.range});
    cursor_.take();
    return true;
  }
  const bool summed = cursor_.take_if(TokenKind::kPlus);
  if (!cursor_.sees(TokenKind::kIdentifier)) {
    cursor_.unexpected(summed ? "a variable" : "a variable or a quoted constant");
    return false;
  }
  const Token& name = cursor_.take();
  atom.terms.push_back({summed ? TermSyntaxKind::kSummation : TermSyntaxKind::kVariable,
                        name.text,
                        join(token.range, name.range)});
  return true;
}

ComparisonOperator comparison_for(TokenKind kind) {
  if (kind == TokenKind::kSameAs) return ComparisonOperator::kEqual;
  if (kind == TokenKind::kPercent || kind == TokenKind::kCaret) return ComparisonOperator::kLess;
  return ComparisonOperator::kNotEqual;
}

// Reports `A = B` and the like between terms and says what to write.
void report_relation_of_terms(Cursor& cursor, const TermSyntax& left) {
  const Token& token = cursor.peek();
  const std::string_view a = cursor.slice(left.range), b = cursor.slice(cursor.peek(1).range);
  std::string hint;
  switch (token.kind) {
    case TokenKind::kLess:
      hint = fmt::format("`{} % {}` says that {} comes before {}", a, b, a, b);
      break;
    case TokenKind::kGreater:
      hint = fmt::format("`{} % {}` says that {} comes before {}", b, a, b, a);
      break;
    case TokenKind::kLessEqual:
      hint = fmt::format("write `!({} % {})`: {} does not come before {}", b, a, b, a);
      break;
    case TokenKind::kGreaterEqual:
      hint = fmt::format("write `!({} % {})`: {} does not come before {}", a, b, a, b);
      break;
    default:
      hint = fmt::format("write `{} == {}`", a, b);
  }
  cursor.error(DiagnosticCode::kSyntax,
               token.range,
               fmt::format("`{}` relates sums of atoms, not variables and constants",
                           cursor.slice(token.range)),
               hint);
}

Result AtomParser::term_operand() {
  const Token& token = cursor_.take();
  TermSyntax left{
      token.kind == TokenKind::kString ? TermSyntaxKind::kConstant : TermSyntaxKind::kVariable,
      token.text,
      token.range};
  if (cursor_.sees_comparison_operator()) return comparison(std::move(left));
  const bool before_term = (cursor_.sees(TokenKind::kIdentifier, 1) && !cursor_.sees_atom(1)) ||
                           cursor_.sees(TokenKind::kString, 1);
  if (cursor_.sees_relation() && before_term) {
    report_relation_of_terms(cursor_, left);
    return comparison(std::move(left));
  }
  return lone_term(std::move(left));
}

Result AtomParser::comparison(TermSyntax left) {
  const Token& op = cursor_.take();
  auto right = right_term(cursor_.slice(op.range));
  if (!right) return std::nullopt;
  Expression comparison;
  comparison.kind = ExpressionKind::kComparison;
  comparison.range = join(left.range, right->range);
  comparison.operator_range = op.range;
  comparison.comparison = comparison_for(op.kind);
  comparison.terms.push_back(std::move(left));
  comparison.terms.push_back(std::move(*right));
  return comparison;
}

std::optional<TermSyntax> AtomParser::right_term(std::string_view operator_text) {
  const Token& token = cursor_.peek();
  if (cursor_.sees_atom()) {
    cursor_.error(DiagnosticCode::kSyntax,
                  token.range,
                  fmt::format("`{}` compares variables and constants, but `{}` begins an atom",
                              operator_text,
                              token.text));
    return std::nullopt;
  }
  if (token.kind == TokenKind::kNumber ||
      (token.kind == TokenKind::kMinus && cursor_.sees(TokenKind::kNumber, 1))) {
    return unquoted_number();
  }
  if (token.kind != TokenKind::kIdentifier && token.kind != TokenKind::kString) {
    cursor_.unexpected("a variable or a quoted constant");
    return std::nullopt;
  }
  cursor_.take();
  return TermSyntax{
      token.kind == TokenKind::kString ? TermSyntaxKind::kConstant : TermSyntaxKind::kVariable,
      token.text,
      token.range};
}

// Kept where the rest of the rule makes sense, for the checker knows the predicates and can say
// more.
Result AtomParser::lone_term(TermSyntax term) {
  const Token& next = cursor_.peek();
  const TokenKind kind = operator_at(cursor_);
  const bool ends = kind >= TokenKind::kIff && kind != TokenKind::kNot;
  const bool closes = kind == TokenKind::kRightParenthesis || kind == TokenKind::kRightBrace ||
                      cursor_.sees_boundary() || next.begins_line;
  if (!ends && !closes) {
    const bool condition = term.text == "if" || term.text == "If" || term.text == "IF";
    cursor_.unexpected(fmt::format("a comparison such as `{0} == B`, or arguments as in `{0}(A)`",
                                   cursor_.slice(term.range)),
                       condition ? "write `P(A) -> Q(A)` for: if P(A) then Q(A)" : "");
    return std::nullopt;
  }
  Expression lone;
  lone.kind = ExpressionKind::kLoneTerm;
  lone.range = term.range;
  lone.terms.push_back(std::move(term));
  return lone;
}

}  // namespace

std::optional<Expression> parse_atom(Cursor& cursor) { return AtomParser(cursor).atom(); }

std::optional<Expression> parse_comparison(Cursor& cursor) {
  return AtomParser(cursor).term_operand();
}

}  // namespace sorites::lang
