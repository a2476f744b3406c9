#include "meanfield/explain_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/atom_text.h"
#include "meanfield/explain_atom.h"
#include "meanfield/lower.h"

namespace sorites {
namespace {

std::string text_of(const InferredProgram& what,
                    PredicateId predicate,
                    std::span<const Code> codes) {
  const Predicate& declared = what.program.predicates[predicate];
  std::vector<std::string> constants;
  for (std::size_t k = 0; k < codes.size(); ++k) {
    constants.push_back(what.database.dictionary(declared.domain(k)).text(codes[k]));
  }
  return atom_text(declared, constants);
}

std::vector<Code> codes_without_class(const MeanFieldModel& model, const MeanFieldAtom& atom) {
  std::vector<Code> codes = atom_codes(model, atom);
  codes.resize(model.predicates[atom.predicate].arguments.size());
  return codes;
}

// One value, or all but one: an atom or its negation; else the values it may have.
std::string text_of(const InferredProgram& what, const MeanFieldCondition& condition) {
  const MeanFieldPredicate& predicate = what.model.predicates[condition.predicate];
  const auto atom = [&](std::uint32_t value) {
    return text_of(what,
                   condition.predicate,
                   atom_codes(what.model, {condition.predicate, condition.atom, value}));
  };
  if (predicate.num_classes() == 0) return (condition.values[0] == 1 ? "" : "!") + atom(1);
  if (condition.values.size() > 1 && condition.values.size() + 1 == predicate.num_classes()) {
    std::uint32_t missing = 0;
    while (missing < condition.values.size() && condition.values[missing] == missing) ++missing;
    return "!" + atom(missing);
  }
  std::string text;
  for (const std::uint32_t value : condition.values) {
    text += (text.empty() ? "" : " | ") + atom(value);
  }
  return text;
}

ProgramGrounding with_names(const InferredProgram& what, const MeanFieldGrounding& grounding) {
  ProgramGrounding result{grounding.push, grounding.values, {}};
  for (const MeanFieldCondition& condition : grounding.conditions) {
    if (condition.predicate >= what.program.predicates.size()) continue;  // a comparison
    FailedLiteral& literal = result.conditions.emplace_back();
    literal.predicate = condition.predicate;
    literal.arguments = codes_without_class(what.model, {condition.predicate, condition.atom, 0});
    literal.probability = condition.probability;
    const MeanFieldPredicate& predicate = what.model.predicates[condition.predicate];
    for (const std::uint32_t value : condition.values) {
      if (predicate.num_classes() > 0) literal.classes.push_back(predicate.classes[value]);
    }
    literal.text = text_of(what, condition);
  }
  return result;
}

// The hardest of several lists, each hardest first.
void keep_hardest(std::vector<ProgramGrounding>& groundings, std::size_t count) {
  std::stable_sort(groundings.begin(),
                   groundings.end(),
                   [](const ProgramGrounding& a, const ProgramGrounding& b) {
                     return std::abs(a.push) > std::abs(b.push);
                   });
  if (groundings.size() > count) groundings.resize(count);
}

// A rule may be several formulas, one per class.
RulePush& push_of(std::vector<RulePush>& rules, std::uint32_t rule, std::size_t num_values) {
  const auto at = std::find_if(
      rules.begin(), rules.end(), [&](const RulePush& push) { return push.rule == rule; });
  if (at != rules.end()) return *at;
  RulePush& added = rules.emplace_back();
  added.rule = rule;
  added.log_odds.assign(num_values, 0.0);
  return added;
}

}  // namespace

std::optional<MeanFieldAtom> find_atom(const MeanFieldModel& model,
                                       PredicateId predicate,
                                       std::span<const Code> arguments) {
  const MeanFieldPredicate& declared = model.predicates[predicate];
  if (declared.closed) return std::nullopt;
  std::vector<std::uint32_t> constants;
  for (std::size_t k = 0; k < declared.arguments.size(); ++k) {
    const auto found = model.domains[declared.arguments[k]].find(arguments[k]);
    if (!found) return std::nullopt;
    constants.push_back(*found);
  }
  MeanFieldAtom atom{predicate, atom_number(model, predicate, constants), 1};
  if (declared.num_classes() == 0) return atom;
  const auto at =
      std::lower_bound(declared.classes.begin(), declared.classes.end(), arguments.back());
  if (at == declared.classes.end() || *at != arguments.back()) return std::nullopt;
  atom.value = static_cast<std::uint32_t>(at - declared.classes.begin());
  return atom;
}

MeanFieldExplanation explain(const InferredProgram& what,
                             const AtomValues<double>& unaries,
                             const MeanFieldAtom& atom,
                             const MeanFieldExplainOptions& options) {
  const MeanFieldAtomExplanation found =
      explain_atom(what.model, what.marginals, unaries, atom.predicate, atom.atom, options);
  MeanFieldExplanation result;
  result.text = text_of(what, atom.predicate, codes_without_class(what.model, atom));
  result.classes = what.model.predicates[atom.predicate].class_names;
  result.marginal = found.marginal;
  result.log_odds = found.log_odds;
  result.unary = found.unary;
  for (const FormulaPush& push : found.formulas) {
    RulePush& of_rule =
        push_of(result.rules, what.model.formulas[push.formula].rule, push.log_odds.size());
    for (std::size_t v = 0; v < push.log_odds.size(); ++v) of_rule.log_odds[v] += push.log_odds[v];
    for (const MeanFieldGrounding& grounding : push.groundings) {
      of_rule.groundings.push_back(with_names(what, grounding));
    }
    of_rule.all_seen = of_rule.all_seen && push.all_seen;
  }
  for (RulePush& push : result.rules) keep_hardest(push.groundings, options.max_groundings);
  std::stable_sort(result.rules.begin(), result.rules.end(), [](const auto& a, const auto& b) {
    return strength_of(a.log_odds) > strength_of(b.log_odds);
  });
  return result;
}

RuleViolations explain_rule(const InferredProgram& what,
                            std::uint32_t rule,
                            const MeanFieldExplainOptions& options) {
  RuleViolations result;
  for (std::size_t f = 0; f < what.model.formulas.size(); ++f) {
    if (what.model.formulas[f].rule != rule) continue;
    const MeanFieldFormulaExplanation found =
        explain_formula(what.model, what.marginals, f, options);
    result.groundings += found.groundings;
    result.violated += found.violated;
    result.cost += found.cost;
    result.all_seen = result.all_seen && found.all_seen;
    for (const MeanFieldGrounding& grounding : found.worst) {
      result.worst.push_back(with_names(what, grounding));
    }
  }
  keep_hardest(result.worst, options.max_groundings);
  return result;
}

std::string hard_grounding_text(const Program& program,
                                const Database& database,
                                const MeanFieldModel& model,
                                const HardGrounding& grounding) {
  const AtomValues<double> none;
  const InferredProgram what{program, database, model, none};
  std::vector<std::string> body, head, data;
  const MeanFieldClause& clause = model.formulas[grounding.formula].clauses[grounding.clause];
  for (std::size_t l = 0; l < clause.size(); ++l) {
    const std::uint32_t predicate = clause[l].predicate;
    if (predicate >= program.predicates.size()) continue;  // a comparison
    MeanFieldCondition holds{predicate, grounding.atoms[l], clause[l].values};
    MeanFieldCondition fails{predicate, grounding.atoms[l], {}};
    for (std::uint32_t value = 0; value < model.predicates[predicate].num_values(); ++value) {
      if (!std::binary_search(holds.values.begin(), holds.values.end(), value)) {
        fails.values.push_back(value);
      }
    }
    // Of !P(a) the atom stands on the left; of two classes, each is the negation of the other.
    const bool negated = model.predicates[predicate].num_classes() == 0 && fails.values[0] == 1;
    negated ? body.push_back(text_of(what, fails)) : head.push_back(text_of(what, holds));
    if (grounding.fails_by_facts[l]) data.push_back(text_of(what, fails));
  }
  std::string text = fmt::format("{}", fmt::join(body, " & "));
  if (head.empty()) {
    text = body.size() == 1 ? "!" + text : fmt::format("!({})", text);
  } else {
    text += fmt::format("{}{}", body.empty() ? "" : " -> ", fmt::join(head, " | "));
  }
  if (!data.empty()) text += fmt::format(", with {} in the data", fmt::join(data, " and "));
  return text;
}

std::string ground_clause_text(const InferredProgram& what,
                               const GroundNetwork& network,
                               const GroundClause& clause) {
  std::string text;
  for (const GroundLiteral& literal : clause.literals) {
    const GroundAtom& atom = network.atoms[literal.atom];
    MeanFieldCondition holds{atom.predicate, atom.atom, {}};
    for (std::uint32_t value = 0; value < kMostGroundValues; ++value) {
      if ((literal.holds >> value & 1) != 0) holds.values.push_back(value);
    }
    text += (text.empty() ? "" : " | ") + text_of(what, holds);
  }
  return text;
}

}  // namespace sorites
