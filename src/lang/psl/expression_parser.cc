#include "lang/psl/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/nesting.h"
#include "lang/psl/atom_parser.h"
#include "lang/psl/slips.h"

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
  Result quantified();
  Result relation();
  Result sum();
  Result product();
  Result sign();
  Result operand();

  Result parenthesised();
  Result number();
  Result cardinality();
  Result function();

  using Rule = Result (ExpressionParser::*)();
  // operand { operator operand }, flat.
  template <class IsOperator>
  Result chain(ExpressionKind kind, Rule next, IsOperator is_operator);
  bool add_operand(Expression& chain, Rule next, bool inverse);
  bool too_deep(TextRange at);
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

Result ExpressionParser::negation() {
  const TextRange start = cursor_.peek().range;
  if (sees_not_word(cursor_)) {
    cursor_.error(DiagnosticCode::kSyntax,
                  start,
                  fmt::format("`{}` is no operator", cursor_.slice(start)),
                  "write `!`");
  } else if (quantifier_at(cursor_)) {
    return quantified();
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

Result ExpressionParser::quantified() {
  Expression all;
  all.kind = *quantifier_at(cursor_);
  all.range = all.operator_range = cursor_.peek().range;
  // Two levels: it may be printed in brackets.
  if (too_deep(all.range)) return std::nullopt;
  const Level level(depth_);
  if (too_deep(all.range)) return std::nullopt;
  const Level brackets(depth_);
  cursor_.take();
  const std::string word(cursor_.slice(all.range));
  do {
    if (!cursor_.sees(TokenKind::kIdentifier)) {
      cursor_.unexpected(fmt::format("a variable of `{}`", word),
                         fmt::format("write `{} A, B: ...`", word));
      return std::nullopt;
    }
    const Token& name = cursor_.take();
    all.terms.push_back({TermSyntaxKind::kVariable, name.text, name.range});
  } while (cursor_.take_if(TokenKind::kComma));
  if (!cursor_.take_if(TokenKind::kColon)) {
    cursor_.unexpected(
        fmt::format("`:` after the variables of `{}`", word),
        fmt::format("write `{}: ...`", cursor_.slice(join(all.range, cursor_.previous().range))));
    return std::nullopt;
  }
  if (!add_operand(all, &ExpressionParser::iff, false)) return std::nullopt;
  all.numeric = false;
  return all;
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
    case TokenKind::kIdentifier:
      if (cursor_.sees_atom()) return parse_atom(cursor_);
      // A comparison is a level, since it is printed in parentheses after `!` and among summands.
      if (too_deep(cursor_.peek().range)) return std::nullopt;
      return parse_comparison(cursor_);
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

Result ExpressionParser::parenthesised() {
  const TextRange opening = cursor_.peek().range;
  if (too_deep(opening)) return std::nullopt;
  std::optional<Level> level;  // a quantifier counts for the brackets around it
  if (!quantifier_at(cursor_, 1)) level.emplace(depth_);
  cursor_.take();
  Result inner = iff();
  if (!inner || !cursor_.close(TokenKind::kRightParenthesis, ")", opening)) return std::nullopt;
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
  if (!cursor_.close(round ? TokenKind::kRightParenthesis : TokenKind::kRightBracket,
                     round ? ")" : "]",
                     opening)) {
    return std::nullopt;
  }
  call.range = join(name.range, cursor_.previous().range);
  return call;
}

}  // namespace

std::optional<Expression> parse_expression(Cursor& cursor) {
  return ExpressionParser(cursor).iff();
}

}  // namespace sorites::lang
