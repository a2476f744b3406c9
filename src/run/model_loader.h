// From a path to a loaded model, with all mistakes in one sink. The public functions of
// sorites/model_file.h are these plus a throw.
#pragma once

#include <span>
#include <string>

#include "base/diagnostics.h"
#include "run/model_reader.h"
#include "sorites/model_file.h"

namespace sorites {

ModelDraft open_model(const std::string& path,
                      const std::string& data_path,
                      Diagnostics& diagnostics);

// Compiles the rules of a phase against its predicates.
Program compile_model(const ModelDraft& draft,
                      Phase phase,
                      const std::map<std::string, std::string>& options,
                      Diagnostics& diagnostics);

// Compiles the rules and loads the data of a phase; if there are errors, only as far as possible.
LoadedModel load_draft(const ModelDraft& draft,
                       Phase phase,
                       std::span<const OptionSetting> overrides,
                       const LoadOptions& options,
                       Diagnostics& diagnostics);

// All diagnostics by place, each once: what is said of several phases is said the same way. Adds
// the lines of the model's own texts where they are missing.
std::vector<Diagnostic> finish_diagnostics(const ModelFile& model, Diagnostics& diagnostics);

}  // namespace sorites
