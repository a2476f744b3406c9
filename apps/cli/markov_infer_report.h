// What `sorites infer` found out about a model of Markov logic, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "markov_phase.h"
#include "output.h"
#include "session/markov_targets.h"
#include "sorites/evaluate.h"

namespace sorites {

struct MarkovInferReport {
  std::string path;  // of the model
  const LoadedMarkov& loaded;
  const MarkovTargets& targets;
  const MeanFieldPlan& plan;
  MarkovStatus status = MarkovStatus::kDone;
  std::size_t iterations = 0;
  double change = 0.0;                          // of a marginal in the last iteration, at most
  std::vector<double> free_energy;              // after each iteration; empty: not computed
  std::vector<std::vector<double>> violations;  // per formula and weight: expected
  std::vector<EvaluationResult> metrics;
  std::vector<Diagnostic> diagnostics;
  std::string results_directory;  // where the results were written; empty: nowhere
  double load_seconds = 0.0, plan_seconds = 0.0, infer_seconds = 0.0, evaluate_seconds = 0.0,
         total_seconds = 0.0;
};

// Constants of all types.
std::size_t num_entities(const MarkovModel& model);

// "93: 92 weighted, 1 hard"
std::string formula_counts(const MarkovModel& model);

std::string summary_text(const MarkovInferReport& report, bool color);

// Why the marginals are not those that were asked for, for a reader who looks at nothing else.
// Empty if they are.
std::string warning_text(const MarkovInferReport& report);

Json to_json(const MarkovInferReport& report);

}  // namespace sorites
