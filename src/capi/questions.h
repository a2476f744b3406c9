// What sorites_ask() answers.
#pragma once

#include <string>

#include "capi/session_handle.h"

namespace sorites {

// The answer as a JSON document; `arguments` is NULL or a JSON object. What is computed for it
// counts changes that wait; what is known already stays as it is. Throws std::invalid_argument if
// there is no such question, or argument of it.
std::string answer(sorites_session& handle, const char* question, const char* arguments);

}  // namespace sorites
