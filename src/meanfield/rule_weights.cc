#include "meanfield/rule_weights.h"

#include <algorithm>

namespace sorites::meanfield {
namespace {

std::size_t num_weights(const Rule& rule,
                        const std::vector<std::uint32_t>& domains,
                        const MeanFieldModel& model) {
  std::size_t count = 1;
  for (const VariableId variable : rule.weighted) count *= model.domains[domains[variable]].size();
  return count;
}

}  // namespace

std::vector<double> rule_weights(const Rule& rule,
                                 const std::vector<std::uint32_t>& domains,
                                 const MeanFieldModel& model,
                                 const Database& database) {
  if (!rule.weight) return {0.0};
  std::vector<double> weights(num_weights(rule, domains, model), *rule.weight);
  for (const ConstantWeight& special : rule.constant_weights) {
    std::size_t at = 0;
    bool exists = true;  // else there is no grounding with these constants
    for (std::size_t i = 0; i < rule.weighted.size() && exists; ++i) {
      const MeanFieldDomain& domain = model.domains[domains[rule.weighted[i]]];
      const auto code = database.dictionary(domain.domain).find(special.constants[i]);
      const auto constant = code ? domain.find(*code) : std::nullopt;
      exists = constant.has_value();
      if (exists) at = at * domain.size() + *constant;
    }
    if (exists) weights[at] = special.weight;
  }
  return weights;
}

void use_weights(const WeightShape& shape, const MeanFieldModel& model, MeanFieldFormula& formula) {
  const std::size_t count = num_weights(shape.rule, shape.domains, model);
  std::size_t num_own = 1;
  for (const VariableId v : shape.rule.weighted) {
    if (!shape.binding[v] && shape.used[v]) num_own *= model.domains[shape.domains[v]].size();
  }
  for (std::size_t slot = 0; slot < count; ++slot) {
    std::size_t rest = slot, own = 0, inner = 1;
    bool fits = true;
    for (std::size_t i = shape.rule.weighted.size(); i-- > 0;) {
      const VariableId v = shape.rule.weighted[i];
      const std::size_t size = model.domains[shape.domains[v]].size();
      const std::size_t constant = rest % size;
      rest /= size;
      if (shape.binding[v]) {
        fits = fits && *shape.binding[v] == constant;
      } else if (shape.used[v]) {
        own += constant * inner;
        inner *= size;
      }
    }
    if (fits) {
      formula.uses.push_back({shape.first_slot + slot, static_cast<std::uint32_t>(own)});
    }
  }
  formula.weights.assign(num_own, 0.0);
  formula.weights = formula_weights(formula, model.weights);
}

}  // namespace sorites::meanfield
