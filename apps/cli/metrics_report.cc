#include "metrics_report.h"

#include <fmt/format.h>

#include "sorites/results.h"
#include "table.h"

namespace sorites {
namespace {

std::string upper_name(const Predicate& predicate) {
  const std::string file = results_file_name(predicate);
  return file.substr(0, file.rfind('.'));
}

std::string unused_key(const Json& object, const std::string& name) {
  std::string key = name;
  for (int number = 2; object.contains(key); ++number) key = fmt::format("{}_{}", name, number);
  return key;
}

}  // namespace

Json metrics_to_json(std::span<const EvaluationResult> results,
                     const std::vector<Predicate>& predicates) {
  Json document = Json::object();
  for (const EvaluationResult& result : results) {
    Json& metrics = document[upper_name(predicates[result.predicate])];
    if (metrics.is_null()) metrics = Json::object();
    for (const Metric& metric : result.metrics) {
      metrics[unused_key(metrics, metric.name)] = metric.value;
    }
  }
  return document;
}

Json evaluated_atoms_to_json(std::span<const EvaluationResult> results,
                             const std::vector<Predicate>& predicates) {
  Json document = Json::object();
  for (const EvaluationResult& result : results) {
    document[upper_name(predicates[result.predicate])] = result.num_atoms;
  }
  return document;
}

Json primary_metric_to_json(std::span<const EvaluationResult> results,
                            const std::vector<Predicate>& predicates) {
  for (const EvaluationResult& result : results) {
    if (!result.primary) continue;
    const Metric& metric = result.metrics[result.representative];
    return {{"predicate", upper_name(predicates[result.predicate])},
            {"metric", metric.name},
            {"value", metric.value}};
  }
  return nullptr;
}

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
