// The JSON objects that calls of the C API take.
#pragma once

#include "sorites/session.h"

namespace sorites {

// Throw std::invalid_argument that says what is wrong. NULL: nothing is set.
SessionOptions options_from_json(const char* text);
LearningFiles files_from_json(const char* text);

}  // namespace sorites
