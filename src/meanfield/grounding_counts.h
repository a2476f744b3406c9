// How many groundings of a formula can push an atom: those that the facts do not satisfy already.
#pragma once

#include <cstddef>
#include <stop_token>

#include "meanfield/model.h"

namespace sorites {

// Per atom of each open predicate (closed ones have none), whatever its classes; 0 where the
// formula does not reach. Groundings in which two literals are one atom count for both.
// Throws Interrupted.
AtomValues<float> grounding_counts(const MeanFieldModel& model,
                                   const MeanFieldFormula& formula,
                                   const MeanFieldPlanOptions& plan,
                                   const std::stop_token& stop = {});

}  // namespace sorites
