// What someone who has learned a model should know before using it.
#pragma once

#include <string>
#include <vector>

#include "sorites/session.h"

namespace sorites {

// Learned weights that do worse than the first on the data of inference or of learning, weights
// that collapsed to a single rule, weights that never moved. In plain sentences, with what to do.
std::vector<std::string> learning_warnings(const LearnReport& report);

// Which epoch was kept, and why that one; empty if there is none.
std::string kept_text(const LearnReport& report);

}  // namespace sorites
