#include "meanfield/row_kernel.h"

#include "meanfield/processor.h"

namespace sorites {
namespace {

enum class Stride { kNone, kOne, kAny };

template <Stride kStride>
[[gnu::always_inline]] inline std::ptrdiff_t place(std::ptrdiff_t i, std::ptrdiff_t stride) {
  if constexpr (kStride == Stride::kNone) return 0;
  if constexpr (kStride == Stride::kOne) return i;
  return i * stride;
}

// Many sums at once, which the compiler may vectorise without changing their order.
template <class Real, Stride kA, Stride kB>
[[gnu::always_inline]] inline Real dot(const Loop& loop, const Real* a, const Real* b) {
  constexpr std::ptrdiff_t kSums = 128 / sizeof(Real);
  const auto size = static_cast<std::ptrdiff_t>(loop.size);
  std::ptrdiff_t i = 0;
  Real total = 0;
  if (kA != Stride::kAny && kB != Stride::kAny && size >= kSums) {
    Real sums[kSums];
    for (; i < kSums; ++i) sums[i] = a[place<kA>(i, loop.a)] * b[place<kB>(i, loop.b)];
    for (; i + kSums <= size; i += kSums) {
      for (std::ptrdiff_t j = 0; j < kSums; ++j) {
        sums[j] += a[place<kA>(i + j, loop.a)] * b[place<kB>(i + j, loop.b)];
      }
    }
#pragma GCC unroll 8
    for (std::ptrdiff_t half = kSums / 2; half > 0; half /= 2) {
#pragma GCC unroll 16
      for (std::ptrdiff_t j = 0; j < half; ++j) sums[j] += sums[j + half];
    }
    total = sums[0];
  }
  for (; i < size; ++i) total += a[place<kA>(i, loop.a)] * b[place<kB>(i, loop.b)];
  return total;
}

template <class Real, Stride kA, Stride kB, Stride kOut, bool kAccumulate>
[[gnu::always_inline]] inline void row(
    const Loop& loop, const Real* a, const Real* b, Real* __restrict out, Real alpha) {
  if constexpr (kOut == Stride::kNone) {
    const Real total = alpha * dot<Real, kA, kB>(loop, a, b);
    *out = kAccumulate ? *out + total : total;
  } else {
    const Real factor = kB == Stride::kNone ? alpha * *b : alpha;
    const auto size = static_cast<std::ptrdiff_t>(loop.size);
    for (std::ptrdiff_t i = 0; i < size; ++i) {
      Real term = factor * a[place<kA>(i, loop.a)];
      if constexpr (kB != Stride::kNone) term *= b[place<kB>(i, loop.b)];
      Real& to = out[place<kOut>(i, loop.out)];
      to = kAccumulate ? to + term : term;
    }
  }
}

template <class Real, Stride kA, Stride kB, Stride kOut, bool kAccumulate>
void plain(const Loop& loop, const Real* a, const Real* b, Real* out, Real alpha) {
  row<Real, kA, kB, kOut, kAccumulate>(loop, a, b, out, alpha);
}

template <class Real, Stride kA, Stride kB, Stride kOut, bool kAccumulate>
SORITES_WITH_AVX2 void with_avx2(
    const Loop& loop, const Real* a, const Real* b, Real* out, Real alpha) {
  row<Real, kA, kB, kOut, kAccumulate>(loop, a, b, out, alpha);
}

template <class Real, Stride kA, Stride kB, Stride kOut>
RowKernel<Real> choose(bool accumulate) {
  if (has_avx2()) {
    return accumulate ? with_avx2<Real, kA, kB, kOut, true> : with_avx2<Real, kA, kB, kOut, false>;
  }
  return accumulate ? plain<Real, kA, kB, kOut, true> : plain<Real, kA, kB, kOut, false>;
}

}  // namespace

template <class Real>
RowKernel<Real> choose_row_kernel(const Loop& loop, bool accumulate) {
  constexpr Stride kNone = Stride::kNone, kOne = Stride::kOne, kAny = Stride::kAny;
  if (loop.out == 0) {
    if (loop.a == 1 && loop.b == 1) return choose<Real, kOne, kOne, kNone>(accumulate);
    if (loop.a == 1 && loop.b == 0) return choose<Real, kOne, kNone, kNone>(accumulate);
    return choose<Real, kAny, kAny, kNone>(accumulate);
  }
  if (loop.out == 1) {
    if (loop.a == 1 && loop.b == 1) return choose<Real, kOne, kOne, kOne>(accumulate);
    if (loop.a == 1 && loop.b == 0) return choose<Real, kOne, kNone, kOne>(accumulate);
    if (loop.a == 0 && loop.b == 1) return choose<Real, kNone, kOne, kOne>(accumulate);
    if (loop.b == 0) return choose<Real, kAny, kNone, kOne>(accumulate);
    return choose<Real, kAny, kAny, kOne>(accumulate);
  }
  return choose<Real, kAny, kAny, kAny>(accumulate);
}

template RowKernel<float> choose_row_kernel(const Loop&, bool);
template RowKernel<double> choose_row_kernel(const Loop&, bool);

}  // namespace sorites
