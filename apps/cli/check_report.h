// What `sorites check` found out, as a summary or as rules.
#pragma once

#include <string>

#include "sorites/session.h"

namespace sorites {

std::string summary_text(const CheckResult& report, bool color);

// The rules of all phases, those that several have once, one per line.
std::string rules_text(const CheckResult& report);

}  // namespace sorites
