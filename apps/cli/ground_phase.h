// The ground model that a command works on.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "commands.h"
#include "common_flags.h"
#include "sorites/ground.h"
#include "sorites/model_file.h"

namespace sorites {

struct GroundFlags {
  OnMissingTarget on_missing_target = OnMissingTarget::kError;
  bool on_missing_target_given = false;  // then it wins over the model's options
  std::string from_snapshot;
};

// --on-missing-target alone, or with --from-snapshot.
void add_missing_target_flag(CLI::App& command, GroundFlags& flags);
void add_ground_flags(CLI::App& command, GroundFlags& flags);

struct Grounded {
  Model model;
  GroundReport report;  // empty if the model is from a snapshot
  double seconds = 0.0;
};

// The options of grounding, apart from progress.
GroundOptions ground_options(const CommonFlags& common,
                             const GroundFlags& flags,
                             const LoadedModel& loaded,
                             const RunContext& context);

// Grounds, or loads the snapshot. Shows progress.
Grounded ground_phase(const CommonFlags& common,
                      const GroundFlags& flags,
                      const LoadedModel& loaded,
                      const RunContext& context);

}  // namespace sorites
