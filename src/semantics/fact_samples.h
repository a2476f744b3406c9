// What is learned from in Markov logic where there are no labels: its facts (docs/markov-logic.md).
#pragma once

#include <cstdint>

#include "meanfield/model.h"
#include "semantics/mean_field_settings.h"
#include "semantics/reasoner.h"

namespace sorites {

// Some facts are hidden and inferred from the others, with new ones in every epoch; perhaps by an
// encoder of entities (meanfield.dimension). Where the weights as written say nothing, formulas are
// made to rank atoms, and the options that inference needs then are told. Throws InputError if
// there is nothing to learn from.
FactSamples samples_of_facts(const Program& program,
                             const MeanFieldModel& model,
                             const MeanFieldSettings& settings,
                             std::uint64_t seed,
                             const RunEvents& events);

}  // namespace sorites
