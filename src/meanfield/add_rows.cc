#include "meanfield/add_rows.h"

#include <algorithm>
#include <array>

#include "meanfield/processor.h"

namespace sorites {
namespace {

constexpr std::size_t kAtOnce = 4;  // rows in one loop

template <class Real>
struct Chunk {
  std::array<ScaledRow<Real>, kAtOnce> terms;
  Real offset = 0;
  bool first = true;  // else the terms are added to what is there
  Real* out = nullptr;
  std::size_t size = 0;
};

template <class Real, std::size_t kTerms, bool kFirst>
[[gnu::always_inline]] inline void add_terms(const Chunk<Real>& chunk) {
  const auto terms = chunk.terms;
  const Real offset = chunk.offset;
  const std::size_t size = chunk.size;
  Real* __restrict out = chunk.out;
  for (std::size_t i = 0; i < size; ++i) {
    Real total = kFirst ? offset : out[i] + offset;
    for (std::size_t t = 0; t < kTerms; ++t) total += terms[t].factor * terms[t].data[i];
    out[i] = total;
  }
}

template <class Real, bool kFirst>
[[gnu::always_inline]] inline void add_up(const Chunk<Real>& chunk, std::size_t num_terms) {
  switch (num_terms) {
    case 0:
      return add_terms<Real, 0, kFirst>(chunk);
    case 1:
      return add_terms<Real, 1, kFirst>(chunk);
    case 2:
      return add_terms<Real, 2, kFirst>(chunk);
    case 3:
      return add_terms<Real, 3, kFirst>(chunk);
    default:
      return add_terms<Real, 4, kFirst>(chunk);
  }
}

template <class Real>
void add_plainly(const Chunk<Real>& chunk, std::size_t num_terms) {
  chunk.first ? add_up<Real, true>(chunk, num_terms) : add_up<Real, false>(chunk, num_terms);
}

template <class Real>
SORITES_WITH_AVX2 void add_with_avx2(const Chunk<Real>& chunk, std::size_t num_terms) {
  chunk.first ? add_up<Real, true>(chunk, num_terms) : add_up<Real, false>(chunk, num_terms);
}

template <class Real>
[[gnu::always_inline]] inline void add_products(
    Real factor, const Real* a, const Real* b, Real* __restrict out, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out[i] += factor * a[i] * b[i];
}

template <class Real>
void add_products_plainly(Real factor, const Real* a, const Real* b, Real* out, std::size_t size) {
  add_products(factor, a, b, out, size);
}

template <class Real>
SORITES_WITH_AVX2 void add_products_with_avx2(
    Real factor, const Real* a, const Real* b, Real* out, std::size_t size) {
  add_products(factor, a, b, out, size);
}

}  // namespace

template <class Real>
void add_product_of_rows(Real factor, const Real* a, const Real* b, Real* out, std::size_t size) {
  const auto add = has_avx2() ? add_products_with_avx2<Real> : add_products_plainly<Real>;
  add(factor, a, b, out, size);
}

template <class Real>
void add_rows(std::span<const ScaledRow<Real>> rows,
              Real offset,
              Real* out,
              std::size_t size,
              bool accumulate) {
  const auto add = has_avx2() ? add_with_avx2<Real> : add_plainly<Real>;
  Chunk<Real> chunk{{}, offset, !accumulate, out, size};
  std::size_t done = 0;
  do {
    const std::size_t count = std::min(kAtOnce, rows.size() - done);
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(done), count, chunk.terms.begin());
    add(chunk, count);
    chunk.first = false;
    chunk.offset = 0;
    done += count;
  } while (done < rows.size());
}

template void add_product_of_rows(float, const float*, const float*, float*, std::size_t);
template void add_product_of_rows(double, const double*, const double*, double*, std::size_t);
template void add_rows(std::span<const ScaledRow<float>>, float, float*, std::size_t, bool);
template void add_rows(std::span<const ScaledRow<double>>, double, double*, std::size_t, bool);

}  // namespace sorites
