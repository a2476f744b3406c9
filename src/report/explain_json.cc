#include "report/explain_json.h"

#include <utility>

namespace sorites {
namespace {

Json to_json(const GroundRuleEffect& effect, const ExplainResult& result) {
  Json facts = Json::array();
  for (const Fact& fact : effect.ground.facts) {
    facts.push_back({{"atom", fact.atom},
                     {"value", fact.value},
                     {"file", fact.origin.file},
                     {"line", fact.origin.line}});
  }
  const GroundRule& rule = result.rules[effect.rule];
  return {{"ground_rule", effect.ground.text},
          {"rule", effect.rule + 1},
          {"text", rule.text},
          {"file", rule.source.file},
          {"line", rule.source.line},
          {"force", effect.force},
          {"coefficient", effect.coefficient},
          {"multiplier", effect.multiplier},
          {"distance", effect.distance},
          {"energy", effect.energy},
          {"tight", effect.tight},
          {"facts", std::move(facts)}};
}

Json to_json(const std::vector<GroundRuleEffect>& effects, const ExplainResult& result) {
  Json list = Json::array();
  for (const GroundRuleEffect& effect : effects) list.push_back(to_json(effect, result));
  return list;
}

Json to_json(const AtomExplanation& atom, const ExplainResult& result) {
  Json rules = Json::array();
  for (const RuleForce& rule : atom.rules) {
    rules.push_back({{"rule", rule.rule + 1}, {"force", rule.force}});
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
                   {"rules", std::move(rules)},
                   {"up", to_json(atom.up, result)},
                   {"down", to_json(atom.down, result)},
                   {"tight", to_json(atom.tight, result)},
                   {"all_seen", atom.all_seen}};
  if (atom.is_integer) {
    document["forced"] = atom.is_forced;
    document["flip_cost"] = atom.flip_cost;
    document["flip_bound"] = atom.flip_bound;
    document["reasons"] = to_json(atom.reasons, result);
  }
  return document;
}

Json to_json(const RuleExplanation& rule, const ExplainResult& result) {
  const RuleStatistics& statistics = rule.statistics;
  Json document = {{"rule", rule.rule + 1}};
  document.update(rule_to_json(result.rules[rule.rule]));
  document["terms"] = count_to_json(statistics.terms);
  document["satisfied"] = count_to_json(statistics.satisfied);
  document["energy"] = statistics.energy;
  document["distance"] = statistics.distance;
  document["worst"] = statistics.worst;
  document["worst_groundings"] = to_json(rule.worst, result);
  document["all_seen"] = rule.all_seen;
  return document;
}

}  // namespace

Json to_json(const std::string& path,
             const ExplainResult& result,
             const std::vector<Diagnostic>& diagnostics) {
  Json atoms = Json::array(), rules = Json::array();
  for (const AtomExplanation& atom : result.atoms) atoms.push_back(to_json(atom, result));
  for (const RuleExplanation& rule : result.explained_rules) rules.push_back(to_json(rule, result));
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
