// Markov logic by mean field (Xu et al. 2024): marginals without grounding.
#pragma once

#include <memory>

#include "semantics/reasoner.h"

namespace sorites {

// Compiles the program. Throws InputError if Markov logic does not take it, or it is too large.
std::unique_ptr<Reasoner> make_mean_field_reasoner(const ReasonerInput& input,
                                                   const RunEvents& events);

// The plan of the products.
Forecast estimate_mean_field(const ReasonerInput& input,
                             double time_limit_seconds,
                             const RunEvents& events);

}  // namespace sorites
