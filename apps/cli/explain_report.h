// What `sorites explain` found out, as text.
#pragma once

#include <string>

#include "output.h"
#include "sorites/session.h"

namespace sorites {

std::string explanation_text(const ExplainResult& result, bool color);

}  // namespace sorites
