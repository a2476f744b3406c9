// One pairwise contraction: out[out labels] = sum over all other labels of a[a labels] b[b labels].
//
// Labels of a, b and out are a batch, of a and out rows, of b and out columns, of a and b sums. If
// there are rows, columns and sums, and not too few, it is a product of matrices; else loops are
// faster.
#pragma once

#include <span>
#include <variant>

#include "meanfield/expression.h"
#include "meanfield/loop_nest.h"
#include "meanfield/matrix_product.h"

namespace sorites {

using Product = std::variant<LoopNest, MatrixProduct>;

// Operands are row by row. Labels as those of a Node that is a product.
Product plan_product(const Labels& a_labels,
                     std::span<const std::uint32_t> a_shape,
                     const Labels& b_labels,
                     std::span<const std::uint32_t> b_shape,
                     const Labels& out_labels);

std::size_t scratch_size(const Product& product);

// out = alpha a b, or out += alpha a b. If a and b
// are the same memory and the product is a matrix by its transpose, only half of it is computed.
template <class Real>
void multiply(const Product& product,
              const Real* a,
              const Real* b,
              Real* out,
              Scaling<Real> scaling,
              Workspace<Real> workspace);

// An operand and how it changes; null: not at all.
template <class Real>
struct WithTangent {
  const Real* value = nullptr;
  const Real* tangent = nullptr;
};

// out = alpha (a' b + a b'), with primes for tangents, of which there must be one. At half the cost
// if a and b are the same memory and their places in the product are the same, up to a transpose of
// the result.
template <class Real>
void multiply_tangent(const Product& product,
                      WithTangent<Real> a,
                      WithTangent<Real> b,
                      Real alpha,
                      Real* out,
                      Workspace<Real> workspace);

}  // namespace sorites
