// The files that a model is read from, which no output may replace.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "modelfile/model_file.h"
#include "sorites/session.h"

namespace sorites {

// Throws InputError if one of `outputs` (empty ones are none) is the model file, a file of rules,
// data, features or parameters that it names, or another output.
void refuse_to_replace_inputs(const ModelFile& file, std::span<const std::string> outputs);

// What a call is to write, for the time before it works.
struct OutputFiles {
  std::vector<std::string> files;  // empty ones are none
  std::string results;             // folder; empty: none
};
// The same for these and the files of results; and throws IoError if something cannot be written.
void check_outputs(Session& session, const OutputFiles& outputs);

}  // namespace sorites
