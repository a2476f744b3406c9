#include "lang/clause_form.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "lang/clauses.h"

namespace sorites::lang {
namespace {

// Existential parts stand as atoms of predicates that no program has.
constexpr PredicateId kFirstPart = PredicateId{1} << 31U;

bool is_quantifier(FormulaKind kind) {
  return kind == FormulaKind::kForall || kind == FormulaKind::kExists;
}

bool has_quantifier(const Formula& formula) {
  return is_quantifier(formula.kind) ||
         std::any_of(formula.operands.begin(), formula.operands.end(), has_quantifier);
}

Formula negation(Formula formula) {
  Formula result{.kind = FormulaKind::kNot};
  result.operands.push_back(std::move(formula));
  return result;
}

bool mentions(const Term& term, std::span<const VariableId> variables) {
  const auto* variable = std::get_if<VariableId>(&term);
  return variable != nullptr &&
         std::find(variables.begin(), variables.end(), *variable) != variables.end();
}

bool mentions(const Atom& atom, std::span<const VariableId> variables) {
  return std::any_of(atom.arguments.begin(), atom.arguments.end(), [&](const Term& term) {
    return mentions(term, variables);
  });
}

bool mentions(const Comparison& comparison, std::span<const VariableId> variables) {
  return mentions(comparison.left, variables) || mentions(comparison.right, variables);
}

Formula literal(const Atom& atom, bool negated) {
  Formula formula;
  formula.atom = atom;
  return negated ? negation(std::move(formula)) : formula;
}

Formula literal(const Comparison& comparison, bool negated) {
  Formula formula{.kind = FormulaKind::kComparison};
  formula.comparison = comparison;
  return negated ? negation(std::move(formula)) : formula;
}

// One of the conjunctions whose disjunction is under an existential quantifier.
struct Disjunct {
  Formula outside{.kind = FormulaKind::kAnd};  // what is without the variables of the quantifier
  std::optional<ExistentialLiteral> part;      // what is about them
};

Formula either(Formula a, Formula b) {
  if (a.operands.empty() || b.operands.empty()) return {.kind = FormulaKind::kAnd};  // always
  Formula result{.kind = FormulaKind::kOr};
  result.operands.push_back(std::move(a));
  result.operands.push_back(std::move(b));
  return result;
}

// A literal that counts under one condition or another counts once: their sum would count it twice
// where both hold.
void add_or_widen(Disjunct added, std::vector<Disjunct>& disjuncts) {
  const auto same = std::find_if(disjuncts.begin(), disjuncts.end(), [&](const Disjunct& other) {
    return added.part && other.part && added.outside == other.outside &&
           added.part->literal == other.part->literal &&
           added.part->variables == other.part->variables;
  });
  if (same == disjuncts.end()) {
    disjuncts.push_back(std::move(added));
  } else {
    same->part->guard = either(std::move(same->part->guard), std::move(added.part->guard));
  }
}

// Takes quantifiers out of a formula.
class Unquantifier {
 public:
  explicit Unquantifier(std::span<const Predicate> predicates) : predicates_(predicates) {}

  ClauseFormResult run(const Formula& formula);

 private:
  Formula simplified(const Formula& formula, bool wanted);
  Formula simplified(FormulaKind kind, const Formula& formula, bool left, bool right);
  Formula quantified(const Formula& formula, bool wanted);
  Formula existential(const Formula& body, std::span<const VariableId> variables);
  Disjunct disjunct(const Clause& negated, std::span<const VariableId> variables);
  ExistentialLiteral part(std::vector<Literal<Atom>> atoms,
                          Formula guard,
                          std::span<const VariableId> variables);
  Formula atom_of(ExistentialLiteral part);
  std::size_t counting_literal(const std::vector<Literal<Atom>>& atoms,
                               std::span<const VariableId> variables);

  std::span<const Predicate> predicates_;
  ClauseFormResult result_;
  std::vector<VariableId> universal_;
  std::vector<ExistentialLiteral> parts_;
  std::size_t steps_ = 0;
  std::vector<VariableId>* enclosing_ = nullptr;  // variables of the existential part around
};

// The formula, or its negation, without quantifiers.
Formula Unquantifier::simplified(const Formula& formula, bool wanted) {
  constexpr std::size_t kMostSteps = std::size_t{1} << 16U;  // equivalences double what is in them
  if (++steps_ > kMostSteps) {
    result_.too_many_clauses = true;
    return {};
  }
  if (!has_quantifier(formula)) return wanted ? formula : negation(formula);
  Formula result;
  switch (formula.kind) {
    case FormulaKind::kNot:
      return simplified(formula.operands[0], !wanted);
    case FormulaKind::kAnd:
    case FormulaKind::kOr:
      result.kind =
          (formula.kind == FormulaKind::kAnd) == wanted ? FormulaKind::kAnd : FormulaKind::kOr;
      for (const Formula& operand : formula.operands) {
        result.operands.push_back(simplified(operand, wanted));
      }
      return result;
    case FormulaKind::kImplies:
      return wanted ? simplified(FormulaKind::kOr, formula, false, true)
                    : simplified(FormulaKind::kAnd, formula, true, false);
    case FormulaKind::kIff:
      result.kind = FormulaKind::kAnd;
      result.operands.push_back(simplified(FormulaKind::kOr, formula, false, wanted));
      result.operands.push_back(simplified(FormulaKind::kOr, formula, true, !wanted));
      return result;
    default:
      return quantified(formula, wanted);
  }
}

// Both operands, each as it is or negated.
Formula Unquantifier::simplified(FormulaKind kind, const Formula& formula, bool left, bool right) {
  Formula result{.kind = kind};
  result.operands.push_back(simplified(formula.operands[0], left));
  result.operands.push_back(simplified(formula.operands[1], right));
  return result;
}

Formula Unquantifier::quantified(const Formula& formula, bool wanted) {
  const auto& variables = formula.quantified;
  if ((formula.kind == FormulaKind::kForall) == wanted) {
    if (enclosing_ != nullptr) {
      result_.problem = "a quantifier over all values stands under one over some value";
    }
    universal_.insert(universal_.end(), variables.begin(), variables.end());
    return simplified(formula.operands[0], wanted);
  }
  if (enclosing_ != nullptr) {
    enclosing_->insert(enclosing_->end(), variables.begin(), variables.end());
    return simplified(formula.operands[0], wanted);
  }
  std::vector<VariableId> all = variables;
  enclosing_ = &all;
  const Formula body = simplified(formula.operands[0], wanted);
  enclosing_ = nullptr;
  return existential(body, all);
}

// A disjunction: the clauses of the negated body, negated.
Formula Unquantifier::existential(const Formula& body, std::span<const VariableId> variables) {
  Formula result{.kind = FormulaKind::kOr};
  const auto clauses = try_to_clauses(negation(body));
  if (!clauses) {
    result_.too_many_clauses = true;
    return result;
  }
  std::vector<Disjunct> disjuncts;
  for (const Clause& clause : *clauses) add_or_widen(disjunct(clause, variables), disjuncts);
  for (Disjunct& one : disjuncts) {
    Formula& added = result.operands.emplace_back(std::move(one.outside));
    if (one.part) added.operands.push_back(atom_of(std::move(*one.part)));
  }
  return result;
}

// A conjunction, given its negation.
Disjunct Unquantifier::disjunct(const Clause& negated, std::span<const VariableId> variables) {
  Disjunct result;
  Formula guard{.kind = FormulaKind::kAnd};
  std::vector<Literal<Atom>> atoms;
  for (const auto& [atom, is_negated] : negated.atoms) {
    if (mentions(atom, variables)) {
      atoms.push_back({atom, !is_negated});
    } else {
      result.outside.operands.push_back(literal(atom, !is_negated));
    }
  }
  for (const auto& [comparison, is_negated] : negated.comparisons) {
    Formula& to = mentions(comparison, variables) ? guard : result.outside;
    to.operands.push_back(literal(comparison, !is_negated));
  }
  if (!atoms.empty()) {
    result.part = part(std::move(atoms), std::move(guard), variables);
  } else if (!guard.operands.empty()) {
    result_.problem = "a part of what must hold for some value has a comparison but no atom of it";
  }
  return result;
}

// The literal whose values are added up: the one that is not known; or, of known ones, the last of
// those with the most variables of the quantifiers, since it must have all that are in conditions.
std::size_t Unquantifier::counting_literal(const std::vector<Literal<Atom>>& atoms,
                                           std::span<const VariableId> variables) {
  std::size_t chosen = 0, num_open = 0;
  std::ptrdiff_t most = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const auto in_atom = [&](VariableId v) { return mentions(atoms[i].what, {&v, 1}); };
    const std::ptrdiff_t count = std::count_if(variables.begin(), variables.end(), in_atom);
    if (num_open == 0 && count >= most) {
      most = count;
      chosen = i;
    }
    const PredicateId predicate = atoms[i].what.predicate;
    if (predicate < predicates_.size() && !predicates_[predicate].open) continue;
    chosen = i;
    ++num_open;
  }
  if (num_open > 1) {
    result_.problem =
        "several atoms that are not known must hold for one value: the truth of \"some value has "
        "both\" is no sum";
  }
  return chosen;
}

ExistentialLiteral Unquantifier::part(std::vector<Literal<Atom>> atoms,
                                      Formula guard,
                                      std::span<const VariableId> variables) {
  const std::size_t chosen = counting_literal(atoms, variables);
  ExistentialLiteral found{.literal = atoms[chosen]};
  for (const VariableId variable : variables) {
    const bool counts = mentions(found.literal.what, {&variable, 1});
    if (counts) found.variables.push_back(variable);
  }
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (i != chosen) guard.operands.push_back(literal(atoms[i].what, atoms[i].negated));
  }
  for (const VariableId variable : variables) {
    const auto uses = [&](const Formula& operand) {
      const Formula& inner = operand.kind == FormulaKind::kNot ? operand.operands[0] : operand;
      return inner.kind == FormulaKind::kAtom ? mentions(inner.atom, {&variable, 1})
                                              : mentions(inner.comparison, {&variable, 1});
    };
    if (!mentions(found.literal.what, {&variable, 1}) &&
        std::any_of(guard.operands.begin(), guard.operands.end(), uses)) {
      result_.problem =
          "the atom whose values are added up does not have all variables that its "
          "conditions have";
    }
  }
  found.guard = std::move(guard);
  return found;
}

// The atom that stands for a part.
Formula Unquantifier::atom_of(ExistentialLiteral part) {
  const auto same = std::find(parts_.begin(), parts_.end(), part);
  Formula result;
  result.atom.predicate = kFirstPart + static_cast<PredicateId>(same - parts_.begin());
  if (same == parts_.end()) parts_.push_back(std::move(part));
  return result;
}

ClauseFormResult Unquantifier::run(const Formula& formula) {
  const Formula plain = simplified(formula, true);
  if (result_.too_many_clauses || !result_.problem.empty()) return std::move(result_);
  const auto clauses = try_to_clauses(plain);
  if (!clauses) return {.too_many_clauses = true};
  ClauseForm form{.universal = std::move(universal_)};
  for (const Clause& clause : *clauses) {
    QuantifiedClause& added = form.clauses.emplace_back();
    added.plain.comparisons = clause.comparisons;
    for (const Literal<Atom>& atom : clause.atoms) {
      const PredicateId part = atom.what.predicate - kFirstPart;
      if (atom.what.predicate >= kFirstPart && part < parts_.size()) {
        added.existentials.push_back(parts_[part]);
      } else {
        added.plain.atoms.push_back(atom);
      }
    }
  }
  return {.form = std::move(form)};
}

}  // namespace

ClauseFormResult clause_form(const Formula& formula, std::span<const Predicate> predicates) {
  return Unquantifier(predicates).run(formula);
}

}  // namespace sorites::lang
