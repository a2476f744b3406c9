#include "lang/psl/parser.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "lang/psl/cursor.h"
#include "lang/psl/expression_parser.h"
#include "lang/psl/slips.h"

namespace sorites::lang {
namespace {

class RuleParser {
 public:
  RuleParser(std::span<const Token> tokens, const Source& source, Diagnostics& sink)
      : cursor_(tokens, source, sink) {}

  std::vector<RuleSyntax> run();

 private:
  bool rule(RuleSyntax& rule);
  void weight(RuleSyntax& rule);
  bool finish(RuleSyntax& rule);
  bool finish_weighted(RuleSyntax& rule);
  bool finish_hard(RuleSyntax& rule, bool has_exponent);
  bool exponent(RuleSyntax& rule);
  bool filters(RuleSyntax& rule);
  bool filter(RuleSyntax& rule);
  bool missing_end(const RuleSyntax& rule);
  bool ends_here();
  void mend_missing_colon(RuleSyntax& rule);
  void skip_to_next_rule(std::size_t start);
  bool is_mended(std::size_t first) const;

  Cursor cursor_;
  std::size_t first_ = 0;         // first token of the rule
  bool open_end_before_ = false;  // the rule before ends on this line, and nothing marks its end
};

std::vector<RuleSyntax> RuleParser::run() {
  std::vector<RuleSyntax> rules;
  while (!cursor_.at_end()) {
    first_ = cursor_.position();
    const std::size_t errors = cursor_.num_errors();
    RuleSyntax syntax;
    if (!rule(syntax)) {
      skip_to_next_rule(first_);
      open_end_before_ = false;
      continue;
    }
    syntax.range = cursor_.range_since(first_);
    syntax.text = cursor_.text_since(first_);
    syntax.sound = cursor_.num_errors() == errors && !is_mended(first_);
    const TokenKind last = cursor_.previous().kind;
    open_end_before_ = last != TokenKind::kPeriod && last != TokenKind::kExponent &&
                       last != TokenKind::kRightBrace && !cursor_.peek().begins_line;
    rules.push_back(std::move(syntax));
  }
  return rules;
}

bool RuleParser::is_mended(std::size_t first) const {
  for (std::size_t i = first; i < cursor_.position(); ++i) {
    if (cursor_.token(i).mended) return true;
  }
  return false;
}

bool RuleParser::rule(RuleSyntax& rule) {
  weight(rule);
  auto expression = parse_expression(cursor_);
  if (!expression) return false;
  rule.expression = std::move(*expression);
  if (!rule.weight) mend_missing_colon(rule);
  return finish(rule) && ends_here();
}

void RuleParser::weight(RuleSyntax& rule) {
  const bool name = cursor_.sees(TokenKind::kIdentifier) || cursor_.sees(TokenKind::kString);
  if (name && cursor_.sees(TokenKind::kColon, 1)) {
    const TextRange at = cursor_.take().range;
    cursor_.take();  // the colon
    cursor_.error(DiagnosticCode::kSyntax,
                  at,
                  fmt::format("`{}` stands where a weight is expected", cursor_.slice(at)),
                  "a weight is a number without quotes; rules have no names");
    rule.weight = WeightSyntax{1.0, at};
    return;
  }
  if (!cursor_.sees_weight()) return;
  const TextRange begin = cursor_.peek().range;
  const bool negative = cursor_.take_if(TokenKind::kMinus);
  const Token& number = cursor_.take();
  cursor_.take();  // the colon
  // Whether a weight may be negative is a matter of the semantics.
  rule.weight = WeightSyntax{negative ? -number.number : number.number, join(begin, number.range)};
}

// Where the leftmost factor of a product without `*` is a number: `1 A(X) >> B(X)`.
Expression* product_at_start(Expression& expression) {
  Expression* at = &expression;
  while (at->kind != ExpressionKind::kProduct && !at->operands.empty()) {
    // The operands of `head << body` are swapped.
    Expression* leftmost = &at->operands.front();
    for (Expression& operand : at->operands) {
      if (operand.range.begin < leftmost->range.begin) leftmost = &operand;
    }
    if (leftmost->range.begin != at->range.begin) return nullptr;  // behind a sign or bracket
    at = leftmost;
  }
  const bool found = at->kind == ExpressionKind::kProduct && at->juxtaposed &&
                     at->operands.front().kind == ExpressionKind::kNumber;
  return found ? at : nullptr;
}

// A number, then something logical on the same line: the colon after a weight was forgotten.
void RuleParser::mend_missing_colon(RuleSyntax& rule) {
  const bool hard = cursor_.sees(TokenKind::kPeriod);
  Expression* product = product_at_start(rule.expression);
  if (product == nullptr || (hard && !is_logical(rule.expression.kind))) return;
  const Expression number = product->operands.front();
  if (product->operands.size() != 2) return;
  cursor_.error(DiagnosticCode::kSyntax,
                number.range,
                fmt::format("expected `:` after the weight {}", cursor_.slice(number.range)),
                fmt::format("write `{}:`", cursor_.slice(number.range)));
  rule.weight = WeightSyntax{number.number, number.range};
  const bool inverse = product->inverse;
  Expression factor = std::move(product->operands.back());
  *product = std::move(factor);
  product->inverse = inverse;
}

bool RuleParser::finish(RuleSyntax& rule) {
  const TokenKind next = cursor_.peek().kind;
  const bool apart = next == TokenKind::kCaret && cursor_.sees(TokenKind::kNumber, 1);
  const bool has_exponent = next == TokenKind::kExponent || apart;
  if (has_exponent && !exponent(rule)) return false;
  return rule.weight ? finish_weighted(rule) : finish_hard(rule, has_exponent);
}

bool RuleParser::exponent(RuleSyntax& rule) {
  const Token& token = cursor_.take();
  if (token.kind == TokenKind::kCaret) {
    const TextRange whole = join(token.range, cursor_.take().range);
    cursor_.error(DiagnosticCode::kBadExponent,
                  whole,
                  "a blank inside an exponent",
                  fmt::format("write ^{}", cursor_.slice(cursor_.previous().range)));
  } else if (token.number == 0.0) {
    cursor_.error(DiagnosticCode::kBadExponent,
                  token.range,
                  fmt::format("`{}` is no exponent", cursor_.slice(token.range)),
                  "the exponents are ^1 (linear) and ^2 (squared)");
  }
  rule.squared = token.number == 2.0;
  const TokenKind next = operator_at(cursor_);
  const bool binary = next >= TokenKind::kIff && next != TokenKind::kNot &&
                      next != TokenKind::kBar && next != TokenKind::kMinus;
  if (!binary || cursor_.peek().begins_line) return true;
  cursor_.error(DiagnosticCode::kBadExponent,
                token.range,
                "an exponent in the middle of a rule",
                "an exponent is for the whole rule and stands at its end; atoms have none");
  return false;
}

bool RuleParser::finish_weighted(RuleSyntax& rule) {
  if (!filters(rule)) return false;
  if (cursor_.sees(TokenKind::kExponent)) {
    cursor_.error(DiagnosticCode::kSyntax,
                  cursor_.peek().range,
                  "the exponent stands after a filter",
                  "the order is: rule, exponent, filters");
    if (!exponent(rule)) return false;
  }
  if (cursor_.sees(TokenKind::kPeriod)) {
    cursor_.error(DiagnosticCode::kWeightAndPeriod,
                  cursor_.peek().range,
                  "the rule has a weight, so it cannot end with a period",
                  "remove the period, or remove the weight if the rule must always hold");
    cursor_.take();
  }
  return filters(rule);
}

bool RuleParser::finish_hard(RuleSyntax& rule, bool has_exponent) {
  const TextRange before_filters = cursor_.peek().range;
  if (!filters(rule)) return false;
  if (!cursor_.sees(TokenKind::kPeriod)) {
    if (!has_exponent) return missing_end(rule);
    cursor_.error(DiagnosticCode::kMissingRuleEnd,
                  rule.expression.range,
                  "the rule has an exponent but no weight",
                  "begin it with a weight such as `1:`");
    return true;
  }
  if (has_exponent) {
    cursor_.error(DiagnosticCode::kBadExponent,
                  cursor_.previous().range,
                  "a hard rule has no exponent",
                  "remove the exponent, or give the rule a weight and remove the period");
  }
  if (!rule.filters.empty()) {
    cursor_.error(DiagnosticCode::kSyntax,
                  before_filters,
                  "a filter before the period",
                  "the order is: rule, period, filters");
  }
  cursor_.take();
  return filters(rule);
}

// The rule has neither weight nor period: which of several mistakes is it?
bool RuleParser::missing_end(const RuleSyntax& rule) {
  if (cursor_.sees(TokenKind::kError)) return false;
  if (!cursor_.at_end() && !cursor_.sees_start_of_rule()) {
    cursor_.unexpected_after_operand("an operator or `.`");
    return false;
  }
  if (rule.expression.kind == ExpressionKind::kNumber && !cursor_.peek().begins_line) {
    cursor_.error(
        DiagnosticCode::kSyntax,
        rule.expression.range,
        fmt::format("expected `:` after the weight {}", cursor_.slice(rule.expression.range)),
        fmt::format("write `{}:`", cursor_.slice(rule.expression.range)));
    return false;
  }
  if (open_end_before_) {
    cursor_.error(DiagnosticCode::kSyntax,
                  cursor_.token(first_).range,
                  "expected an operator before this, or the end of the rule",
                  "an operator may be missing, such as `&` or `->`");
    return true;
  }
  cursor_.error(DiagnosticCode::kMissingRuleEnd,
                rule.expression.range,
                "the rule has neither a weight before it nor a period after it",
                "end it with ` .` if it must always hold, or begin it with a weight such as `1:`");
  return true;
}

// What follows a rule must be able to begin the next one.
bool RuleParser::ends_here() {
  if (cursor_.at_end() || cursor_.sees_start_of_rule()) return true;
  cursor_.unexpected_after_operand("an operator or the end of the rule");
  return false;
}

bool RuleParser::filters(RuleSyntax& rule) {
  while (cursor_.sees(TokenKind::kLeftBrace)) {
    if (!filter(rule)) return false;
  }
  return true;
}

bool RuleParser::filter(RuleSyntax& rule) {
  const TextRange opening = cursor_.take().range;
  if (cursor_.sees(TokenKind::kPlus)) {
    cursor_.error(DiagnosticCode::kSyntax,
                  cursor_.peek().range,
                  "a filter names its variable without `+`",
                  "write {V: condition}");
    cursor_.take();
  }
  if (!cursor_.sees(TokenKind::kIdentifier)) {
    cursor_.unexpected("a summation variable, as in {V: condition}");
    return false;
  }
  const Token& name = cursor_.take();
  FilterSyntax filter;
  filter.variable = {TermSyntaxKind::kVariable, name.text, name.range};
  if (!cursor_.take_if(TokenKind::kColon)) {
    cursor_.unexpected("`:` and the condition of the filter");
    return false;
  }
  auto condition = parse_expression(cursor_);
  if (!condition) return false;
  filter.condition = std::move(*condition);
  if (!cursor_.take_if(TokenKind::kRightBrace)) {
    if (cursor_.sees_boundary()) {
      cursor_.error(DiagnosticCode::kUnclosedBracket, opening, "this `{` is never closed");
    } else {
      cursor_.unexpected("an operator or `}`");
    }
    return false;
  }
  filter.range = join(opening, cursor_.previous().range);
  rule.filters.push_back(std::move(filter));
  return true;
}

void RuleParser::skip_to_next_rule(std::size_t start) {
  if (cursor_.position() == start) cursor_.take();
  while (!cursor_.at_end()) {
    const TokenKind kind = cursor_.peek().kind;
    const bool ends_rule = kind == TokenKind::kPeriod || kind == TokenKind::kExponent ||
                           kind == TokenKind::kRightBrace;
    if (!ends_rule && kind != TokenKind::kLeftBrace && cursor_.sees_boundary()) return;
    cursor_.take();
    if (!ends_rule) continue;
    const bool goes_on = cursor_.sees(TokenKind::kLeftBrace) || cursor_.sees(TokenKind::kPeriod) ||
                         !(cursor_.at_end() || cursor_.sees_start_of_rule());
    if (!goes_on) return;
  }
}

}  // namespace

std::vector<RuleSyntax> parse_rules(std::span<const Token> tokens,
                                    const Source& source,
                                    Diagnostics& sink) {
  return RuleParser(tokens, source, sink).run();
}

}  // namespace sorites::lang
