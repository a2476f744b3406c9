// Flags of commands that infer.
#pragma once

#include <CLI/CLI.hpp>

#include "option_flags.h"
#include "sorites/session.h"

namespace sorites {

void add_missing_target_flag(CLI::App& command, OptionFlagValues& values);
void add_snapshot_flag(CLI::App& command, InferFiles& files);
void add_inference_flags(CLI::App& command, OptionFlagValues& values, InferFiles& files);

}  // namespace sorites
