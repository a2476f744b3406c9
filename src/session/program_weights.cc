#include "session/program_weights.h"

#include <algorithm>
#include <unordered_map>

namespace sorites {
namespace {

template <class AnyProgram>
auto rules_by_id(AnyProgram& program) {
  std::unordered_map<RuleId, decltype(&program.rules[0])> rules;
  for (auto& rule : program.rules) rules.emplace(rule.id, &rule);
  return rules;
}

auto find_constants(auto& weights, const std::vector<std::string>& constants) {
  return std::find_if(weights.begin(), weights.end(), [&](const ConstantWeight& one) {
    return one.constants == constants;
  });
}

}  // namespace

void set_weights(const Reasoner& reasoner, std::span<const double> weights, Program& program) {
  const auto rules = rules_by_id(program);
  const std::vector<WeightSlot> slots = reasoner.weight_slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto found = rules.find(reasoner.rules()[slots[i].rule].id);
    if (found == rules.end() || !found->second->weight) continue;
    Rule& rule = *found->second;
    if (rule.weighted.empty()) {
      rule.weight = weights[i];
      continue;
    }
    const auto entry = find_constants(rule.constant_weights, slots[i].constants);
    if (entry != rule.constant_weights.end()) {
      entry->weight = weights[i];
    } else {
      rule.constant_weights.push_back({slots[i].constants, weights[i]});
    }
  }
}

std::vector<double> weights_in(const Reasoner& reasoner, const Program& program) {
  const auto rules = rules_by_id(program);
  const std::vector<WeightSlot> slots = reasoner.weight_slots();
  std::vector<double> weights = reasoner.weights();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto found = rules.find(reasoner.rules()[slots[i].rule].id);
    if (found == rules.end() || !found->second->weight) continue;
    const Rule& rule = *found->second;
    weights[i] = *rule.weight;
    if (rule.weighted.empty()) continue;
    const auto entry = find_constants(rule.constant_weights, slots[i].constants);
    if (entry != rule.constant_weights.end()) weights[i] = entry->weight;
  }
  return weights;
}

void copy_weights(const Program& from, Program& to) {
  const auto rules = rules_by_id(from);
  for (Rule& rule : to.rules) {
    const auto found = rules.find(rule.id);
    if (found == rules.end()) continue;
    rule.weight = found->second->weight;
    rule.constant_weights = found->second->constant_weights;
  }
}

}  // namespace sorites
