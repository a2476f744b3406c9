// Regularised inference: a minimiser that is unique, and does not depend on the solver.
//
// Written as a linearly constrained quadratic program (Dickens et al. 2024a, eq. 13), inference has
// the targets y and a slack s_t >= max(r_t, 0) per weighted term; eps times the squares of all of
// them is added. Without slacks that is
//
//   w max(r, 0) + eps max(r, 0)^2 | (w + eps) max(r, 0)^2   per term, and   eps y_i^2 per target:
//
// a model like any other. Every solver, presolve, certificates and gradients take it as it is.
#pragma once

#include <span>
#include <vector>

#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// The model with the squares added: a block beside every weighted one, and one for the targets. All
// are of one more rule, the last. Blocks and terms that were there keep their numbers.
Model regularized(const Model& model);

// The same of its numbers. `eps` is in units of the weights as written.
Parameters regularized(Parameters parameters, double eps);

// A solution of the model as a start for the regularised one.
Solution regularized(const Model& model, Solution solution);

// Multipliers of the regularised model as those of the model: the slopes of its terms, squares
// included.
std::vector<double> without_regularization(const Model& model, std::vector<double> multipliers);

}  // namespace sorites
