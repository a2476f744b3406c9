// What a session is read from, which no output may replace.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "session/session_state.h"

namespace sorites {

// Throws InputError if one of `outputs` (empty ones are none) is the model file, a file of rules,
// data, features or parameters that it names or includes, one of `read`, or another output.
void refuse_to_replace_inputs(const ModelFile& file,
                              std::span<const std::string> outputs,
                              std::span<const std::string> read = {});

// The same of all that a session has read: the model, a snapshot, and a state of inference.
void refuse_to_replace_inputs(const Session::State& state, std::span<const std::string> outputs);

}  // namespace sorites
