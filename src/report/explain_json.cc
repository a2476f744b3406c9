#include "report/explain_json.h"

#include <utility>

#include "hinge/model/rule_numbers.h"

namespace sorites {
namespace {

struct NumberedRules {
  const std::vector<GroundRule>& rules;
  std::vector<std::uint32_t> numbers = rule_numbers(rules);

  Json place_of(std::uint32_t rule) const { return rule_place_to_json(rules[rule], numbers[rule]); }
};

Json to_json(const GroundRuleEffect& effect, const NumberedRules& rules) {
  Json facts = Json::array();
  for (const Fact& fact : effect.ground.facts) {
    facts.push_back({{"atom", fact.atom},
                     {"value", fact.value},
                     {"file", fact.origin.file},
                     {"line", fact.origin.line}});
  }
  Json document = {{"ground_rule", effect.ground.text}};
  document.update(rules.place_of(effect.rule));
  document["force"] = effect.force;
  document["coefficient"] = effect.coefficient;
  document["multiplier"] = effect.multiplier;
  document["distance"] = effect.distance;
  document["energy"] = effect.energy;
  document["tight"] = effect.tight;
  document["facts"] = std::move(facts);
  return document;
}

Json to_json(const std::vector<GroundRuleEffect>& effects, const NumberedRules& rules) {
  Json list = Json::array();
  for (const GroundRuleEffect& effect : effects) list.push_back(to_json(effect, rules));
  return list;
}

Json to_json(const AtomExplanation& atom, const NumberedRules& rules) {
  Json forces = Json::array();
  for (const RuleForce& one : atom.rules) {
    forces.push_back({{"rule", rules.numbers[one.rule]},
                      {"text", rules.rules[one.rule].text},
                      {"force", one.force}});
  }
  Json document = {{"atom", atom.atom},
                   {"value", atom.value},
                   {"unit", atom.unit},
                   {"own", atom.own},
                   {"terms", count_to_json(atom.terms)},
                   {"force_up", atom.force_up},
                   {"force_down", atom.force_down},
                   {"pull_up", atom.pull_up},
                   {"pull_down", atom.pull_down},
                   {"rules", std::move(forces)},
                   {"up", to_json(atom.up, rules)},
                   {"down", to_json(atom.down, rules)},
                   {"tight", to_json(atom.tight, rules)},
                   {"all_seen", atom.all_seen}};
  if (atom.is_integer) {
    document["forced"] = atom.is_forced;
    document["flip_cost"] = atom.flip_cost;
    document["flip_bound"] = atom.flip_bound;
    document["reasons"] = to_json(atom.reasons, rules);
  }
  return document;
}

Json to_json(const RuleExplanation& rule, const NumberedRules& rules) {
  const RuleStatistics& statistics = rule.statistics;
  Json document = rules.place_of(rule.rule);
  document["hard"] = rules.rules[rule.rule].hard;
  document["terms"] = count_to_json(statistics.terms);
  document["satisfied"] = count_to_json(statistics.satisfied);
  document["energy"] = statistics.energy;
  document["distance"] = statistics.distance;
  document["worst"] = optional_number(statistics.worst);
  document["worst_groundings"] = to_json(rule.worst, rules);
  document["all_seen"] = rule.all_seen;
  return document;
}

}  // namespace

Json to_json(const std::string& path,
             const ExplainResult& result,
             const std::vector<Diagnostic>& diagnostics) {
  const NumberedRules numbered{result.rules};
  Json atoms = Json::array(), rules = Json::array();
  for (const AtomExplanation& atom : result.atoms) atoms.push_back(to_json(atom, numbered));
  for (const RuleExplanation& rule : result.explained_rules) {
    rules.push_back(to_json(rule, numbered));
  }
  return {{"command", "explain"},
          {"model", path},
          {"semantics", result.semantics},
          {"status", name_of(result.status)},
          {"relative_gap", result.relative_gap ? Json(*result.relative_gap) : Json(nullptr)},
          {"weight_scale", result.weight_scale},
          {"atoms", std::move(atoms)},
          {"rules", std::move(rules)},
          {"diagnostics", to_json(std::span<const Diagnostic>(diagnostics))}};
}

}  // namespace sorites
