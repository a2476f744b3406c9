// The rules of a model file to the program of a phase.
#pragma once

#include <map>
#include <string>

#include "base/diagnostics.h"
#include "modelfile/model_reader.h"
#include "sorites/model_file.h"

namespace sorites {

// Whether what stands in a section holds in a phase.
inline bool holds_in(Section section, Phase phase) {
  return section == Section::kAll || section == section_of(phase);
}

// Compiles the rules of a phase against its predicates.
Program compile_model(const ModelDraft& draft,
                      Phase phase,
                      const std::map<std::string, std::string>& options,
                      Diagnostics& diagnostics);

}  // namespace sorites
