// How often a formula pushes an atom.
#pragma once

#include <vector>

#include "sorites/meanfield.h"

namespace sorites {

// What the weights of each formula are divided by.
std::vector<double> weight_divisors(const MarkovModel& model, const MeanFieldOptions& options);

}  // namespace sorites
