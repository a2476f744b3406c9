// Resolved formulas to formulas of the model: clauses, weights, one formula per class of a variable
// that stands for classes.
#pragma once

#include <map>

#include "lang/mln/normal_form.h"
#include "lang/mln/resolver.h"
#include "sorites/markov.h"

namespace sorites::markov {

class FormulaBuilder {
 public:
  // The model has all its types and declared predicates.
  FormulaBuilder(MarkovModel& model, Diagnostics& sink) : model_(model), sink_(sink) {}

  // Appends to the formulas of the model, or reports why not.
  void add(const ResolvedFormula& formula);

 private:
  // The constant that a variable for classes has at present; none for the other variables.
  using Choice = std::vector<std::optional<std::uint32_t>>;
  enum class Outcome : std::uint8_t { kAlwaysTrue, kNeverTrue, kAdded, kRefused };
  struct Atom {
    std::uint32_t predicate;
    std::vector<MarkovTerm> terms;
  };

  bool check_weights(const ResolvedFormula& formula);
  void warn_empty_domains(const ResolvedFormula& formula);
  Outcome add(const ResolvedFormula& formula, const Choice& choice, std::vector<double> weights);
  void report(const ResolvedFormula& formula, Outcome worst);
  LogicNode logic(const ResolvedExpression& expression, const Choice& choice);
  LogicNode equality(const ResolvedExpression& expression, const Choice& choice);
  ValueLiteral literal(const ResolvedExpression& atom, const Choice& choice);
  std::uint32_t atom_number(std::uint32_t predicate, std::vector<MarkovTerm> terms);
  std::uint32_t equality_predicate(std::uint32_t type);
  void add(const ResolvedFormula& formula,
           const Choice& choice,
           const std::vector<ValueClause>& clauses,
           std::vector<double> weights);
  std::vector<bool> used_variables(const ResolvedFormula& formula,
                                   const std::vector<ValueClause>& clauses) const;
  MarkovFormula to_formula(const ResolvedFormula& formula,
                           const std::vector<bool>& used,
                           const std::vector<ValueClause>& clauses);
  Diagnostic& error(DiagnosticCode code,
                    const ResolvedFormula& formula,
                    TextRange at,
                    std::string message);

  MarkovModel& model_;
  Diagnostics& sink_;
  std::map<std::uint32_t, std::uint32_t> equality_predicates_;  // by type
  // Of the formula at hand.
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
  std::vector<Atom> atoms_;
  std::vector<std::uint32_t> num_values_;
};

}  // namespace sorites::markov
