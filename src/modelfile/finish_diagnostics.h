// What a user is told of a model file, in the end.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "modelfile/model_file.h"

namespace sorites {

// All diagnostics by place, each once: what is said of several phases is said the same way. Adds
// the lines of the model's own texts where they are missing.
std::vector<Diagnostic> finish_diagnostics(const ModelFile& model, Diagnostics& diagnostics);

}  // namespace sorites
