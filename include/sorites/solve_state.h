// Solutions on disk, to start from later.
//
//   save_state(solution, model, "model.state");
//   const Solution start = load_state("model.state", model);
//   const Solution next = solve(model, other_parameters, {}, &start);
//
// A state belongs to the structure of its model: atoms and ground rules. Other weights, other
// values of observed atoms (as long as the same ground rules come out) do not matter.
#pragma once

#include <string>

#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// Writes truth and multipliers. The file is there whole or not at all. Throws IoError.
void save_state(const Solution& solution, const Model& model, const std::string& path);

// A solution with truth and multipliers, nothing else. Throws IoError if the file cannot be read,
// InputError if it is no whole state of this version or belongs to another model.
Solution load_state(const std::string& path, const Model& model);

}  // namespace sorites
