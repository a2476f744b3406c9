// What solving a ground model takes, beside the model itself.
#pragma once

#include "semantics/reasoner.h"

namespace sorites {

// Throws InputError, naming the largest rule, if inference that takes so much per term of the
// ground model would need more memory than there is. 0: it takes none.
void check_solving_fits(const Reasoner& reasoner, double bytes_per_term);

}  // namespace sorites
