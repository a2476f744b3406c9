// Statements as written: names not looked up, nothing checked but the grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace sorites::markov {

// A name or constant. In formulas those that begin with a small letter or `_` are variables; quoted
// ones never.
struct TermSyntax {
  std::string text;
  TextRange range;
  bool is_variable = false;
  bool plus = false;  // written `+v`
};

enum class ExpressionKind : std::uint8_t {
  kIff,
  kImplies,
  kOr,
  kAnd,
  kNot,
  kAtom,
  kEquality,
  kForall,
  kExists,
};

struct Expression {
  ExpressionKind kind = ExpressionKind::kAtom;
  TextRange range;
  std::vector<Expression> operands;
  std::string name;               // of kAtom
  std::vector<TermSyntax> terms;  // of kAtom, two of kEquality
  std::vector<TermSyntax>
      classes;  // of kAtom: `in {A, B}` or `= A`; empty if there is no such test
  std::vector<TermSyntax> quantified;  // of kForall and kExists
  bool starred = false;                // of kAtom: written `*p(x)`, both as it is and negated
};

// `A = 0.7` in a list of weights, or `(A, B) = 0.7` of several `+v` variables.
struct ConstantWeightSyntax {
  std::vector<TermSyntax> constants;
  TextRange range;
  double weight = 0.0;
};

struct FormulaSyntax {
  const Source* source = nullptr;
  TextRange range;  // without weight and period
  TextRange whole;  // with both
  bool hard = false;
  std::vector<double> weights;  // one, or one per combination of the constants of `+v` variables
  bool weight_list = false;     // written [w, w, ...]
  // Written [A = w, B = w, ... = w]: `weights` has that of all other constants, or none.
  std::vector<ConstantWeightSyntax> constant_weights;
  TextRange weight_range;
  std::vector<TermSyntax> quantified;  // of a FORALL in front of the whole formula
  Expression expression;
};

// `*name(type, type!) in {A, B}`
struct PredicateSyntax {
  const Source* source = nullptr;
  TextRange range;
  TermSyntax name;
  bool closed = false;
  std::vector<TermSyntax> arguments;
  bool functional = false;          // the constants of the last type are its classes
  std::vector<TermSyntax> classes;  // empty without `in`
};

// `type = {A, B}`, or `type = {A, B, ...}` if there may be others
struct TypeSyntax {
  const Source* source = nullptr;
  TermSyntax name;
  std::vector<TermSyntax> constants;
  bool open = false;
};

struct Statements {
  std::vector<TypeSyntax> types;
  std::vector<PredicateSyntax> predicates;
  std::vector<FormulaSyntax> formulas;
};

}  // namespace sorites::markov
