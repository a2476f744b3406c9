#include "meanfield/atom_loops.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "meanfield/processor.h"

namespace sorites {
namespace {

template <class Real>
[[gnu::always_inline]] inline void mix_loop(
    Real keep, const Real* unary, const Real* slope, Real* __restrict log_odds, std::size_t size) {
  const Real take = 1 - keep;
  if (slope == nullptr) {
    for (std::size_t i = 0; i < size; ++i) log_odds[i] = keep * log_odds[i] + take * unary[i];
  } else if (keep == Real{0}) {
    for (std::size_t i = 0; i < size; ++i) log_odds[i] = unary[i] - slope[i];
  } else {
    for (std::size_t i = 0; i < size; ++i) {
      log_odds[i] = keep * log_odds[i] + take * (unary[i] - slope[i]);
    }
  }
}

// In lanes, since a maximum of floating-point numbers is not vectorised by itself.
template <class Real>
[[gnu::always_inline]] inline Real replace_loop(const Real* fresh,
                                                const Real* before,
                                                Real* to,
                                                std::size_t size) {
  constexpr std::size_t kLanes = 128 / sizeof(Real);
  std::array<Real, kLanes> largest{};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const Real difference = std::abs(fresh[i + lane] - before[i + lane]);
      largest[lane] = difference > largest[lane] ? difference : largest[lane];
    }
    std::copy_n(fresh + i, kLanes, to + i);
  }
  for (; i < size; ++i) {
    largest[0] = std::max(largest[0], std::abs(fresh[i] - before[i]));
    to[i] = fresh[i];
  }
  return *std::max_element(largest.begin(), largest.end());
}

template <class Real>
[[gnu::always_inline]] inline void back_loop(const SigmoidBack<Real>& atoms, std::size_t size) {
  const Real keep = atoms.keep, take = 1 - keep;
  const Real *q = atoms.q, *change = atoms.change;
  Real* __restrict slopes = atoms.slopes;
  Real* __restrict in_unary = atoms.in_unary;
  for (std::size_t i = 0; i < size; ++i) {
    in_unary[i] += take * slopes[i];
    slopes[i] = keep * slopes[i] - take * (q[i] * (1 - q[i]) * change[i]);
  }
}

template <class Real>
void plain_mix(Real keep, const Real* unary, const Real* slope, Real* log_odds, std::size_t size) {
  mix_loop(keep, unary, slope, log_odds, size);
}
template <class Real>
SORITES_WITH_AVX2 void avx2_mix(
    Real keep, const Real* unary, const Real* slope, Real* log_odds, std::size_t size) {
  mix_loop(keep, unary, slope, log_odds, size);
}

template <class Real>
Real plain_replace(const Real* fresh, const Real* before, Real* to, std::size_t size) {
  return replace_loop(fresh, before, to, size);
}
template <class Real>
SORITES_WITH_AVX2 Real
avx2_replace(const Real* fresh, const Real* before, Real* to, std::size_t size) {
  return replace_loop(fresh, before, to, size);
}

template <class Real>
void plain_back(const SigmoidBack<Real>& atoms, std::size_t size) {
  back_loop(atoms, size);
}
template <class Real>
SORITES_WITH_AVX2 void avx2_back(const SigmoidBack<Real>& atoms, std::size_t size) {
  back_loop(atoms, size);
}

}  // namespace

template <class Real>
void mix_log_odds(
    Real keep, const Real* unary, const Real* slope, Real* log_odds, std::size_t size) {
  const auto run = has_avx2() ? avx2_mix<Real> : plain_mix<Real>;
  run(keep, unary, slope, log_odds, size);
}

template <class Real>
Real replace(const Real* fresh, const Real* before, Real* to, std::size_t size) {
  const auto run = has_avx2() ? avx2_replace<Real> : plain_replace<Real>;
  return run(fresh, before, to, size);
}

template <class Real>
void back_through_update(const SigmoidBack<Real>& atoms, std::size_t size) {
  const auto run = has_avx2() ? avx2_back<Real> : plain_back<Real>;
  run(atoms, size);
}

template void mix_log_odds(float, const float*, const float*, float*, std::size_t);
template void mix_log_odds(double, const double*, const double*, double*, std::size_t);
template float replace(const float*, const float*, float*, std::size_t);
template double replace(const double*, const double*, double*, std::size_t);
template void back_through_update(const SigmoidBack<float>&, std::size_t);
template void back_through_update(const SigmoidBack<double>&, std::size_t);

}  // namespace sorites
