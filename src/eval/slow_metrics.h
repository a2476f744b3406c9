// The areas by their definitions, in quadratic time: for tests.
#pragma once

#include <algorithm>
#include <vector>

namespace sorites {

struct SlowAtom {
  double value;
  bool positive;
};

// The share of pairs of a positive and a negative atom that are in the right order; a tie is half.
inline double slow_auroc(const std::vector<SlowAtom>& atoms) {
  double right = 0.0, pairs = 0.0;
  for (const SlowAtom& positive : atoms) {
    for (const SlowAtom& negative : atoms) {
      if (!positive.positive || negative.positive) continue;
      pairs += 1.0;
      if (positive.value > negative.value) right += 1.0;
      if (positive.value == negative.value) right += 0.5;
    }
  }
  const bool no_positive =
      std::none_of(atoms.begin(), atoms.end(), [](const SlowAtom& a) { return a.positive; });
  return no_positive ? 0.0 : pairs == 0.0 ? 1.0 : right / pairs;
}

// The mean over the positive atoms of the precision at the threshold that just lets it pass.
inline double slow_auprc(const std::vector<SlowAtom>& atoms) {
  double sum = 0.0, num_positive = 0.0;
  for (const SlowAtom& last : atoms) {
    if (!last.positive) continue;
    double passed = 0.0, found = 0.0;
    for (const SlowAtom& atom : atoms) {
      if (atom.value < last.value) continue;
      passed += 1.0;
      if (atom.positive) found += 1.0;
    }
    sum += found / passed;
    num_positive += 1.0;
  }
  return num_positive == 0.0 ? 0.0 : sum / num_positive;
}

}  // namespace sorites
