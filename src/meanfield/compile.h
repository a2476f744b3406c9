// A Markov logic model as one expression: the expected weight of its violated groundings, and the
// derivatives by all marginals, which are the messages of mean-field inference.
#pragma once

#include <vector>

#include "meanfield/evaluator.h"
#include "meanfield/expression.h"
#include "meanfield/gradient.h"
#include "meanfield/model.h"
#include "sorites/meanfield.h"

namespace sorites {

struct CompiledModel {
  Expression expression;
  Roots violations;  // scalars; weighted, they add up to E(Q)
  // Per predicate and value: the leaf of its marginals and the derivative of E by them; kNoNode if
  // no formula needs it. Without classes there is only value 1.
  std::vector<std::vector<NodeId>> marginals, slopes;
  // Per formula with `+` variables: the leaf of its weights and the derivative of E by them.
  std::vector<NodeId> weights, weight_slopes;
  std::vector<Evidence> evidence;  // per predicate; of closed ones
  MeanFieldPlan plan;
};

// Throws InputError if the numbers of an open predicate's atoms alone would not fit.
void check_num_atoms(const MeanFieldModel& model,
                     const MeanFieldPlanOptions& options,
                     std::size_t bytes_per_number);

// Throws InputError if a tensor or all of them would not fit, and Interrupted.
CompiledModel compile_model(const MeanFieldModel& model,
                            const MeanFieldPlanOptions& options,
                            std::size_t bytes_per_number = sizeof(float),
                            const std::stop_token& stop = {});

// The number of atoms of a predicate, as a real number that cannot overflow.
double num_atoms(const MeanFieldModel& model, const MeanFieldPredicate& predicate);

}  // namespace sorites
