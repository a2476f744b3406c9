// What `sorites check` found out, and its three forms: summary, rules, JSON.
#pragma once

#include <string>

#include "output.h"
#include "sorites/session.h"

namespace sorites {

std::string summary_text(const CheckResult& report, bool color);

// The rules of all phases, those that several have once, one per line.
std::string rules_text(const CheckResult& report);

Json to_json(const CheckResult& report);

}  // namespace sorites
