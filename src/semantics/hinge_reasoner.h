// Hinge-loss semantics (Bach et al. 2017): ground, then solve with a certificate.
#pragma once

#include <memory>

#include "semantics/reasoner.h"

namespace sorites {

// Grounds the program. Throws InputError, Interrupted.
std::unique_ptr<Reasoner> make_hinge_reasoner(const ReasonerInput& input, const RunEvents& events);

// What grounding would give, from samples of every rule.
Forecast estimate_hinge(const ReasonerInput& input,
                        double time_limit_seconds,
                        const RunEvents& events);

}  // namespace sorites
