// The options of SolveOptions in model files, --set and flags.
#pragma once

#include "options/common_options.h"
#include "options/option.h"
#include "sorites/solve.h"

namespace sorites {

inline constexpr Option<SolveOptions> kSolveOptions[] = {
    {"inference.solver",
     "",
     field<&SolveOptions::solver>,
     {},
     "method of inference; `auto` chooses by the model's structure; --solver is the same",
     kHingeSemantics},
    {"inference.gap",
     "",
     field<&SolveOptions::gap>,
     at_least(0),
     "stop at this relative gap between objective and lower bound; --gap is the same",
     kHingeSemantics},
    {"inference.absolute_gap",
     "duallcqp.primaldualthreshold",
     field<&SolveOptions::absolute_gap>,
     at_least(0),
     "stop at this difference of objective and lower bound as well, in units of the weights; 0 is "
     "at the relative gap only; inferences of learning do not look at it",
     kHingeSemantics},
    {"inference.violation",
     "",
     field<&SolveOptions::violation>,
     at_least(0),
     "stop only if no hard rule is violated by more; --violation is the same",
     kHingeSemantics},
    {"inference.regularization",
     "duallcqp.regularizationparameter",
     field<&SolveOptions::regularization>,
     at_least(0),
     "this times the squares of all targets and of what rules are violated by is added to the "
     "objective: its minimiser is unique; in units of the weights; --regularization is the same",
     kHingeSemantics},
    {"inference.max_iterations",
     "",
     field<&SolveOptions::max_iterations>,
     at_least(0),
     "stop after this many iterations; 0 is the solver's own limit; --max-iterations is the same",
     {},
     kWithIterations},
    inference_time_limit_option(field<&SolveOptions::time_limit_seconds>),
    threads_option(field<&SolveOptions::threads>),
    seed_option(field<&SolveOptions::seed>),
};

}  // namespace sorites
