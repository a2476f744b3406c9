// Metrics as commands print them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sorites/evaluate.h"

namespace sorites {

// A table of predicate, evaluator, atoms, metric, value. Empty if there are no results.
std::string metrics_text(std::span<const EvaluationResult> results,
                         const std::vector<Predicate>& predicates,
                         bool color);

}  // namespace sorites
