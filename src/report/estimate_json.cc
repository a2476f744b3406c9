#include "report/estimate_json.h"

#include <unistd.h>

#include "base/memory_limit.h"

namespace sorites {

double machine_memory_bytes() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGE_SIZE));
}

Json to_json(const std::string& path,
             const EstimateResult& estimate,
             const std::vector<Diagnostic>& diagnostics) {
  Json rules = rules_to_json(estimate.rules);
  for (std::size_t r = 0; r < estimate.rules.size(); ++r) {
    const RuleForecast& forecast = estimate.forecast.rules[r];
    Json& rule = rules[r];
    rule["terms"] = forecast.terms;
    rule["memory_bytes"] = forecast.bytes;
    rule["exact"] = forecast.exact;
    rule["reason"] = forecast.reason;
    rule["operations"] = forecast.operations;
    rule["steps"] = forecast.steps;
  }
  return {{"command", "estimate"},
          {"model", path},
          {"semantics", estimate.semantics},
          {"atoms", count_to_json(estimate.forecast.atoms)},
          {"terms", estimate.terms},
          {"memory_bytes", estimate.bytes},
          {"machine_memory_bytes", count_to_json(machine_memory_bytes())},
          {"fits", estimate.bytes <= static_cast<double>(memory_limit_bytes())},
          {"operations", estimate.forecast.operations},
          {"steps", estimate.forecast.steps},
          {"rules", std::move(rules)},
          {"diagnostics", to_json(std::span<const Diagnostic>(diagnostics))},
          {"seconds", to_json(estimate.seconds)}};
}

}  // namespace sorites
