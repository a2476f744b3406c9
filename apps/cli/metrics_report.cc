#include "metrics_report.h"

#include <fmt/format.h>

#include "output.h"
#include "sorites/evaluate.h"
#include "table.h"

namespace sorites {
std::string metrics_text(std::span<const EvaluationResult> results,
                         const std::vector<Predicate>& predicates,
                         bool color) {
  if (results.empty()) return {};
  std::vector<std::vector<std::string>> rows = {
      {"predicate", "evaluator", "atoms", "metric", "value"}};
  for (const EvaluationResult& result : results) {
    for (const Metric& metric : result.metrics) {
      rows.push_back({predicates[result.predicate].name,
                      std::string(name_of(result.evaluator)),
                      grouped(result.num_atoms),
                      metric.name,
                      fmt::format("{:.6g}", metric.value)});
    }
  }
  return table_text(rows, color);
}

}  // namespace sorites
