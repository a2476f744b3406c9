#include "hinge/energy/conjugate_gradient.h"

#include <cmath>
#include <numeric>

namespace sorites {
namespace {

constexpr int kMostIterations = 2000;  // seconds on a million terms
// Of the residual, relative to the right-hand side. Slopes are as good as the gap of the solution
// makes them, 1e-4 at best.
constexpr double kTolerance = 1e-8;

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void multiply(const SparseRows& rows,
              std::span<const double> scale,
              std::span<const double> diagonal,
              const Vector& x,
              Vector& product) {
  for (std::size_t i = 0; i < x.size(); ++i) product[i] = diagonal[i] * x[i];
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    double ax = 0.0;
    for (std::size_t e = rows.begin[r]; e < rows.begin[r + 1]; ++e) {
      ax += rows.coefficients[e] * x[rows.variables[e]];
    }
    ax *= scale[r];
    for (std::size_t e = rows.begin[r]; e < rows.begin[r + 1]; ++e) {
      product[rows.variables[e]] += rows.coefficients[e] * ax;
    }
  }
}

}  // namespace

void solve_by_conjugate_gradient(const SparseRows& rows,
                                 std::span<const double> scale,
                                 std::span<const double> diagonal,
                                 std::span<const double> right,
                                 std::vector<double>& x) {
  Vector inverse(diagonal.begin(), diagonal.end());  // of the diagonal of the matrix
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    for (std::size_t e = rows.begin[r]; e < rows.begin[r + 1]; ++e) {
      inverse[rows.variables[e]] += scale[r] * rows.coefficients[e] * rows.coefficients[e];
    }
  }
  for (double& d : inverse) d = 1.0 / d;
  Vector residual(x.size()), product(x.size()), scaled(x.size());
  multiply(rows, scale, diagonal, x, product);
  for (std::size_t i = 0; i < x.size(); ++i) residual[i] = right[i] - product[i];
  const auto precondition = [&] {
    for (std::size_t i = 0; i < x.size(); ++i) scaled[i] = inverse[i] * residual[i];
  };
  precondition();
  Vector direction = scaled;
  double along = dot(residual, scaled);
  const double enough =
      kTolerance * std::sqrt(std::inner_product(right.begin(), right.end(), right.begin(), 0.0));
  for (int k = 0; k < kMostIterations && std::sqrt(dot(residual, residual)) > enough; ++k) {
    multiply(rows, scale, diagonal, direction, product);
    const double step = along / dot(direction, product);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += step * direction[i];
      residual[i] -= step * product[i];
    }
    precondition();
    const double next = dot(residual, scaled);
    for (std::size_t i = 0; i < x.size(); ++i) {
      direction[i] = scaled[i] + next / along * direction[i];
    }
    along = next;
  }
}

}  // namespace sorites
