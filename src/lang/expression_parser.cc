#include "lang/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/slips.h"

namespace sorites::lang {
namespace {

using Result = std::optional<Expression>;

constexpr std::string_view kOperand = "an atom, a comparison, a number or `(`";

class ExpressionParser {
 public:
  explicit ExpressionParser(Cursor& cursor) : cursor_(cursor) {}

  Result iff();

 private:
  Result implication();
  Result disjunction();
  Result conjunction();
  Result negation();
  Result relation();
  Result sum();
  Result product();
  Result sign();
  Result operand();

  Result parenthesised();
  Result number();
  Result cardinality();
  Result function();
  Result atom();
  bool arguments(Expression& atom);
  bool argument(Expression& atom);
  Result term_operand();
  Result comparison(TermSyntax left);
  Result lone_term(TermSyntax term);
  std::optional<TermSyntax> right_term(std::string_view operator_text);
  TermSyntax unquoted_number();

  using Rule = Result (ExpressionParser::*)();
  // operand { operator operand }, flat.
  template <class IsOperator>
  Result chain(ExpressionKind kind, Rule next, IsOperator is_operator);
  bool add_operand(Expression& chain, Rule next, bool inverse);
  bool close(TokenKind closing, std::string_view text, TextRange opening);
  bool too_deep(TextRange at);
  bool sees_not_word() const;
  bool sees_cardinality() const;
  bool sees_signed_rule();

  Cursor& cursor_;
  int depth_ = 0;
  // Outside all brackets:
  bool relation_seen_ = false;
  bool signed_line_seen_ = false;  // after the relation
};

// Counts a level of nesting while it lives.
class Level {
 public:
  explicit Level(int& depth) : depth_(depth) { ++depth_; }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  int& depth_;
};

bool ExpressionParser::too_deep(TextRange at) {
  if (depth_ < kMaxNesting) return false;
  cursor_.error(
      DiagnosticCode::kNestingTooDeep,
      at,
      fmt::format("brackets, negations and signs nest deeper than {} levels", kMaxNesting),
      "split the rule");
  return true;
}

bool ExpressionParser::add_operand(Expression& chain, Rule next, bool inverse) {
  Result operand = (this->*next)();
  if (!operand) return false;
  operand->inverse = inverse;
  chain.range = join(chain.range, operand->range);
  chain.numeric = chain.numeric && operand->numeric;
  chain.operands.push_back(std::move(*operand));
  return true;
}

Expression chain_of(ExpressionKind kind, Expression first, TextRange operator_range) {
  Expression chain;
  chain.kind = kind;
  chain.range = first.range;
  chain.operator_range = operator_range;
  chain.numeric = first.numeric && !is_logical(kind) && kind != ExpressionKind::kRelation;
  chain.operands.push_back(std::move(first));
  return chain;
}

template <class IsOperator>
Result ExpressionParser::chain(ExpressionKind kind, Rule next, IsOperator is_operator) {
  Result first = (this->*next)();
  if (!first || !is_operator()) return first;
  Expression all = chain_of(kind, std::move(*first), cursor_.peek().range);
  while (is_operator()) {
    const bool inverse = cursor_.sees(TokenKind::kMinus);
    take_operator(cursor_);
    if (!add_operand(all, next, inverse)) return std::nullopt;
  }
  return all;
}

// ---- Logic ------------------------------------------------------------------------------------

Result ExpressionParser::iff() {
  Result left = implication();
  if (!left || operator_at(cursor_) != TokenKind::kIff) return left;
  Expression both = chain_of(ExpressionKind::kIff, std::move(*left), cursor_.peek().range);
  take_operator(cursor_);
  if (!add_operand(both, &ExpressionParser::implication, false)) return std::nullopt;
  if (operator_at(cursor_) != TokenKind::kIff) return both;
  cursor_.error(DiagnosticCode::kSyntax,
                cursor_.peek().range,
                "two equivalences in a row",
                "use parentheses to say which one comes first");
  return std::nullopt;
}

Result ExpressionParser::implication() {
  const auto sees_arrow = [&] {
    const TokenKind kind = operator_at(cursor_);
    return kind == TokenKind::kImplies || kind == TokenKind::kImpliedBy;
  };
  Result left = disjunction();
  if (!left || !sees_arrow()) return left;
  Expression both = chain_of(ExpressionKind::kImplies, std::move(*left), cursor_.peek().range);
  const bool swapped = operator_at(cursor_) == TokenKind::kImpliedBy;
  take_operator(cursor_);
  if (!add_operand(both, &ExpressionParser::disjunction, false)) return std::nullopt;
  if (swapped) std::swap(both.operands[0], both.operands[1]);
  if (!sees_arrow()) return both;
  cursor_.error(DiagnosticCode::kSyntax,
                cursor_.peek().range,
                "two implications in a row",
                "use parentheses to say which one comes first, or join the conditions with `&`");
  return std::nullopt;
}

bool ExpressionParser::sees_cardinality() const {
  return cursor_.sees(TokenKind::kBar) && cursor_.sees(TokenKind::kIdentifier, 1) &&
         cursor_.sees(TokenKind::kBar, 2);
}

Result ExpressionParser::disjunction() {
  return chain(ExpressionKind::kOr, &ExpressionParser::conjunction, [&] {
    const TokenKind kind = operator_at(cursor_);
    // At the start of a line, `|B|` begins a hard rule; `or` is not followed by a lone name.
    if (cursor_.peek().begins_line && sees_cardinality()) return false;
    return kind == TokenKind::kBar || kind == TokenKind::kOr;
  });
}

Result ExpressionParser::conjunction() {
  return chain(ExpressionKind::kAnd, &ExpressionParser::negation, [&] {
    return operator_at(cursor_) == TokenKind::kAnd;
  });
}

// `not A(X)` and `not (...)`; but `Not(A)` may be an atom.
bool ExpressionParser::sees_not_word() const {
  if (!cursor_.sees(TokenKind::kIdentifier)) return false;
  if (operator_for_word(cursor_.peek().text) != TokenKind::kNot) return false;
  if (!cursor_.sees(TokenKind::kLeftParenthesis, 1)) return cursor_.sees(TokenKind::kIdentifier, 1);
  return cursor_.sees_atom(2) || cursor_.sees(TokenKind::kNot, 2) ||
         cursor_.sees(TokenKind::kLeftParenthesis, 2);
}

Result ExpressionParser::negation() {
  const TextRange start = cursor_.peek().range;
  if (sees_not_word()) {
    cursor_.error(DiagnosticCode::kSyntax,
                  start,
                  fmt::format("`{}` is no operator", cursor_.slice(start)),
                  "write `!`");
  } else if (!cursor_.sees(TokenKind::kNot)) {
    return relation();
  }
  if (too_deep(start)) return std::nullopt;
  const Level level(depth_);
  cursor_.take();
  Expression negated;
  negated.kind = ExpressionKind::kNot;
  negated.range = negated.operator_range = start;
  if (!add_operand(negated, &ExpressionParser::negation, false)) return std::nullopt;
  negated.numeric = false;
  return negated;
}

// ---- Arithmetic -------------------------------------------------------------------------------

RelationalOperator relation_for(TokenKind kind) {
  if (kind == TokenKind::kLessEqual || kind == TokenKind::kLess) {
    return RelationalOperator::kLessEqual;
  }
  if (kind == TokenKind::kGreaterEqual || kind == TokenKind::kGreater) {
    return RelationalOperator::kGreaterEqual;
  }
  return RelationalOperator::kEqual;
}

void report_slip_of_relation(Cursor& cursor, const Token& token) {
  if (token.kind == TokenKind::kLess || token.kind == TokenKind::kGreater) {
    const std::string_view text = cursor.slice(token.range);
    cursor.error(DiagnosticCode::kSyntax,
                 token.range,
                 fmt::format("`{}` is no relation: only `=`, `<=` and `>=` are", text),
                 fmt::format("write `{}=`", text));
  }
  if (token.kind == TokenKind::kSameAs) {
    cursor.error(DiagnosticCode::kSyntax,
                 token.range,
                 "`==` compares variables and constants only",
                 "the relation of an arithmetic rule is `=`; constants are quoted");
  }
}

Result ExpressionParser::relation() {
  const auto sees_relation = [&] {
    return cursor_.sees_relation() || cursor_.sees(TokenKind::kSameAs);
  };
  Result left = sum();
  if (!left || !sees_relation()) return left;
  const Token& token = cursor_.take();
  report_slip_of_relation(cursor_, token);
  Expression both = chain_of(ExpressionKind::kRelation, std::move(*left), token.range);
  both.relation = relation_for(token.kind);
  relation_seen_ = relation_seen_ || depth_ == 0;
  if (!add_operand(both, &ExpressionParser::sum, false)) return std::nullopt;
  if (!sees_relation()) return both;
  cursor_.error(DiagnosticCode::kSyntax,
                cursor_.peek().range,
                "a second relation in one rule",
                signed_line_seen_
                    ? "if a rule begins with `-`, write it as `(-P(A))`, so that it does not go on "
                      "with the rule before"
                    : "write two rules, one for each relation");
  return std::nullopt;
}

// After a relation, a line that begins with `-` and has a relation too is a rule of its own. If
// there are several such lines, nobody knows where the rule begins, and the second relation is
// reported.
bool ExpressionParser::sees_signed_rule() {
  if (depth_ > 0 || !relation_seen_ || !cursor_.peek().begins_line) return false;
  if (!cursor_.sees(TokenKind::kMinus) || cursor_.sees_weight()) return false;
  return !std::exchange(signed_line_seen_, true) && cursor_.signed_relation_follows();
}

Result ExpressionParser::sum() {
  return chain(ExpressionKind::kSum, &ExpressionParser::product, [&] {
    if (cursor_.sees(TokenKind::kPlus)) return true;
    return cursor_.sees(TokenKind::kMinus) && !cursor_.sees_weight() && !sees_signed_rule();
  });
}

Result ExpressionParser::product() {
  Result first = sign();
  if (!first) return first;
  const auto sees_factor = [&](const Expression& so_far) {
    const Token& token = cursor_.peek();
    if (!so_far.numeric || token.begins_line || operator_at(cursor_) != token.kind) return false;
    return cursor_.sees_atom() || token.kind == TokenKind::kLeftParenthesis || sees_cardinality();
  };
  const auto sees_operator = [&] {
    return cursor_.sees(TokenKind::kStar) || cursor_.sees(TokenKind::kSlash);
  };
  if (!sees_operator() && !sees_factor(*first)) return first;
  Expression all = chain_of(ExpressionKind::kProduct, std::move(*first), cursor_.peek().range);
  while (sees_operator() || sees_factor(all)) {
    const bool divides = cursor_.sees(TokenKind::kSlash);
    if (sees_operator()) {
      cursor_.take();
    } else {
      all.juxtaposed = true;
    }
    if (!add_operand(all, &ExpressionParser::sign, divides)) return std::nullopt;
  }
  return all;
}

Result ExpressionParser::sign() {
  if (!cursor_.sees(TokenKind::kMinus)) return operand();
  const TextRange start = cursor_.peek().range;
  if (too_deep(start)) return std::nullopt;
  const Level level(depth_);
  cursor_.take();
  Expression negated;
  negated.kind = ExpressionKind::kNegate;
  negated.range = negated.operator_range = start;
  negated.numeric = true;
  if (!add_operand(negated, &ExpressionParser::sign, false)) return std::nullopt;
  return negated;
}

// ---- Operands ---------------------------------------------------------------------------------

Result ExpressionParser::operand() {
  if (cursor_.sees_weight() && cursor_.peek().begins_line) {  // the next rule begins here
    cursor_.unexpected(kOperand);
    return std::nullopt;
  }
  switch (cursor_.peek().kind) {
    case TokenKind::kLeftParenthesis:
      return parenthesised();
    case TokenKind::kNumber:
      return number();
    case TokenKind::kBar:
      return cardinality();
    case TokenKind::kFunction:
      return function();
    case TokenKind::kString:
      return term_operand();
    case TokenKind::kIdentifier:
      return cursor_.sees_atom() ? atom() : term_operand();
    case TokenKind::kNot:
      cursor_.error(DiagnosticCode::kMixedRule,
                    cursor_.peek().range,
                    "a negation among numbers: arithmetic rules have no `!`",
                    "write 1 - P(A) for the negation of P(A)");
      return std::nullopt;
    default:
      cursor_.unexpected(kOperand);
      return std::nullopt;
  }
}

bool ExpressionParser::close(TokenKind closing, std::string_view text, TextRange opening) {
  if (cursor_.take_if(closing)) return true;
  if (!cursor_.sees_boundary()) {
    cursor_.unexpected_after_operand(fmt::format("an operator or `{}`", text));
    return false;
  }
  Diagnostic& added =
      cursor_.error(DiagnosticCode::kUnclosedBracket,
                    opening,
                    fmt::format("this `{}` is never closed", cursor_.slice(opening)));
  if (!cursor_.at_end()) {
    added.notes.push_back(
        {fmt::format("expected `{}` before this", text), cursor_.locate(cursor_.peek().range)});
  }
  return false;
}

Result ExpressionParser::parenthesised() {
  const TextRange opening = cursor_.peek().range;
  if (too_deep(opening)) return std::nullopt;
  const Level level(depth_);
  cursor_.take();
  Result inner = iff();
  if (!inner || !close(TokenKind::kRightParenthesis, ")", opening)) return std::nullopt;
  inner->range = join(opening, cursor_.previous().range);
  return inner;
}

Result ExpressionParser::number() {
  const Token& token = cursor_.take();
  Expression number;
  number.kind = ExpressionKind::kNumber;
  number.range = token.range;
  number.number = token.number;
  number.numeric = true;
  return number;
}

Result ExpressionParser::cardinality() {
  const TextRange opening = cursor_.take().range;
  if (cursor_.sees(TokenKind::kPlus)) {
    cursor_.error(DiagnosticCode::kSyntax,
                  cursor_.peek().range,
                  "a cardinality names its variable without `+`",
                  "write |V| for the number of values of +V");
    cursor_.take();
  }
  if (!cursor_.sees(TokenKind::kIdentifier)) {
    cursor_.unexpected("a summation variable, as in |V|");
    return std::nullopt;
  }
  Expression cardinality;
  cardinality.kind = ExpressionKind::kCardinality;
  cardinality.operator_range = cursor_.peek().range;
  cardinality.name = cursor_.take().text;
  cardinality.numeric = true;
  if (!cursor_.take_if(TokenKind::kBar)) {
    cursor_.unexpected("a closing `|`");
    return std::nullopt;
  }
  cardinality.range = join(opening, cursor_.previous().range);
  return cardinality;
}

Result ExpressionParser::function() {
  const Token& name = cursor_.take();
  std::string lower = name.text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  if (lower != "max" && lower != "min") {
    cursor_.error(DiagnosticCode::kSyntax,
                  name.range,
                  fmt::format("there is no function `@{}`", name.text),
                  "the functions are @Max[a, b] and @Min[a, b]");
    return std::nullopt;
  }
  if (too_deep(name.range)) return std::nullopt;
  const Level level(depth_);
  const bool round = cursor_.sees(TokenKind::kLeftParenthesis);
  if (!round && !cursor_.sees(TokenKind::kLeftBracket)) {
    cursor_.unexpected("`[`");
    return std::nullopt;
  }
  const TextRange opening = cursor_.take().range;
  Expression call;
  call.kind = lower == "max" ? ExpressionKind::kMax : ExpressionKind::kMin;
  call.range = call.operator_range = name.range;
  call.numeric = true;
  if (!add_operand(call, &ExpressionParser::sum, false)) return std::nullopt;
  if (!cursor_.take_if(TokenKind::kComma)) {
    cursor_.unexpected(fmt::format("`,` and the second argument of `@{}`", name.text));
    return std::nullopt;
  }
  if (!add_operand(call, &ExpressionParser::sum, false)) return std::nullopt;
  if (cursor_.sees(TokenKind::kComma)) {
    cursor_.error(DiagnosticCode::kSyntax,
                  cursor_.peek().range,
                  fmt::format("`@{}` takes exactly two arguments", name.text),
                  fmt::format("nest it: @{0}[a, @{0}[b, c]]", name.text));
    return std::nullopt;
  }
  if (!close(round ? TokenKind::kRightParenthesis : TokenKind::kRightBracket,
             round ? ")" : "]",
             opening)) {
    return std::nullopt;
  }
  call.range = join(name.range, cursor_.previous().range);
  return call;
}

// ---- Atoms and comparisons --------------------------------------------------------------------

Result ExpressionParser::atom() {
  const Token& name = cursor_.take();
  Expression atom;
  atom.kind = ExpressionKind::kAtom;
  atom.name = name.text;
  atom.operator_range = name.range;
  if (!arguments(atom)) return std::nullopt;
  atom.range = join(name.range, cursor_.previous().range);
  return atom;
}

bool ExpressionParser::arguments(Expression& atom) {
  const TextRange opening = cursor_.take().range;
  if (cursor_.take_if(TokenKind::kRightParenthesis)) return true;
  for (;;) {
    if (!argument(atom)) return false;
    if (cursor_.take_if(TokenKind::kRightParenthesis)) return true;
    if (cursor_.take_if(TokenKind::kComma)) continue;
    if (cursor_.sees_boundary()) return close(TokenKind::kRightParenthesis, ")", opening);
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

TermSyntax ExpressionParser::unquoted_number() {
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

bool ExpressionParser::argument(Expression& atom) {
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

Result ExpressionParser::term_operand() {
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

Result ExpressionParser::comparison(TermSyntax left) {
  // It counts as a level, since it is printed in parentheses after `!` and among summands.
  if (too_deep(left.range)) return std::nullopt;
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

std::optional<TermSyntax> ExpressionParser::right_term(std::string_view operator_text) {
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
Result ExpressionParser::lone_term(TermSyntax term) {
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

std::optional<Expression> parse_expression(Cursor& cursor) {
  return ExpressionParser(cursor).iff();
}

}  // namespace sorites::lang
