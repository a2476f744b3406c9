// A ground model as an Energy.
#pragma once

#include <memory>
#include <vector>

#include "learn/energy.h"
#include "sorites/database.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

struct HingeEnergyOptions {
  SolveOptions solve;      // solver, gap, limits, threads, stop
  bool warm_start = true;  // else every solve starts from nothing
  // Of through_minimiser(): how far a hinge is taken to bend around its kink. Smaller is more
  // exact, but then gradients of linear models vanish or explode.
  double smoothing = 0.05;
};

// The energy of a ground model, which it keeps a reference to. Throws std::invalid_argument if
// there is not one label (or kLatent) per atom.
std::unique_ptr<Energy> make_hinge_energy(const Model& model,
                                          std::vector<double> labels,
                                          const HingeEnergyOptions& options = {});

// The truth of the data for each atom of the model, kLatent where there is none.
std::vector<double> labels_of(const Model& model, const Database& database);

}  // namespace sorites
