// The solution that a command works with.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "commands.h"
#include "common_flags.h"
#include "session/inference_settings.h"
#include "sorites/model_file.h"
#include "sorites/solve.h"

namespace sorites {

// What is not given is taken from the model's options.
struct SolveFlags {
  std::string solver;
  std::optional<double> gap, violation, time_limit;
  std::optional<std::uint64_t> max_iterations;
  std::string warm_start;  // path of a state
};

void add_solve_flags(CLI::App& command, SolveFlags& flags);

// The settings of the model's options, and the flags over them.
InferenceSettings settings_of(const CommonFlags& common,
                              const SolveFlags& flags,
                              const LoadedModel& loaded);

struct Solved {
  Parameters parameters;
  Solution solution;
  bool skipped = false;  // inference.skip: the initial values, nothing certified
  double seconds = 0.0;
};

// Solves the model, from the state of --warm-start if there is one, with a progress line. Hard
// rules are relaxed in it if the settings say so. `outputs` are those of networks. Throws
// InputError if the solver cannot do it. If stopped, the solution says so.
Solved solve_phase(const CommonFlags& common,
                   const SolveFlags& flags,
                   const InferenceSettings& settings,
                   const ModelFile& file,
                   const LoadedModel& loaded,
                   const RunContext& context,
                   std::span<const double> outputs,
                   Model& model);

}  // namespace sorites
