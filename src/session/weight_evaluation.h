// How good weights are on the data of the inference phase.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "session/inference_settings.h"
#include "session/learning_data.h"
#include "sorites/solve.h"

namespace sorites {

struct EvaluatedWeights {
  Solution solution;
  std::vector<EvaluationResult> metrics;  // empty if there is no solution
};

// Infers and evaluates with one set of weights after the other, each just as `sorites infer` would.
// The set must outlive it.
class WeightEvaluation {
 public:
  WeightEvaluation(const ModelFile& file, LearningSet& set, const InferenceSettings& settings);

  // `weights` are those of the first rules of the phase, which stand before all others in the
  // learning phase too; the other rules have theirs as written. `outputs` are those of networks.
  EvaluatedWeights evaluate(std::span<const double> weights,
                            std::size_t num_common_rules,
                            std::span<const double> outputs,
                            const std::stop_token& stop,
                            std::vector<Diagnostic>* warnings = nullptr);

 private:
  Parameters parameters_with(std::span<const double> weights, std::size_t num_common_rules) const;

  LearningSet& set_;
  InferenceSettings settings_;
  std::vector<GroundRule> rules_;  // as written, before hard ones are relaxed
};

}  // namespace sorites
