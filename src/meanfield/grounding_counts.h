// How many groundings of a formula can push an atom: those that the facts do not satisfy already.
#pragma once

#include <cstddef>

#include "sorites/meanfield.h"

namespace sorites {

// Per atom of each open predicate (closed ones have none), whatever its classes; 0 where the
// formula does not reach. Groundings in which two literals are one atom count for both.
AtomValues<float> grounding_counts(const MarkovModel& model,
                                   const MarkovFormula& formula,
                                   const MeanFieldPlanOptions& plan);

}  // namespace sorites
