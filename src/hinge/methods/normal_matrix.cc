#include "hinge/methods/normal_matrix.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>

namespace sorites {
namespace {

// Of A'A, each row's square counted: 800 MB of positions.
constexpr std::size_t kMostPatternEntries = 100'000'000;

// Which rows a variable is in.
struct RowsOfVariables {
  std::vector<std::size_t> begin;  // per variable, and the end
  std::vector<std::uint32_t> rows;
};

RowsOfVariables transposed(std::size_t num_variables, const SparseRows& rows) {
  RowsOfVariables of{std::vector<std::size_t>(num_variables + 1, 0), {}};
  for (const std::uint32_t i : rows.variables) ++of.begin[i + 1];
  std::partial_sum(of.begin.begin(), of.begin.end(), of.begin.begin());
  of.rows.resize(rows.variables.size());
  std::vector<std::size_t> next(of.begin.begin(), of.begin.end() - 1);
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    for (std::size_t j = rows.begin[r]; j < rows.begin[r + 1]; ++j) {
      of.rows[next[rows.variables[j]]++] = static_cast<std::uint32_t>(r);
    }
  }
  return of;
}

// The upper triangle of C + A'DA, variables at their places. Nothing if it has more than `most`
// entries, or after `give_up`.
std::optional<UpperPattern> pattern_of(const SparseRows& rows,
                                       const RowsOfVariables& rows_of,
                                       const std::vector<int>& place,
                                       std::size_t most,
                                       const GiveUp& give_up) {
  constexpr std::size_t kLook = 1000;  // variables between looks
  std::vector<std::size_t> order(place.size());
  for (std::size_t i = 0; i < place.size(); ++i) order[static_cast<std::size_t>(place[i])] = i;
  UpperPattern pattern;
  std::vector<int> mark(place.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const int column = static_cast<int>(k);
    for (std::size_t at = rows_of.begin[order[k]]; at < rows_of.begin[order[k] + 1]; ++at) {
      const std::uint32_t r = rows_of.rows[at];
      for (std::size_t j = rows.begin[r]; j < rows.begin[r + 1]; ++j) {
        const int row = place[rows.variables[j]];
        if (row >= column || mark[static_cast<std::size_t>(row)] == column) continue;
        mark[static_cast<std::size_t>(row)] = column;
        pattern.rows.push_back(row);
      }
    }
    pattern.rows.push_back(column);
    std::sort(pattern.rows.begin() + pattern.begin.back(), pattern.rows.end());
    if (pattern.rows.size() > most || (k % kLook == 0 && give_up())) return std::nullopt;
    pattern.begin.push_back(static_cast<int>(pattern.rows.size()));
  }
  return pattern;
}

// Places of variables at which the factor has few entries: approximate minimum degree.
std::vector<int> places_of_little_fill(const UpperPattern& pattern) {
  const auto size = static_cast<Eigen::Index>(pattern.size());
  const std::vector<double> ones(pattern.rows.size(), 1.0);
  const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::ColMajor, int>> matrix(
      size,
      size,
      static_cast<Eigen::Index>(pattern.rows.size()),
      pattern.begin.data(),
      pattern.rows.data(),
      ones.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(matrix.selfadjointView<Eigen::Upper>(), order);
  std::vector<int> place(pattern.size());
  for (int k = 0; k < order.indices().size(); ++k) {
    place[static_cast<std::size_t>(order.indices()[k])] = k;
  }
  return place;
}

}  // namespace

struct NormalMatrix::State {
  const SparseRows* rows = nullptr;
  std::vector<int> place;             // per variable: its place in the matrix
  std::vector<std::size_t> position;  // per row, per pair of entries (j, k <= j)
  UpperPattern pattern;
  std::vector<double> values;  // per entry of the pattern
  LdlFactor factor;

  std::size_t find(int row, int column) const {
    const std::span<const int> entries = pattern.column(static_cast<std::size_t>(column));
    const auto at = std::lower_bound(entries.begin(), entries.end(), row);
    return static_cast<std::size_t>(pattern.begin[static_cast<std::size_t>(column)] +
                                    (at - entries.begin()));
  }
  std::size_t diagonal(std::size_t k) const {
    return static_cast<std::size_t>(pattern.begin[k + 1]) - 1;
  }
};

NormalMatrix::NormalMatrix(std::unique_ptr<State> state) : state_(std::move(state)) {}
NormalMatrix::~NormalMatrix() = default;
NormalMatrix::NormalMatrix(NormalMatrix&&) noexcept = default;
NormalMatrix& NormalMatrix::operator=(NormalMatrix&&) noexcept = default;

std::optional<NormalMatrix> NormalMatrix::make(std::size_t num_variables,
                                               const SparseRows& rows,
                                               std::size_t most_factor_entries,
                                               const GiveUp& give_up) {
  std::size_t pairs = 0;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const std::size_t width = rows.begin[r + 1] - rows.begin[r];
    pairs += width * (width + 1) / 2;
  }
  if (pairs > kMostPatternEntries || num_variables > most_factor_entries) return std::nullopt;

  const RowsOfVariables rows_of = transposed(num_variables, rows);
  std::vector<int> place(num_variables);
  std::iota(place.begin(), place.end(), 0);
  const auto unordered = pattern_of(rows, rows_of, place, most_factor_entries, give_up);
  if (!unordered || give_up()) return std::nullopt;
  place = places_of_little_fill(*unordered);
  auto pattern = pattern_of(rows, rows_of, place, most_factor_entries, give_up);
  if (!pattern || give_up()) return std::nullopt;
  auto factor = LdlFactor::make(*pattern, most_factor_entries);
  if (!factor) return std::nullopt;
  auto state = std::make_unique<State>(
      State{&rows, std::move(place), {}, std::move(*pattern), {}, std::move(*factor)});
  state->values.resize(state->pattern.rows.size());
  state->position.reserve(pairs);
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    for (std::size_t j = rows.begin[r]; j < rows.begin[r + 1]; ++j) {
      for (std::size_t k = rows.begin[r]; k <= j; ++k) {
        const auto [low, high] =
            std::minmax(state->place[rows.variables[j]], state->place[rows.variables[k]]);
        state->position.push_back(state->find(low, high));
      }
    }
  }
  return NormalMatrix(std::move(state));
}

bool NormalMatrix::factorise(std::span<const double> diagonal,
                             std::span<const double> scale,
                             const GiveUp& give_up) {
  State& s = *state_;
  std::vector<double>& values = s.values;
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    values[s.diagonal(static_cast<std::size_t>(s.place[i]))] = diagonal[i];
  }
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
    for (std::size_t k = 0; k < diagonal.size(); ++k) values[s.diagonal(k)] *= 1.0 + more;
    if (s.factor.factorise(s.pattern, values, give_up)) return true;
    if (give_up()) return false;
  }
  return false;
}

void NormalMatrix::solve(std::span<const double> right, std::vector<double>& solution) const {
  const State& s = *state_;
  std::vector<double> ordered(right.size());
  const auto at = [&](std::size_t i) -> double& {
    return ordered[static_cast<std::size_t>(s.place[i])];
  };
  for (std::size_t i = 0; i < right.size(); ++i) at(i) = right[i];
  s.factor.solve(ordered);
  solution.resize(right.size());
  for (std::size_t i = 0; i < right.size(); ++i) solution[i] = at(i);
}

}  // namespace sorites
