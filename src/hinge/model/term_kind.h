// The potentials of terms, by kind: phi(r) of include/sorites/model.h.
#pragma once

#include "sorites/model.h"

namespace sorites {

constexpr bool is_hard(TermKind kind) {
  return kind == TermKind::kAtMost || kind == TermKind::kEqual;
}

// phi(r); 0 for hard kinds.
constexpr double potential(TermKind kind, double weight, double residual) {
  if (residual <= 0.0 || is_hard(kind)) return 0.0;
  return kind == TermKind::kHinge ? weight * residual : weight * residual * residual;
}
// How much a hard term is violated; 0 for the others.
constexpr double violation(TermKind kind, double residual) {
  if (kind == TermKind::kEqual) return residual < 0.0 ? -residual : residual;
  return kind == TermKind::kAtMost && residual > 0.0 ? residual : 0.0;
}
// The slope of phi at r, where it has one; 0 for hard kinds.
constexpr double slope(TermKind kind, double weight, double residual) {
  if (residual <= 0.0 || is_hard(kind)) return 0.0;
  return kind == TermKind::kHinge ? weight : 2.0 * weight * residual;
}

}  // namespace sorites
