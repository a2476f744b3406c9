// From a solution of the Problem back to truth and multipliers of the ground model.
#pragma once

#include "base/thread_pool.h"
#include "hinge/presolve/presolve.h"
#include "hinge/problem/structure.h"

namespace sorites {

struct ModelPoint {
  std::vector<double> truth;        // per atom
  std::vector<double> multipliers;  // per term
};

// The multipliers give the model the lower bound that the point's multipliers give the problem. If
// `keep` is false, the folded terms are given up for the memory that they take.
ModelPoint postsolve(const Model& model,
                     const Parameters& parameters,
                     Presolved& presolved,
                     PrimalDual point,
                     ThreadPool& pool,
                     bool keep = true);

// The truth of every atom, without the multipliers.
std::vector<double> truth_of(const AtomMap& map, std::span<const double> x);

// Truth and multipliers of the model, as a point of the problem: a start.
PrimalDual start_from(const Model& model,
                      const Presolved& presolved,
                      ProblemStructure& structure,
                      std::span<const double> truth,
                      std::span<const double> multipliers);

}  // namespace sorites
