// The syntax tree: rules as written, names not looked up, nothing checked but the grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "sorites/program.h"

namespace sorites::lang {

enum class TermSyntaxKind : std::uint8_t { kVariable, kSummation, kConstant };

struct TermSyntax {
  TermSyntaxKind kind = TermSyntaxKind::kVariable;
  std::string text;  // name of the variable, or the constant without quotes
  TextRange range;
};

enum class ExpressionKind : std::uint8_t {
  kIff,
  kImplies,  // `head << body` has its operands swapped
  kOr,
  kAnd,
  kForall,
  kExists,
  kNot,
  kRelation,
  kSum,      // of two or more operands
  kProduct,  // of two or more operands
  kNegate,   // the sign in front of an operand
  kAtom,
  kComparison,
  kLoneTerm,  // a name or constant that is neither compared nor given arguments: always a mistake
  kNumber,
  kCardinality,
  kMax,
  kMin,
};

// Both kinds of rules have one grammar; which one it is comes out by looking at the whole.
struct Expression {
  ExpressionKind kind = ExpressionKind::kAtom;
  TextRange range;  // brackets around it included
  // The first operator of kIff ... kProduct; the word of a quantifier; of kAtom: the name.
  TextRange operator_range;
  std::vector<Expression> operands;

  bool inverse = false;     // as an operand: subtracted in a kSum, divided by in a kProduct
  bool numeric = false;     // made of numbers, cardinalities and arithmetic alone
  bool juxtaposed = false;  // of kProduct: some factor follows without `*`
  std::string name;         // of kAtom and kCardinality
  // Of kAtom; two of kComparison; one of kLoneTerm; the variables of a quantifier.
  std::vector<TermSyntax> terms;
  double number = 0.0;  // of kNumber
  RelationalOperator relation = RelationalOperator::kEqual;
  ComparisonOperator comparison = ComparisonOperator::kEqual;
};

constexpr bool is_logical(ExpressionKind kind) { return kind <= ExpressionKind::kNot; }
constexpr bool is_quantifier(ExpressionKind kind) {
  return kind == ExpressionKind::kForall || kind == ExpressionKind::kExists;
}

struct FilterSyntax {
  TermSyntax variable;
  Expression condition;
  TextRange range;
};

struct WeightSyntax {
  double value = 0.0;
  TextRange range;
};

struct RuleSyntax {
  TextRange range;
  std::string text;  // as written, on one line, without comments
  std::optional<WeightSyntax> weight;
  bool squared = false;
  Expression expression;
  std::vector<FilterSyntax> filters;
  bool sound = true;  // no mistake was reported in it so far
};

}  // namespace sorites::lang
