// The rules of a model file to the program of a phase.
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "modelfile/model_file.h"
#include "modelfile/model_reader.h"
#include "options/settings.h"

namespace sorites {

// Whether what stands in a section holds in a phase.
inline bool holds_in(Section section, Phase phase) {
  return section == Section::kAll || section == section_of(phase);
}

// The domains and predicates of a phase, without rules.
Program declare_program(const ModelFile& model, Phase phase, const Settings& settings);

// Compiles the rules of a phase, in the language of the model, and appends them to its declared
// program. A rule has the same RuleId in every phase: its place among the rules of all phases, then
// of `learn`, `validation` and `infer`. The database has the data of the phase; Markov logic adds
// the constants of formulas to it.
void add_model_rules(const ModelDraft& draft,
                     Phase phase,
                     Program& program,
                     Database& database,
                     Diagnostics& diagnostics);

// The unary potentials of a phase.
void add_model_unaries(const ModelDraft& draft,
                       Phase phase,
                       const Program& program,
                       Database& database,
                       Diagnostics& diagnostics);

// The program of a phase without its data. What depends on constants that only data has is not
// checked: lists of weights for them are left out.
Program compile_model(const ModelDraft& draft,
                      Phase phase,
                      const Settings& settings,
                      Diagnostics& diagnostics);

}  // namespace sorites
