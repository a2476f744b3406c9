// The learned weights and networks that `sorites learn` works with.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "common_flags.h"
#include "ground_phase.h"
#include "network_phase.h"
#include "session/learning_run.h"
#include "session/weight_evaluation.h"

namespace sorites {

struct LearnFlags : CommonFlags {
  GroundFlags ground;
  std::map<std::string, std::string> options;  // that flags set, by name
  LearningFiles files;
  bool no_eval = false;
};

void add_learn_flags(CLI::App& command, LearnFlags& flags);

// Whether a flag sets this option.
bool is_set(const LearnFlags& flags, const std::string& option);

// The flags as options, which win over those of the model.
std::vector<OptionSetting> flag_options(const LearnFlags& flags);

struct LearnSeconds {
  double load = 0.0, ground = 0.0, pretrain = 0.0, learn = 0.0, evaluate = 0.0, total = 0.0;
  double inference = 0.0, networks = 0.0;  // of the learning
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
  ModelNetworks networks;
  std::vector<NetworkSummary> network_summaries;
  std::vector<NetworkInputs> validation_inputs;
  std::unique_ptr<OutputSource> evaluation_source;  // the networks on the data of inference
  LearningOutcome outcome;
  std::optional<EvaluatedWeights> untrained, learned;  // on the data of the inference phase
  std::vector<Diagnostic> diagnostics;
  LearnSeconds seconds;
};

// Loads, grounds, makes networks, learns, evaluates; shows progress, prints diagnostics. Throws
// InputError, IoError, Interrupted.
void run_learn(const LearnFlags& flags, const RunContext& context, LearnRun& run);

}  // namespace sorites
