// Flags of `sorites learn`: most set an option of the model.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "common_flags.h"
#include "inference_flags.h"
#include "sorites/session.h"

namespace sorites {

struct LearnFlags : CommonFlags {
  LearningFiles files;
  bool no_eval = false;
};

void add_learn_flags(CLI::App& command, LearnFlags& flags);

}  // namespace sorites
