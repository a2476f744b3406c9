// The evaluations that a model file asks for.
#pragma once

#include <span>
#include <vector>

#include "modelfile/model_file.h"
#include "sorites/evaluate.h"

namespace sorites {

// Runs the evaluations of the model, in the order of its predicates. `ranges` and `truth` are as of
// a Model: truth[first + i] is the value of target row i. Predicates whose targets are in no range
// are left out. Throws InputError if an evaluation does not fit its predicate,
// std::invalid_argument if a range does not fit the data. Warnings tell of predicates without truth
// and of truth without targets.
std::vector<EvaluationResult> evaluate_model(const LoadedModel& model,
                                             std::span<const AtomRange> ranges,
                                             std::span<const double> truth,
                                             std::vector<Diagnostic>* warnings = nullptr);

// Throws what evaluate_model() would, before there are values.
void check_evaluations(const LoadedModel& model);

}  // namespace sorites
