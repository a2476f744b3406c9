// Hard rules as weighted ones.
#pragma once

#include "sorites/model.h"

namespace sorites {

// Gives every hard rule this weight, with squared hinges or plain ones. A ground equality becomes
// two hinges, one for each direction; the new block follows the old one. The model can then no
// longer be infeasible.
void relax_hard_rules(Model& model, double weight, bool squared);

}  // namespace sorites
