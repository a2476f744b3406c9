// The files that a model is read from, which no output may replace.
#pragma once

#include <span>
#include <string>

#include "modelfile/model_file.h"

namespace sorites {

// Throws InputError if one of `outputs` (empty ones are none) is the model file, a file of rules,
// data, features or parameters that it names, or another output.
void refuse_to_replace_inputs(const ModelFile& file, std::span<const std::string> outputs);

}  // namespace sorites
