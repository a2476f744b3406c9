// What came of `sorites learn`.
#pragma once

#include <string>

#include "learn_flags.h"
#include "output.h"
#include "sorites/session.h"

namespace sorites {

std::string summary_text(const LearnReport& report, const LearnFlags& flags, bool color);
}  // namespace sorites
