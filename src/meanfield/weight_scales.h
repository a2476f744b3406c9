// How often a formula pushes an atom.
#pragma once

#include <vector>

#include "meanfield/model.h"

namespace sorites {

// What the weights of each formula are divided by.
std::vector<double> weight_divisors(const MeanFieldModel& model, const MeanFieldOptions& options);

}  // namespace sorites
