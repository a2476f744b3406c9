// The innermost loops of passes over all atoms.
#pragma once

#include <cstddef>

namespace sorites {

// log_odds <- keep * log_odds + (1 - keep) * (unary - slope); a null slope is zero. Log-odds of
// which nothing stays are not read.
template <class Real>
void mix_log_odds(
    Real keep, const Real* unary, const Real* slope, Real* log_odds, std::size_t size);

// to <- fresh; returns the largest difference to `before`, which may be the same memory as `to`.
template <class Real>
Real replace(const Real* fresh, const Real* before, Real* to, std::size_t size);

// The way back through one update of atoms with marginals q, with `change` the change of the slopes
// dE/dQ along `slopes`:
//   in_unary <- in_unary + (1 - keep) slopes; slopes <- keep slopes - (1 - keep) q (1 - q) change.
template <class Real>
struct SigmoidBack {
  Real keep = 0;
  const Real *q = nullptr, *change = nullptr;
  Real *slopes = nullptr, *in_unary = nullptr;
};
template <class Real>
void back_through_update(const SigmoidBack<Real>& atoms, std::size_t size);

}  // namespace sorites
