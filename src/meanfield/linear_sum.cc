#include "meanfield/linear_sum.h"

#include <algorithm>
#include <array>
#include <vector>

#include "meanfield/processor.h"

namespace sorites {
namespace {

constexpr std::size_t kAtOnce = 4;           // terms in one loop
constexpr std::size_t kChunk = 2048;         // elements that stay in the first cache
constexpr std::size_t kTaskWork = 1U << 15;  // elements worth waking a thread for

template <class Real>
struct Chunk {
  std::array<ScaledTensor<Real>, kAtOnce> terms;
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
    Real total = kFirst ? offset : out[i];
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
void sum_range(std::span<const ScaledTensor<Real>> terms,
               Real offset,
               Real* out,
               std::size_t begin,
               std::size_t end) {
  const auto add = has_avx2() ? add_with_avx2<Real> : add_plainly<Real>;
  for (std::size_t at = begin; at < end; at += kChunk) {
    Chunk<Real> chunk{{}, offset, true, out + at, std::min(kChunk, end - at)};
    std::size_t done = 0;
    do {
      const std::size_t count = std::min(kAtOnce, terms.size() - done);
      for (std::size_t t = 0; t < count; ++t) {
        chunk.terms[t] = {terms[done + t].factor, terms[done + t].data + at};
      }
      add(chunk, count);
      chunk.first = false;
      done += count;
    } while (done < terms.size());
  }
}

}  // namespace

template <class Real>
void run_sum(std::span<const ScaledTensor<Real>> terms,
             Real offset,
             std::span<Real> out,
             ThreadPool& pool) {
  const std::size_t work = out.size() * (terms.size() + 1) / 2;
  const std::size_t tasks =
      std::clamp<std::size_t>(work / kTaskWork, 1, std::size_t{2} * pool.num_threads());
  pool.for_each(tasks, [&](std::size_t task) {
    const auto [begin, end] = part_of(out.size(), tasks, task);
    sum_range(terms, offset, out.data(), begin, end);
  });
}

template void run_sum(std::span<const ScaledTensor<float>>, float, std::span<float>, ThreadPool&);
template void run_sum(std::span<const ScaledTensor<double>>,
                      double,
                      std::span<double>,
                      ThreadPool&);

}  // namespace sorites
