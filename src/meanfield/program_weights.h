// Weights of a program as learning has them, one after the other, and back.
#pragma once

#include <span>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

// Per weight of the model: whether it is that of a hard rule, which is not learned.
std::vector<bool> fixed_weights(const MeanFieldModel& model);

// Gives the rules of the program that the model was made of these weights: those of `+v` rules as
// weights per constant. Throws std::invalid_argument if there are not as many as the model has.
void set_program_weights(const MeanFieldModel& model,
                         const Database& database,
                         std::span<const double> weights,
                         Program& program);

}  // namespace sorites
