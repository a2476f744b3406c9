#include "report/json.h"

#include <fmt/format.h>

#include <cmath>

#include "base/shown_number.h"
#include "eval/results.h"
#include "hinge/model/rule_numbers.h"

namespace sorites {
namespace {

Json to_json(const Span& span) {
  return {
      {"file", span.file}, {"line", span.line}, {"column", span.column}, {"length", span.length}};
}

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

Json to_json(std::span<const Diagnostic> diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    Json entry = {
        {"severity", diagnostic.severity == Severity::kError ? "error" : "warning"},
        {"code", diagnostic.code},
    };
    entry.update(to_json(diagnostic.span));
    entry["message"] = diagnostic.message;
    entry["notes"] = Json::array();
    for (const Note& note : diagnostic.notes) {
      Json note_entry = {{"message", note.message}};
      if (!note.span.file.empty()) note_entry.update(to_json(note.span));
      entry["notes"].push_back(std::move(note_entry));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json to_json(const StageSeconds& seconds) {
  return {{"load", seconds.load},
          {"ground", seconds.ground},
          {"networks", seconds.networks},
          {"solve", seconds.solve},
          {"learn", seconds.learn},
          {"evaluate", seconds.evaluate},
          {"total", seconds.total}};
}

Json to_json(const std::vector<NetworkSummary>& networks) {
  Json list = Json::array();
  for (const NetworkSummary& network : networks) {
    list.push_back({{"predicate", network.name},
                    {"network", network.kind},
                    {"parameters", network.parameters},
                    {"loaded", network.loaded},
                    {"entities", network.entities},
                    {"labelled", network.labelled},
                    {"classes", network.classes}});
  }
  return list;
}

Json rule_place_to_json(const GroundRule& rule, std::uint32_t number) {
  return {{"rule", number},
          {"text", rule.text},
          {"file", rule.source.file},
          {"line", rule.source.line}};
}

Json rules_to_json(std::span<const GroundRule> rules) {
  const std::vector<std::uint32_t> numbers = rule_numbers(rules);
  Json list = Json::array();
  for (std::size_t r = 0; r < rules.size(); ++r) {
    list.push_back(rule_place_to_json(rules[r], numbers[r]));
    list.back()["hard"] = rules[r].hard;
  }
  return list;
}

Json count_to_json(double count) {
  const bool whole = count >= 0.0 && count < kExactCount && count == std::floor(count);
  return whole ? Json(static_cast<std::uint64_t>(count)) : Json(count);
}

Json optional_number(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

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

}  // namespace sorites
