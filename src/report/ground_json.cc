#include "report/ground_json.h"

#include "base/peak_memory.h"

namespace sorites {

Json to_json(const Grounded& what,
             const GroundResult& grounded,
             const std::vector<Diagnostic>& diagnostics) {
  Json rules = rules_to_json(grounded.rules);
  for (std::size_t r = 0; r < grounded.rules.size(); ++r) {
    Json& rule = rules[r];
    rule["terms"] = count_to_json(grounded.size.rule_terms[r]);
    rule["memory_bytes"] = count_to_json(grounded.size.rule_bytes[r]);
    for (const char* key : {"observed", "satisfied", "missing", "seconds"}) rule[key] = nullptr;
    if (!grounded.report.rules.empty()) {
      const GroundCounts& counts = grounded.report.rules[r];
      if (grounded.report.all_counted) {
        rule["observed"] = counts.observed;
        rule["satisfied"] = counts.satisfied;
      }
      rule["missing"] = counts.missing;
      rule["seconds"] = counts.seconds;
    }
  }
  return {{"command", "ground"},
          {"model", what.path},
          {"semantics", what.semantics},
          {"atoms", count_to_json(grounded.size.atoms)},
          {"terms", count_to_json(grounded.size.terms)},
          {"nonzeros", count_to_json(grounded.size.nonzeros)},
          {"memory_bytes", count_to_json(grounded.size.bytes)},
          {"index_memory_bytes", grounded.report.index_memory_bytes},
          {"rules", std::move(rules)},
          {"diagnostics", to_json(std::span<const Diagnostic>(diagnostics))},
          {"seconds", to_json(grounded.seconds)},
          {"peak_memory_bytes", peak_memory_bytes()}};
}

}  // namespace sorites
