// Parts that the JSON documents of all commands share.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sorites/session.h"

namespace sorites {

using Json = nlohmann::ordered_json;

Json to_json(std::span<const Diagnostic> diagnostics);
Json to_json(const StageSeconds& seconds);
Json to_json(const std::vector<NetworkSummary>& networks);
// rule (its number), text, file, line
Json rule_place_to_json(const GroundRule& rule, std::uint32_t number);
// These and hard, of all rules: commands add what they know.
Json rules_to_json(std::span<const GroundRule> rules);
// Numbers that are mostly whole, and may be larger than any integer.
Json count_to_json(double count);
Json optional_number(const std::optional<double>& number);  // null if there is none

// {PREDICATE: {metric: value}}, the predicates in upper case as in PSL's output. If two evaluations
// of a predicate give the same metric, as with two thresholds, the later one is called metric_2.
Json metrics_to_json(std::span<const EvaluationResult> results,
                     const std::vector<Predicate>& predicates);

// {PREDICATE: number of atoms that were evaluated}
Json evaluated_atoms_to_json(std::span<const EvaluationResult> results,
                             const std::vector<Predicate>& predicates);

// {"predicate", "metric", "value"} of the evaluation that learning looks at; null if there is none.
Json primary_metric_to_json(std::span<const EvaluationResult> results,
                            const std::vector<Predicate>& predicates);

}  // namespace sorites
