// What `sorites learn` does on a model of Markov logic, and what it found out, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "learn_phase.h"
#include "markov_infer_report.h"
#include "session/markov_learn_settings.h"

namespace sorites {

struct MarkovLearnRun {
  std::string path;  // of the model
  LoadedMarkov loaded;
  MarkovLearnSettings settings;
  MarkovLearnResult learned;
  bool interrupted = false, out_of_time = false;  // why it stopped before all epochs were done
  std::vector<Predicate> predicates;              // of the queries
  std::vector<EvaluationResult> metrics;          // of the queries, with what was learned
  std::vector<Diagnostic> diagnostics;
  std::string output;  // the folder that was written; empty: none
  double load_seconds = 0.0, learn_seconds = 0.0, evaluate_seconds = 0.0, total_seconds = 0.0;
};

// The formulas with their learned weights, one per line.
std::string learned_formulas_text(const MarkovLearnRun& run);

std::string summary_text(const MarkovLearnRun& run, bool color);

Json to_json(const MarkovLearnRun& run);

}  // namespace sorites
