#include "session/weight_evaluation.h"

#include <algorithm>

#include "hinge/model/relax.h"
#include "perception/model_networks.h"

namespace sorites {

WeightEvaluation::WeightEvaluation(const ModelFile& file,
                                   LearningSet& set,
                                   const InferenceSettings& settings)
    : set_(set), settings_(settings), rules_(set.model.rules) {
  SolveOptions& solve = settings_.solve;
  solve.integer = integer_atoms(file, set.loaded.program, set.model);
  if (!solve.integer.empty()) solve.solver = Solver::kInteger;  // another takes them as continuous
  if (settings_.relaxation) relax_hard_rules(set.model, 1.0, settings_.relaxation->squared);
}

// As inference_parameters() has them.
Parameters WeightEvaluation::parameters_with(std::span<const double> weights,
                                             std::size_t num_common_rules) const {
  Parameters parameters;
  double largest = 0.0;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const double weight = rules_[r].hard         ? 0.0
                          : r < num_common_rules ? weights[r]
                                                 : rules_[r].weight;
    parameters.weights.push_back(weight);
    largest = std::max(largest, weight);
  }
  if (settings_.normalize && largest > 0.0) {
    parameters.weight_scale = largest;
    for (double& weight : parameters.weights) weight /= largest;
    largest = 1.0;
  }
  if (largest == 0.0) largest = 1.0;
  for (std::size_t r = 0; settings_.relaxation && r < rules_.size(); ++r) {
    if (rules_[r].hard) parameters.weights[r] = settings_.relaxation->multiplier * largest;
  }
  return parameters;
}

EvaluatedWeights WeightEvaluation::evaluate(std::span<const double> weights,
                                            std::size_t num_common_rules,
                                            std::span<const double> outputs,
                                            const std::stop_token& stop,
                                            std::vector<Diagnostic>* warnings) {
  SolveOptions options = settings_.solve;
  options.stop = stop;
  EvaluatedWeights result;
  Solution start;
  const bool has_start = settings_.initial_value != InitialValue::kRandom;
  if (has_start) {
    start.truth =
        initial_truth(settings_.initial_value, set_.model, set_.loaded.database, options.seed);
  }
  Parameters parameters = parameters_with(weights, num_common_rules);
  parameters.outputs.assign(outputs.begin(), outputs.end());
  result.solution = solve(set_.model, parameters, options, has_start ? &start : nullptr);
  const SolveStatus status = result.solution.status;
  if (status == SolveStatus::kInfeasible || status == SolveStatus::kNumericalError) return result;
  const TargetValues all = with_outputs(set_.model, result.solution.truth, outputs);
  result.metrics = evaluate_model(set_.loaded, all.ranges, all.values, warnings);
  return result;
}

}  // namespace sorites
