// Formulas with their names looked up: predicates, variables with what they run over, constants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lang/mln/syntax.h"
#include "lang/mln/vocabulary.h"

namespace sorites::markov {

struct FormulaVariable {
  std::string name;
  TextRange place;           // where it stands first
  Domain* domain = nullptr;  // none while no atom has said it
  TextRange domain_place;    // the atom that did
  bool plus = false;
  bool is_class = false;  // stands for a class of an atom, and perhaps for constants elsewhere
};

struct ResolvedExpression {
  ExpressionKind kind = ExpressionKind::kAtom;
  std::vector<ResolvedExpression> operands;
  std::uint32_t predicate = 0;      // of kAtom
  Domain* domain = nullptr;         // of kEquality
  std::vector<MarkovTerm> terms;    // of kAtom, two of kEquality
  std::vector<MarkovTerm> classes;  // of kAtom with classes: one of them
};

struct ResolvedFormula {
  const FormulaSyntax* syntax = nullptr;
  std::vector<FormulaVariable> variables;
  ResolvedExpression expression;
};

// Constants that no data mentions are added to their type, with a warning. None if a mistake was
// reported.
std::optional<ResolvedFormula> resolve(const FormulaSyntax& syntax,
                                       Vocabulary& vocabulary,
                                       Diagnostics& sink);

}  // namespace sorites::markov
