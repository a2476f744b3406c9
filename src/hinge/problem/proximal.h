// The proximal step of a row: given t = a'v + b, the x that minimises
//   phi(a'x + b) + penalty / 2 |x - v|^2
// is  x = v - (mu / penalty) a,  where mu is the slope of phi at the new residual
//   r = t - flexibility mu,   flexibility = |a|^2 / penalty.
#pragma once

#include <algorithm>

#include "hinge/problem/problem.h"

namespace sorites {

template <TermKind kKind>
inline double proximal_multiplier(double weight, double flexibility, double t) {
  if constexpr (kKind == TermKind::kHinge) return std::clamp(t / flexibility, 0.0, weight);
  if constexpr (kKind == TermKind::kSquaredHinge) {
    return 2.0 * weight * std::max(t, 0.0) / (1.0 + 2.0 * weight * flexibility);
  }
  if constexpr (kKind == TermKind::kAtMost) return std::max(t, 0.0) / flexibility;
  return t / flexibility;
}

}  // namespace sorites
