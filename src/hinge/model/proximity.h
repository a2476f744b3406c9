// Potentials that hold every atom near a point.
#pragma once

#include "sorites/model.h"

namespace sorites {

// The model with (y_i - c_i)^2 added for every atom i. The centres c are network outputs, one per
// atom, after those that were there; the potentials are those of one more rule, the last.
Model with_proximity(const Model& model);

}  // namespace sorites
