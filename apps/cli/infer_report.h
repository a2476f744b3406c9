// What `sorites infer` found out, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "network_phase.h"
#include "output.h"
#include "solve_phase.h"
#include "sorites/evaluate.h"
#include "sorites/explain.h"

namespace sorites {

struct StageSeconds {
  double load = 0.0, ground = 0.0, networks = 0.0, solve = 0.0, evaluate = 0.0, total = 0.0;
};

struct InferReport {
  std::string path;  // of the model
  const LoadedModel& loaded;
  const Model& model;
  NetworkOutputs outputs;
  Solved solved;
  std::vector<RuleStatistics> rules;  // per rule of the model
  std::vector<EvaluationResult> metrics;
  std::vector<Diagnostic> diagnostics;
  std::vector<GroundRuleText> conflict;  // ground rules that contradict each other
  std::string results_directory;         // where the results were written; empty: nowhere
  StageSeconds seconds;

  bool is_optimal() const { return solved.solution.status == SolveStatus::kOptimal; }
};

// "optimal", "time_limit", ...; "skipped" if there was no inference.
std::string_view status_of(const InferReport& report);

std::string summary_text(const InferReport& report, bool color);

// Why a result is not the optimum, for a reader who looks at nothing else. Empty if it is.
std::string warning_text(const InferReport& report);

Json to_json(const InferReport& report);

}  // namespace sorites
