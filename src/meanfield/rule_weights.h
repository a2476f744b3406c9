// The weights of a rule: one, or one per combination of the constants of its `+v` variables.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "meanfield/model.h"

namespace sorites::meanfield {

// The constant that a variable has at present, if any; per variable of a rule.
using Binding = std::vector<std::optional<std::uint32_t>>;

// Row by row, the last weighted variable runs fastest. `domains` are those of the rule's variables.
std::vector<double> rule_weights(const Rule& rule,
                                 const std::vector<std::uint32_t>& domains,
                                 const MeanFieldModel& model,
                                 const Database& database);

// Which of the rule's weights, from `first_slot` on, the formula has in which some variables are
// bound and the weighted ones that are `used` are variables of the formula. Gives the formula its
// uses and weights.
struct WeightShape {
  const Rule& rule;
  const std::vector<std::uint32_t>& domains;
  const Binding& binding;
  const std::vector<bool>& used;  // per variable
  std::size_t first_slot = 0;
};
void use_weights(const WeightShape& shape, const MeanFieldModel& model, MeanFieldFormula& formula);

}  // namespace sorites::meanfield
