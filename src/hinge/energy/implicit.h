// How the minimiser moves with weights and network outputs, by implicit differentiation.
#pragma once

#include <span>
#include <stop_token>

#include "learn/energy.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// A solution: truth per atom, multipliers per term.
struct SolutionView {
  std::span<const double> truth, multipliers;
};

// d loss / d parameters for a loss of the minimiser whose slope in it is `loss_in_state`.
//
// Near a solution whose active set stays what it is, the free atoms F solve a linear system: with
//   H = sum of 2 w a a' over violated squared hinges,  C = rows a' of tight terms (hard rules that
//   bind, hinges at their kink),
// the KKT conditions differentiate to  [H C'; C 0] [dy; dmu] = - [d(A'mu) explicit; db].
// The adjoint system is solved once, with C'C / delta for the constraints.
//
// Minimisers of hinges jump from kink to kink, and where the energy is flat they are not unique. So
// hinges within `smoothing` of their kink bend like Huber's, with curvature w / (2 smoothing), and
// every atom has a curvature of `smoothing` times the weights of its terms. As smoothing goes to 0
// the derivatives become exact, where there are any. After `stop` they are of no use.
ParameterGradient implicit_gradient(const Model& model,
                                    const Parameters& parameters,
                                    const SolutionView& solution,
                                    std::span<const double> loss_in_state,
                                    double smoothing,
                                    const std::stop_token& stop);

}  // namespace sorites
