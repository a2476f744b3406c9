// Energies of connected components, as a file: what to look at first.
#pragma once

#include <string>

#include "semantics/reasoner.h"
#include "session/session_state.h"

namespace sorites {

// One line per component, the largest energy first, tabs between: energy, largest violation of a
// hard rule, ground rules, targets, energy of the truth (empty unless all targets have truth), and
// the first atom. Energies are those of the last answer, with weights as written. Throws IoError.
void write_energies(const LoadedModel& model,
                    const Reasoner& reasoner,
                    std::span<const double> values,
                    std::span<const double> labels,
                    const std::string& path);

}  // namespace sorites
