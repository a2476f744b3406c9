// The learned weights that `sorites learn` works with.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "common_flags.h"
#include "ground_phase.h"
#include "run/learning_run.h"
#include "run/weight_evaluation.h"

namespace sorites {

struct LearnFlags : CommonFlags {
  GroundFlags ground;
  std::map<std::string, std::string> options;  // that flags set, by name
  LearningFiles files;
  bool no_eval = false;
};

void add_learn_flags(CLI::App& command, LearnFlags& flags);

// The flags as options, which win over those of the model.
std::vector<OptionSetting> flag_options(const LearnFlags& flags);

struct LearnSeconds {
  double load = 0.0, ground = 0.0, learn = 0.0, inference = 0.0, evaluate = 0.0, total = 0.0;
};

// What learning works on, and what came of it.
struct LearnRun {
  ModelFile file;
  std::vector<OptionSetting> overrides;
  SectionRules rules;
  LearnSettings settings;
  std::optional<LearningSet> training, validation, evaluation;
  std::vector<bool> learnable;  // per rule
  std::vector<double> old_weights;
  LearningOutcome outcome;
  std::optional<EvaluatedWeights> untrained, learned;  // on the data of the inference phase
  std::vector<Diagnostic> diagnostics;
  LearnSeconds seconds;
};

// Loads, grounds, learns, evaluates; shows progress, prints diagnostics. Throws InputError,
// IoError, Interrupted.
void run_learn(const LearnFlags& flags, const RunContext& context, LearnRun& run);

}  // namespace sorites
