// What inference goes on from.
#pragma once

#include <vector>

namespace sorites {

// Where an Inference is: what its next resolve() starts from. It is a point of the presolved model
// (hinge/presolve). Empty before the first solve, and after one that found no state.
struct InferenceMemory {
  std::vector<double> variables;          // per variable: its value
  std::vector<double> row_multipliers;    // per row; of potentials, in units of the row's weight
  std::vector<double> group_multipliers;  // per group
  std::vector<double> window_centres;     // per variable, if functions are known only near these

  bool empty() const { return variables.empty() && row_multipliers.empty(); }
  bool operator==(const InferenceMemory&) const = default;
};

}  // namespace sorites
