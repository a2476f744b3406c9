// Loads the model that a command works on.
#pragma once

#include <functional>

#include "commands.h"
#include "common_flags.h"
#include "sorites/model_file.h"

namespace sorites {

// Reads the model file and loads one phase: that of --phase, or kInfer. Shows progress, prints
// warnings. Throws InputError with all mistakes.
LoadedModel load_phase(const CommonFlags& flags, const RunContext& context);
// The same, of a model file that was read already.
LoadedModel load_phase(const CommonFlags& flags, const RunContext& context, const ModelFile& file);

// Runs a command; if its input is wrong, prints all mistakes (as text or as the JSON document).
int run_on_model(const CommonFlags& flags, const std::function<int()>& run);

}  // namespace sorites
