// The options of HingeEnergyOptions in model files, --set and flags: those of the inferences of
// learning, over those of inference (solve_option_table.h).
#pragma once

#include "hinge/energy/hinge_energy.h"
#include "options/option.h"

namespace sorites {

template <>
inline constexpr std::string_view kSemanticsOf<HingeEnergyOptions> = kHingeSemantics;

inline constexpr Option<HingeEnergyOptions> kHingeEnergyOptions[] = {
    {"learn.solver",
     "",
     field<&HingeEnergyOptions::solve, &SolveOptions::solver>,
     {},
     "method of the inferences of learning; default: `inference.solver`; --solver is the same"},
    {"learn.gap",
     "",
     field<&HingeEnergyOptions::solve, &SolveOptions::gap>,
     at_least(0),
     "relative gap of the inferences of learning, where no rougher one will do; default: "
     "`inference.gap`; --gap is the same"},
    {"learn.regularization",
     "",
     field<&HingeEnergyOptions::solve, &SolveOptions::regularization>,
     at_least(0),
     "the same as `inference.regularization` of the inferences of learning, which learned models "
     "have too; default: that one, and 0.001 where the loss is of inferred values"},
    {"learn.warm_start",
     "",
     field<&HingeEnergyOptions::warm_start>,
     {},
     "start every inference from the one before"},
    {"learn.smoothing",
     "",
     field<&HingeEnergyOptions::smoothing>,
     at_least(0),
     "how far a hinge bends around its kink in implicit gradients; smaller is more exact"},
};

}  // namespace sorites
