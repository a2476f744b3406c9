// A model file with the data that updates have made of its rows.
#pragma once

#include "modelfile/model_file.h"
#include "session/session_state.h"

namespace sorites {

// The model file of a session; predicates that updates changed have the rows there are now, in the
// file itself. Where rows differ by phase, those of other phases are read. Throws InputError,
// Interrupted.
ModelFile with_updated_data(Session::State& state);

}  // namespace sorites
