// From a path to a loaded model, with all mistakes in one sink. The functions of
// modelfile/model_file.h are these plus a throw.
#pragma once

#include <map>
#include <span>
#include <stop_token>
#include <string>

#include "base/diagnostics.h"
#include "data/sources/load.h"
#include "modelfile/compile_model.h"
#include "modelfile/finish_diagnostics.h"
#include "modelfile/model_file.h"
#include "modelfile/model_reader.h"

namespace sorites {

// Both throw Interrupted.
ModelDraft open_model(const std::string& path,
                      const std::string& data_path,
                      Diagnostics& diagnostics,
                      const std::stop_token& stop = {});
// The text of a JSON or YAML model file; `texts` stand for files that it names.
ModelDraft open_text(std::string text,
                     const std::map<std::string, std::string>& texts,
                     Diagnostics& diagnostics,
                     const std::stop_token& stop = {});

// Compiles the rules and loads the data of a phase; if there are errors, only as far as possible.
LoadedModel load_draft(const ModelDraft& draft,
                       Phase phase,
                       std::span<const OptionSetting> overrides,
                       const LoadOptions& options,
                       Diagnostics& diagnostics);

}  // namespace sorites
