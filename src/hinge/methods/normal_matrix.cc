#include "hinge/methods/normal_matrix.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <algorithm>

namespace sorites {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using Triplet = Eigen::Triplet<double, int>;

// Of A'A, each row's square counted: 400 MB of indices while the pattern is made.
constexpr std::size_t kMostPatternEntries = 100'000'000;

// The lower triangle of C + A'DA as a pattern, variables in the order of `place`.
Matrix pattern_of(std::size_t size, const SparseRows& rows, const std::vector<int>& place) {
  std::vector<Triplet> entries;
  for (std::size_t i = 0; i < size; ++i) {
    entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
  }
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    for (std::size_t j = rows.begin[r]; j < rows.begin[r + 1]; ++j) {
      for (std::size_t k = rows.begin[r]; k < j; ++k) {
        const auto [low, high] = std::minmax(place[rows.variables[j]], place[rows.variables[k]]);
        if (low != high) entries.emplace_back(high, low, 1.0);
      }
    }
  }
  Matrix matrix(static_cast<int>(size), static_cast<int>(size));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// Entries of the Cholesky factor, by walking the elimination tree (Davis, "Direct Methods for
// Sparse Linear Systems", 2006, section 4.1); stops when there are more than `most`.
std::size_t count_factor_entries(const Matrix& lower, std::size_t most) {
  const auto size = static_cast<std::size_t>(lower.cols());
  const Matrix upper = lower.transpose();  // column k: the entries of row k of the lower triangle
  std::vector<int> parent(size, -1), mark(size, -1);
  std::size_t count = size;
  for (int k = 0; k < upper.cols(); ++k) {
    mark[static_cast<std::size_t>(k)] = k;
    for (Matrix::InnerIterator entry(upper, k); entry; ++entry) {
      for (auto i = static_cast<std::size_t>(entry.row());
           i < static_cast<std::size_t>(k) && mark[i] != k;
           i = static_cast<std::size_t>(parent[i])) {
        if (parent[i] == -1) parent[i] = k;
        mark[i] = k;
        if (++count > most) return count;
      }
    }
  }
  return count;
}

}  // namespace

struct NormalMatrix::State {
  const SparseRows* rows = nullptr;
  std::vector<int> place;             // per variable: its place in the matrix
  std::vector<std::size_t> diagonal;  // per variable: where its value stands
  std::vector<std::size_t> position;  // per row, per pair of entries (j, k <= j)
  Matrix matrix;
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>> factor;

  std::size_t find(int row, int column) const {
    const int* first = matrix.innerIndexPtr() + matrix.outerIndexPtr()[column];
    const int* last = matrix.innerIndexPtr() + matrix.outerIndexPtr()[column + 1];
    return static_cast<std::size_t>(std::lower_bound(first, last, row) - matrix.innerIndexPtr());
  }
};

NormalMatrix::NormalMatrix(std::unique_ptr<State> state) : state_(std::move(state)) {}
NormalMatrix::~NormalMatrix() = default;
NormalMatrix::NormalMatrix(NormalMatrix&&) noexcept = default;
NormalMatrix& NormalMatrix::operator=(NormalMatrix&&) noexcept = default;

std::optional<NormalMatrix> NormalMatrix::make(std::size_t num_variables,
                                               const SparseRows& rows,
                                               std::size_t most_factor_entries) {
  std::size_t pairs = 0;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const std::size_t width = rows.begin[r + 1] - rows.begin[r];
    pairs += width * (width + 1) / 2;
  }
  if (pairs > kMostPatternEntries || num_variables > most_factor_entries) return std::nullopt;

  auto state = std::make_unique<State>();
  state->rows = &rows;
  state->place.resize(num_variables);
  for (std::size_t i = 0; i < num_variables; ++i) state->place[i] = static_cast<int>(i);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  const Matrix unordered = pattern_of(num_variables, rows, state->place);
  Eigen::AMDOrdering<int>()(unordered.selfadjointView<Eigen::Lower>(), order);
  for (std::size_t i = 0; i < num_variables; ++i) {
    state->place[static_cast<std::size_t>(order.indices()[static_cast<int>(i)])] =
        static_cast<int>(i);
  }
  state->matrix = pattern_of(num_variables, rows, state->place);
  if (count_factor_entries(state->matrix, most_factor_entries) > most_factor_entries) {
    return std::nullopt;
  }
  state->factor.analyzePattern(state->matrix);
  for (const int at : state->place) state->diagonal.push_back(state->find(at, at));
  state->position.reserve(pairs);
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    for (std::size_t j = rows.begin[r]; j < rows.begin[r + 1]; ++j) {
      for (std::size_t k = rows.begin[r]; k <= j; ++k) {
        const auto [low, high] =
            std::minmax(state->place[rows.variables[j]], state->place[rows.variables[k]]);
        state->position.push_back(state->find(high, low));
      }
    }
  }
  return NormalMatrix(std::move(state));
}

bool NormalMatrix::factorise(std::span<const double> diagonal, std::span<const double> scale) {
  State& s = *state_;
  double* values = s.matrix.valuePtr();
  std::fill(values, values + s.matrix.nonZeros(), 0.0);
  for (std::size_t i = 0; i < diagonal.size(); ++i) values[s.diagonal[i]] = diagonal[i];
  const SparseRows& rows = *s.rows;
  const std::size_t* position = s.position.data();
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    for (std::size_t j = rows.begin[r]; j < rows.begin[r + 1]; ++j) {
      const double factor = scale[r] * rows.coefficients[j];
      for (std::size_t k = rows.begin[r]; k <= j; ++k) {
        // Two entries of one variable stand in the pattern once, on its diagonal.
        const bool twice = k < j && rows.variables[j] == rows.variables[k];
        values[*position++] += (twice ? 2.0 : 1.0) * factor * rows.coefficients[k];
      }
    }
  }
  // Towards the end, scales are so far apart that rounding may leave nothing of a pivot, or less: a
  // little more on the diagonal is a slightly shorter step.
  for (const double more : {0.0, 1e-14, 1e-12, 1e-10, 1e-8}) {
    for (const std::size_t at : s.diagonal) values[at] *= 1.0 + more;
    s.factor.factorize(s.matrix);
    if (s.factor.info() != Eigen::Success) continue;
    if (diagonal.empty() || s.factor.vectorD().minCoeff() > 0.0) return true;
  }
  return false;
}

void NormalMatrix::solve(std::span<const double> right, std::vector<double>& solution) const {
  const State& s = *state_;
  Eigen::VectorXd ordered(static_cast<Eigen::Index>(right.size()));
  for (std::size_t i = 0; i < right.size(); ++i) ordered[s.place[i]] = right[i];
  const Eigen::VectorXd solved = s.factor.solve(ordered);
  solution.resize(right.size());
  for (std::size_t i = 0; i < right.size(); ++i) solution[i] = solved[s.place[i]];
}

}  // namespace sorites
