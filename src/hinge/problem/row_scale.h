// The unit of a row's multiplier: how strongly phi bends or how far its slope goes, per residual.
// Steps and penalties in these units suit rows of all kinds at once. All methods share them, and a
// method whose penalty adapts (rho of ADMM, the weight of PDHG) needs only their ratios to be
// right.
#pragma once

#include "hinge/problem/problem.h"

namespace sorites {

// Of a hinge, per weight: its multiplier goes from 0 to w over a residual of one fifth. Larger is
// closer to the kink, so that each round leaves more to do; smaller takes more rounds to follow the
// multipliers. Chosen by the iterations of `build/bench/solve_benchmark` on seven models with
// linear rules (docs/method/numbers.md): of 2.5, 4, 5, 8, 10 and 20 none is better than 5 for all
// of ADMM, coordinate descent, PDHG, gradient and dual BCD; with 8, gradient and dual BCD leave
// some random problems unsolved.
inline constexpr double kHingeUnit = 5.0;

// Of a hard row, whose multiplier has no end: as a squared hinge of weight 0.75, where weights are
// at most 1. Larger keeps hard rows sooner and potentials later. Iterations of ADMM and PDHG change
// by less than 8 % from 0.75 to 4 (three models with hard rows).
inline constexpr double kHardUnit = 1.5;

// 0 for rows of weight 0, whose multiplier is always 0.
constexpr double row_scale(TermKind kind, double weight) {
  switch (kind) {
    case TermKind::kHinge:
      return kHingeUnit * weight;
    case TermKind::kSquaredHinge:
      return 2.0 * weight;  // its second derivative
    case TermKind::kAtMost:
    case TermKind::kEqual:
      return kHardUnit;
  }
  return 0.0;  // not reached
}

}  // namespace sorites
