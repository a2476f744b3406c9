#include "meanfield/program_weights.h"

#include <stdexcept>

#include "meanfield/narrow_domains.h"

namespace sorites {
namespace {

// One weight per combination of constants, row by row.
std::vector<ConstantWeight> constant_weights(const Rule& rule,
                                             const std::vector<const MeanFieldDomain*>& domains,
                                             const Database& database,
                                             std::span<const double> weights) {
  std::vector<ConstantWeight> result;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ConstantWeight& one = result.emplace_back();
    one.weight = weights[i];
    one.constants.resize(rule.weighted.size());
    std::size_t rest = i;
    for (std::size_t k = domains.size(); k-- > 0;) {
      const Code code = domains[k]->codes[rest % domains[k]->size()];
      one.constants[k] = database.dictionary(domains[k]->domain).text(code);
      rest /= domains[k]->size();
    }
  }
  return result;
}

}  // namespace

std::vector<bool> fixed_weights(const MeanFieldModel& model) {
  std::vector<bool> fixed;
  for (const MeanFieldRule& rule : model.rules) {
    fixed.insert(fixed.end(), rule.num_weights, rule.hard);
  }
  return fixed;
}

void set_program_weights(const MeanFieldModel& model,
                         const Database& database,
                         std::span<const double> weights,
                         Program& program) {
  if (weights.size() != model.weights.size()) {
    throw std::invalid_argument("mean field: one weight per weight of the program is needed");
  }
  const meanfield::NarrowedDomains narrowed = meanfield::narrow_domains(program, database);
  for (std::size_t r = 0; r < program.rules.size(); ++r) {
    Rule& rule = program.rules[r];
    const MeanFieldRule& place = model.rules[r];
    if (place.hard) continue;
    const auto own = weights.subspan(place.first_weight, place.num_weights);
    if (!place.plus) {
      rule.weight = own[0];
      continue;
    }
    std::vector<const MeanFieldDomain*> domains;
    for (const VariableId v : rule.weighted) {
      domains.push_back(&narrowed.domains[narrowed.of_variable[r][v]]);
    }
    rule.constant_weights = constant_weights(rule, domains, database, own);
  }
}

}  // namespace sorites
