// How far the values are from the truth.
#include <cmath>

#include "eval/evaluators.h"

namespace sorites {

std::vector<Metric> continuous_metrics(std::span<const LabelledAtom> atoms) {
  double absolute = 0.0, squared = 0.0;
  for (const LabelledAtom& atom : atoms) {
    const double error = atom.truth - atom.value;
    absolute += std::fabs(error);
    squared += error * error;
  }
  const double count = atoms.empty() ? 1.0 : static_cast<double>(atoms.size());
  return {{"mae", absolute / count, false},
          {"mse", squared / count, false},
          {"rmse", std::sqrt(squared / count), false}};
}

}  // namespace sorites
