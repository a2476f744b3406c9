#include "report/infer_json.h"

#include "base/peak_memory.h"
#include "hinge/model/rule_numbers.h"

namespace sorites {
namespace {

Json to_json(const PresolveSummary& presolve) {
  return {{"aliased_atoms", presolve.aliased_atoms},
          {"fixed_atoms", presolve.fixed_atoms},
          {"idle_atoms", presolve.idle_atoms},
          {"folded_terms", presolve.folded_terms},
          {"merged_terms", presolve.merged_terms},
          {"groups", presolve.groups},
          {"variables", presolve.variables},
          {"rows", presolve.rows},
          {"seconds", presolve.seconds}};
}

Json rules_to_json(const InferResult& result) {
  Json rules = rules_to_json(std::span<const GroundRule>(result.rules));
  for (std::size_t r = 0; r < result.rules.size(); ++r) {
    const RuleStatistics& statistics = result.statistics[r];
    Json& rule = rules[r];
    rule["terms"] = count_to_json(statistics.terms);
    rule["satisfied"] = count_to_json(statistics.satisfied);
    rule["energy"] = statistics.energy;
    rule["distance"] = statistics.distance;
    rule["worst"] = optional_number(statistics.worst);
  }
  return rules;
}

Json conflict_to_json(const InferResult& result) {
  const std::vector<std::uint32_t> numbers = rule_numbers(result.rules);
  Json conflict = Json::array();
  for (const ConflictRule& one : result.conflict) {
    conflict.push_back({{"ground_rule", one.text}});
    conflict.back().update(rule_place_to_json(result.rules[one.rule], numbers[one.rule]));
  }
  return conflict;
}

Json values_to_json(const InferReport& report) {
  Json values = Json::array();
  const std::vector<double>& errors = report.result.errors;
  for (const AtomRange& range : report.result.ranges) {
    for (std::uint32_t i = 0; i < range.count; ++i) {
      values.push_back(
          {{"predicate", report.database.predicates()[range.predicate].name},
           {"arguments", report.database.arguments(range.predicate, {Partition::kTarget, i})},
           {"value", report.result.values[range.first + i]},
           {"error", errors.empty() ? Json() : Json(errors[range.first + i])}});
    }
  }
  return values;
}

}  // namespace

Json to_json(const InferReport& report) {
  const InferResult& result = report.result;
  const std::vector<Predicate>& predicates = report.database.predicates();
  Json document = {{"command", "infer"},
                   {"model", report.path},
                   {"semantics", result.semantics},
                   {"status", name_of(result.status)},
                   {"message", result.message},
                   {"objective", result.objective},
                   {"lower_bound", optional_number(result.lower_bound)},
                   {"relative_gap", optional_number(result.relative_gap)},
                   {"max_violation", result.max_violation},
                   {"weight_scale", result.weight_scale},
                   {"regularization", result.regularization},
                   {"solver", {{"name", result.method}, {"iterations", result.iterations}}},
                   {"change", result.change},
                   {"free_energy", result.free_energy},
                   {"atoms", count_to_json(result.size.atoms)},
                   {"terms", count_to_json(result.size.terms)},
                   {"model_memory_bytes", count_to_json(result.size.bytes)},
                   {"presolve", to_json(result.presolve)},
                   {"rules", rules_to_json(result)},
                   {"networks", to_json(result.networks)},
                   {"conflict", conflict_to_json(result)},
                   {"conflict_is_irreducible", result.conflict_is_irreducible},
                   {"metrics", metrics_to_json(result.metrics, predicates)},
                   {"evaluated_atoms", evaluated_atoms_to_json(result.metrics, predicates)},
                   {"results", report.results_directory},
                   {"diagnostics", to_json(std::span<const Diagnostic>(report.diagnostics))},
                   {"seconds", to_json(result.seconds)},
                   {"peak_memory_bytes", peak_memory_bytes()}};
  if (report.with_values) document["values"] = values_to_json(report);
  return document;
}

}  // namespace sorites
