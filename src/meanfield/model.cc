#include "meanfield/model.h"

#include <algorithm>
#include <utility>

namespace sorites {

std::optional<std::uint32_t> MeanFieldDomain::find(Code code) const {
  const auto at = std::lower_bound(codes.begin(), codes.end(), code);
  if (at == codes.end() || *at != code) return std::nullopt;
  return static_cast<std::uint32_t>(at - codes.begin());
}

MeanFieldModel without_formulas(const MeanFieldModel& model) {
  MeanFieldModel result;
  result.domains = model.domains;
  result.predicates = model.predicates;
  result.facts = model.facts;
  result.task.targets = model.task.targets;
  return result;
}

std::uint64_t atom_number(const MeanFieldModel& model,
                          std::uint32_t predicate,
                          std::span<const std::uint32_t> constants) {
  const std::vector<std::uint32_t>& domains = model.predicates[predicate].arguments;
  std::uint64_t number = 0;
  for (std::size_t k = 0; k < constants.size(); ++k) {
    number = number * model.domains[domains[k]].size() + constants[k];
  }
  return number;
}

std::vector<std::uint32_t> atom_constants(const MeanFieldModel& model,
                                          std::uint32_t predicate,
                                          std::uint64_t number) {
  const std::vector<std::uint32_t>& domains = model.predicates[predicate].arguments;
  std::vector<std::uint32_t> constants(domains.size());
  for (std::size_t k = domains.size(); k-- > 0;) {
    const std::uint32_t size = model.domains[domains[k]].size();
    constants[k] = static_cast<std::uint32_t>(number % size);
    number /= size;
  }
  return constants;
}

std::uint64_t num_atoms(const MeanFieldModel& model, std::uint32_t predicate) {
  std::uint64_t count = 1;
  for (const std::uint32_t domain : model.predicates[predicate].arguments) {
    count *= model.domains[domain].size();
  }
  return count;
}

std::vector<KnownAtom> known_atoms(const MeanFieldModel& model, std::uint32_t predicate) {
  if (!model.predicates[predicate].listed) return model.facts[predicate];
  std::vector<std::uint64_t> targets;
  for (const MeanFieldAtom& target : model.task.targets) {
    if (target.predicate == predicate) targets.push_back(target.atom);
  }
  std::sort(targets.begin(), targets.end());
  std::vector<KnownAtom> known;
  auto target = targets.begin();
  auto fact = model.facts[predicate].begin();
  const auto end = model.facts[predicate].end();
  for (std::uint64_t atom = 0, count = num_atoms(model, predicate); atom < count; ++atom) {
    const bool is_fact = fact != end && fact->atom == atom;
    const bool is_target = target != targets.end() && *target == atom;
    if (is_target) ++target;
    if (is_fact || !is_target) known.push_back({atom, is_fact ? fact->value : 0});
    if (is_fact) ++fact;
  }
  return known;
}

void add_formula(MeanFieldModel& model, MeanFieldFormula formula) {
  const std::size_t first = model.weights.size();
  formula.rule = static_cast<std::uint32_t>(model.rules.size());
  formula.id = formula.rule;
  formula.uses.clear();
  if (formula.hard) {
    model.weights.push_back(0.0);
  } else {
    model.weights.insert(model.weights.end(), formula.weights.begin(), formula.weights.end());
    for (std::uint32_t i = 0; i < formula.weights.size(); ++i) {
      formula.uses.push_back({first + i, i});
    }
  }
  model.rules.push_back(
      {first, model.weights.size() - first, formula.hard, !formula.weighted.empty()});
  model.formulas.push_back(std::move(formula));
}

std::vector<double> formula_weights(const MeanFieldFormula& formula,
                                    std::span<const double> weights) {
  std::vector<double> result(formula.weights.size(), 0.0);
  for (const WeightUse& use : formula.uses) {
    result[use.weight] += formula.factor * weights[use.slot];
  }
  return result;
}

void add_weight_slopes(const MeanFieldFormula& formula,
                       std::span<const double> slopes,
                       std::span<double> sums) {
  for (const WeightUse& use : formula.uses) sums[use.slot] += formula.factor * slopes[use.weight];
}

void set_weights(MeanFieldModel& model, std::span<const double> weights) {
  model.weights.assign(weights.begin(), weights.end());
  for (MeanFieldFormula& formula : model.formulas) {
    if (!formula.hard) formula.weights = formula_weights(formula, weights);
  }
}

}  // namespace sorites
