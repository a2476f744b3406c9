// The unit of a row's multiplier: how strongly phi bends or how far its slope goes, per residual.
// Steps and penalties in these units suit rows of all kinds at once.
#pragma once

#include "hinge/problem/problem.h"

namespace sorites {

// 0 for rows of weight 0, whose multiplier is always 0.
constexpr double row_scale(TermKind kind, double weight) {
  switch (kind) {
    case TermKind::kHinge:
      return 5.0 * weight;
    case TermKind::kSquaredHinge:
      return 2.0 * weight;
    case TermKind::kAtMost:
    case TermKind::kEqual:
      return 1.5;
  }
  return 0.0;  // not reached
}

}  // namespace sorites
