#include "meanfield/activation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/check.h"
#include "meanfield/processor.h"

namespace sorites {
namespace {

constexpr std::size_t kTaskNumbers = 1U << 14;  // numbers worth waking a thread for
constexpr std::size_t kChunk = 256;  // atoms of a softmax whose sums stay in the first cache

template <class Real>
struct Exponential;

template <>
struct Exponential<float> {
  using Bits = std::int32_t;
  static constexpr int kFractionBits = 23, kTerms = 7;  // of the series: the next is below rounding
  static constexpr float kLowest = -87.3F;              // its exponential is a normal number
  static constexpr float kRounding = 12582912.0F;       // 1.5 * 2^23: adding it rounds to integers
  static constexpr float kLn2High = 0.693145751953125F, kLn2Low = 1.42860682e-6F;
};

template <>
struct Exponential<double> {
  using Bits = std::int64_t;
  // As above, in double precision.
  static constexpr int kFractionBits = 52, kTerms = 13;
  static constexpr double kLowest = -708.3;
  static constexpr double kRounding = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;
};

template <class Real>
constexpr auto kInverseFactorials = [] {
  std::array<Real, 14> inverse{};
  double factorial = 1.0;
  for (std::size_t i = 0; i < inverse.size(); ++i) {
    if (i > 0) factorial *= static_cast<double>(i);
    inverse[i] = static_cast<Real>(1.0 / factorial);
  }
  return inverse;
}();

// exp(x) for x <= 0, without branches: x = n ln 2 + r with |r| <= ln 2 / 2, the series of exp(r),
// and n added to the exponent. Written out because the compiler cannot vectorise the library's.
template <class Real>
[[gnu::always_inline]] inline Real exp_of_negative(Real x) {
  using Constants = Exponential<Real>;
  using Bits = typename Constants::Bits;
  x = x < Constants::kLowest ? Constants::kLowest : x;
  const Real shifted = x * static_cast<Real>(1.4426950408889634) + Constants::kRounding;
  const Real n = shifted - Constants::kRounding;
  const Real r = (x - n * Constants::kLn2High) - n * Constants::kLn2Low;
  Real series = kInverseFactorials<Real>[Constants::kTerms];
  for (int i = Constants::kTerms - 1; i >= 0; --i) {
    series = series * r + kInverseFactorials<Real>[static_cast<std::size_t>(i)];
  }
  // The last bits of `shifted` are n.
  const auto scale =
      static_cast<Bits>(static_cast<std::make_unsigned_t<Bits>>(std::bit_cast<Bits>(shifted))
                        << Constants::kFractionBits);
  return std::bit_cast<Real>(static_cast<Bits>(std::bit_cast<Bits>(series) + scale));
}

template <class Real>
[[gnu::always_inline]] inline void sigmoid_loop(const Real* x, Real* p, std::size_t size) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < size; ++i) {
    const Real e = exp_of_negative(-std::abs(x[i]));
    p[i] = (x[i] < Real{0} ? e : Real{1}) / (Real{1} + e);
  }
}

// Of atoms [0, size), whose classes are `stride` apart.
template <class Real>
[[gnu::always_inline]] inline void softmax_loop(
    const Real* x, Real* p, std::size_t size, std::size_t num_classes, std::size_t stride) {
  constexpr Real kMost = std::numeric_limits<Real>::max();
  Real largest[kChunk], sum[kChunk];
  for (std::size_t i = 0; i < size; ++i) largest[i] = -kMost;
  for (std::size_t c = 0; c < num_classes; ++c) {
    const Real* row = x + c * stride;
    for (std::size_t i = 0; i < size; ++i) largest[i] = row[i] > largest[i] ? row[i] : largest[i];
  }
  for (std::size_t i = 0; i < size; ++i) {
    largest[i] = largest[i] > kMost ? kMost : largest[i];  // so that infinities cancel
    sum[i] = 0;
  }
  for (std::size_t c = 0; c < num_classes; ++c) {
    const Real* row = x + c * stride;
    Real* to = p + c * stride;
#pragma GCC ivdep
    for (std::size_t i = 0; i < size; ++i) {
      const Real below = row[i] - largest[i];
      const Real e = exp_of_negative(below > Real{0} ? Real{0} : below);
      to[i] = e;
      sum[i] += e;
    }
  }
  for (std::size_t i = 0; i < size; ++i) sum[i] = Real{1} / sum[i];
  for (std::size_t c = 0; c < num_classes; ++c) {
    Real* to = p + c * stride;
#pragma GCC ivdep
    for (std::size_t i = 0; i < size; ++i) to[i] *= sum[i];
  }
}

template <class Real>
void plain_sigmoid(const Real* x, Real* p, std::size_t size) {
  sigmoid_loop(x, p, size);
}

template <class Real>
SORITES_WITH_AVX2 void avx2_sigmoid(const Real* x, Real* p, std::size_t size) {
  sigmoid_loop(x, p, size);
}

template <class Real>
void plain_softmax(
    const Real* x, Real* p, std::size_t size, std::size_t classes, std::size_t stride) {
  softmax_loop(x, p, size, classes, stride);
}

template <class Real>
SORITES_WITH_AVX2 void avx2_softmax(
    const Real* x, Real* p, std::size_t size, std::size_t classes, std::size_t stride) {
  softmax_loop(x, p, size, classes, stride);
}

std::size_t num_tasks(std::size_t work, const ThreadPool& pool) {
  return std::clamp<std::size_t>(work / kTaskNumbers, 1, std::size_t{2} * pool.num_threads());
}

}  // namespace

template <class Real>
void sigmoid(std::span<const Real> log_odds, std::span<Real> probability, ThreadPool& pool) {
  SORITES_CHECK(log_odds.size() == probability.size(), "there is a place for each probability");
  const auto run = has_avx2() ? avx2_sigmoid<Real> : plain_sigmoid<Real>;
  const std::size_t tasks = num_tasks(log_odds.size(), pool);
  pool.for_each(tasks, [&](std::size_t task) {
    const auto [begin, end] = part_of(log_odds.size(), tasks, task);
    run(log_odds.data() + begin, probability.data() + begin, end - begin);
  });
}

template <class Real>
void softmax(std::span<const Real> log_odds,
             std::size_t num_classes,
             std::span<Real> probability,
             ThreadPool& pool) {
  SORITES_CHECK(log_odds.size() == probability.size(), "there is a place for each probability");
  if (log_odds.empty()) return;
  SORITES_CHECK(log_odds.size() % num_classes == 0, "all classes have all atoms");
  const std::size_t num_atoms = log_odds.size() / num_classes;
  const auto run = has_avx2() ? avx2_softmax<Real> : plain_softmax<Real>;
  const std::size_t tasks = num_tasks(log_odds.size(), pool);
  pool.for_each(tasks, [&](std::size_t task) {
    const auto [begin, end] = part_of(num_atoms, tasks, task);
    for (std::size_t at = begin; at < end; at += kChunk) {
      const std::size_t size = std::min(kChunk, end - at);
      run(log_odds.data() + at, probability.data() + at, size, num_classes, num_atoms);
    }
  });
}

template <class Real>
void sigmoid(std::span<const Real> log_odds, std::span<Real> probability) {
  const auto run = has_avx2() ? avx2_sigmoid<Real> : plain_sigmoid<Real>;
  run(log_odds.data(), probability.data(), log_odds.size());
}

template <class Real>
void softmax(std::span<Real> numbers, std::size_t num_classes) {
  const std::size_t num_atoms = numbers.size() / num_classes;
  const auto run = has_avx2() ? avx2_softmax<Real> : plain_softmax<Real>;
  for (std::size_t at = 0; at < num_atoms; at += kChunk) {
    Real* const chunk = numbers.data() + at;
    run(chunk, chunk, std::min(kChunk, num_atoms - at), num_classes, num_atoms);
  }
}

template void sigmoid(std::span<const float>, std::span<float>);
template void sigmoid(std::span<const double>, std::span<double>);
template void softmax(std::span<float>, std::size_t);
template void softmax(std::span<double>, std::size_t);
template void sigmoid(std::span<const float>, std::span<float>, ThreadPool&);
template void sigmoid(std::span<const double>, std::span<double>, ThreadPool&);
template void softmax(std::span<const float>, std::size_t, std::span<float>, ThreadPool&);
template void softmax(std::span<const double>, std::size_t, std::span<double>, ThreadPool&);

}  // namespace sorites
