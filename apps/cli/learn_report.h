// What `sorites learn` found out, as text and as JSON.
#pragma once

#include <string>

#include "learn_phase.h"
#include "output.h"

namespace sorites {

std::string summary_text(const LearnRun& run, const LearnFlags& flags, bool color);

Json to_json(const LearnRun& run, const LearnFlags& flags);

}  // namespace sorites
