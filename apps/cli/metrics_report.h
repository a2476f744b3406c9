// Metrics as commands print them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output.h"
#include "sorites/evaluate.h"

namespace sorites {

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

// A table of predicate, evaluator, atoms, metric, value. Empty if there are no results.
std::string metrics_text(std::span<const EvaluationResult> results,
                         const std::vector<Predicate>& predicates,
                         bool color);

}  // namespace sorites
