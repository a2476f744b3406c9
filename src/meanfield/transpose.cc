#include "meanfield/transpose.h"

#include <algorithm>
#include <cstring>

namespace sorites {
namespace {

constexpr std::size_t kTile = 16;  // a cache line of floats

// Vectors of 16 bytes, which all processors have; the compiler does not find the shuffles itself.
using FourFloats [[gnu::vector_size(16)]] = float;
using TwoDoubles [[gnu::vector_size(16)]] = double;

template <class Vector, class Real>
Vector load(const Real* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <class Vector, class Real>
void store(const Vector& vector, Real* to) {
  std::memcpy(to, &vector, sizeof vector);
}

constexpr std::size_t block_size(float) { return 4; }
constexpr std::size_t block_size(double) { return 2; }

void transpose_block(const float* from, std::size_t from_stride, float* to, std::size_t to_stride) {
  const auto a = load<FourFloats>(from), b = load<FourFloats>(from + from_stride);
  const auto c = load<FourFloats>(from + 2 * from_stride);
  const auto d = load<FourFloats>(from + 3 * from_stride);
  const auto ac_low = __builtin_shufflevector(a, c, 0, 4, 1, 5);
  const auto bd_low = __builtin_shufflevector(b, d, 0, 4, 1, 5);
  const auto ac_high = __builtin_shufflevector(a, c, 2, 6, 3, 7);
  const auto bd_high = __builtin_shufflevector(b, d, 2, 6, 3, 7);
  store(__builtin_shufflevector(ac_low, bd_low, 0, 4, 1, 5), to);
  store(__builtin_shufflevector(ac_low, bd_low, 2, 6, 3, 7), to + to_stride);
  store(__builtin_shufflevector(ac_high, bd_high, 0, 4, 1, 5), to + 2 * to_stride);
  store(__builtin_shufflevector(ac_high, bd_high, 2, 6, 3, 7), to + 3 * to_stride);
}

void transpose_block(const double* from,
                     std::size_t from_stride,
                     double* to,
                     std::size_t to_stride) {
  const auto a = load<TwoDoubles>(from), b = load<TwoDoubles>(from + from_stride);
  store(__builtin_shufflevector(a, b, 0, 2), to);
  store(__builtin_shufflevector(a, b, 1, 3), to + to_stride);
}

template <class Real>
void transpose_tile(const Real* from,
                    std::size_t from_stride,
                    Real* to,
                    std::size_t to_stride,
                    std::size_t rows,
                    std::size_t columns) {
  constexpr std::size_t kBlock = block_size(Real{});
  const std::size_t whole_rows = rows / kBlock * kBlock, whole_columns = columns / kBlock * kBlock;
  for (std::size_t i = 0; i < whole_rows; i += kBlock) {
    for (std::size_t j = 0; j < whole_columns; j += kBlock) {
      transpose_block(from + i * from_stride + j, from_stride, to + j * to_stride + i, to_stride);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = i < whole_rows ? whole_columns : 0; j < columns; ++j) {
      to[j * to_stride + i] = from[i * from_stride + j];
    }
  }
}

}  // namespace

template <class Real>
void transpose(const Real* from,
               std::size_t from_stride,
               Real* to,
               std::size_t to_stride,
               std::size_t rows,
               std::size_t columns) {
  for (std::size_t j = 0; j < columns; j += kTile) {
    for (std::size_t i = 0; i < rows; i += kTile) {
      transpose_tile(from + i * from_stride + j,
                     from_stride,
                     to + j * to_stride + i,
                     to_stride,
                     std::min(kTile, rows - i),
                     std::min(kTile, columns - j));
    }
  }
}

template <class Real>
void mirror(Real* matrix, std::size_t stride, std::size_t size) {
  for (std::size_t i = 0; i < size; i += kTile) {
    const std::size_t rows = std::min(kTile, size - i);
    transpose(matrix + i * stride, stride, matrix + i, stride, rows, i);
    Real* diagonal = matrix + i * stride + i;
    for (std::size_t j = 1; j < rows; ++j) {
      for (std::size_t k = 0; k < j; ++k) diagonal[k * stride + j] = diagonal[j * stride + k];
    }
  }
}

template <class Real>
void add_transpose(Real* matrix, std::size_t stride, std::size_t begin, std::size_t end) {
  alignas(64) Real mirrored[kTile * kTile];
  for (std::size_t i = begin; i < end; i += kTile) {
    const std::size_t rows = std::min(kTile, end - i);
    for (std::size_t j = 0; j < i + rows; j += kTile) {
      const std::size_t columns = std::min(kTile, i + rows - j);
      Real* tile = matrix + i * stride + j;
      Real* opposite = matrix + j * stride + i;
      transpose(opposite, stride, mirrored, kTile, columns, rows);
      const bool below = j + columns <= i;  // else the diagonal goes through it
      for (std::size_t k = 0; k < rows; ++k) {
        Real* row = tile + k * stride;
        const std::size_t size =
            below ? columns : std::min(columns, i + k + 1 - std::min(j, i + k + 1));
        for (std::size_t l = 0; l < size; ++l) row[l] += mirrored[k * kTile + l];
        for (std::size_t l = 0; !below && l < size; ++l) opposite[l * stride + k] = row[l];
      }
      if (below) transpose(tile, stride, opposite, stride, rows, columns);
    }
  }
}

template void transpose(const float*, std::size_t, float*, std::size_t, std::size_t, std::size_t);
template void transpose(const double*, std::size_t, double*, std::size_t, std::size_t, std::size_t);

template void mirror(float*, std::size_t, std::size_t);
template void mirror(double*, std::size_t, std::size_t);
template void add_transpose(float*, std::size_t, std::size_t, std::size_t);
template void add_transpose(double*, std::size_t, std::size_t, std::size_t);

}  // namespace sorites
