// Facts as an Energy to learn from where there are no labels: every full() hides some of them,
// drawn anew, and infers them from the others. Its targets are what is hidden in the last draw, and
// its labels what these facts say; before the first, all of them.
//
//   const auto layer = std::make_shared<FactLayer>(model, FactOptions{}, inference, seed);
//   const auto energy = make_hidden_facts_energy(layer, true);
//   const LearnSet training{.samples = {{.energy = energy.get()}}};
//   learn(training, nullptr, weights, fixed, {.loss = {.cross_entropy = 1.0}});
#pragma once

#include <memory>

#include "learn/energy.h"
#include "meanfield/fact_layer.h"

namespace sorites {

// For losses of the minimiser: there is no energy of given values. `encoded`: its outputs are
// added to the unary potentials, as FactLayer::potentials() takes them.
//
// The layer is shared, as two energies and an encoder use it, whichever of them ends last.
std::unique_ptr<Energy> make_hidden_facts_energy(std::shared_ptr<FactLayer> layer, bool encoded);

// The same of one draw, which stays: what is held out to judge by.
std::unique_ptr<Energy> make_held_out_facts_energy(std::shared_ptr<FactLayer> layer, bool encoded);

}  // namespace sorites
