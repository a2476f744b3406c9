// How many groundings of a formula can push an atom: those that the facts do not satisfy already.
#pragma once

#include <cstddef>

#include "meanfield/model.h"

namespace sorites {

// Per atom of each open predicate (closed ones have none), whatever its classes; 0 where the
// formula does not reach. Groundings in which two literals are one atom count for both.
AtomValues<float> grounding_counts(const MeanFieldModel& model,
                                   const MeanFieldFormula& formula,
                                   const MeanFieldPlanOptions& plan);

}  // namespace sorites
