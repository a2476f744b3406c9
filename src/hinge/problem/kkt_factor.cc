#include "hinge/problem/kkt_factor.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace sorites {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

void collect_entries(const Problem& problem, std::vector<KktPattern::Entry>& entries) {
  entries.reserve(problem.variables.size() + problem.group_variables.size());
  auto row = static_cast<std::uint32_t>(problem.num_variables);
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t r = block.first_row; r < block.end_row(); ++r, ++row) {
      const auto variables = problem.variables_of(block, r);
      for (std::size_t k = 0; k < variables.size(); ++k) {
        entries.push_back({variables[k], row, block.coefficients[k]});
      }
    }
  }
  for (const Group& group : problem.groups) {
    for (std::size_t k = 0; k < group.count; ++k) {
      entries.push_back({problem.group_variables[group.first + k], row, 1.0});
    }
    ++row;
  }
}

// An order with little fill.
void find_places(KktPattern& pattern) {
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(pattern.size() + pattern.entries.size());
  for (int i = 0; i < static_cast<int>(pattern.size()); ++i) entries.emplace_back(i, i, 1.0);
  for (const KktPattern::Entry& entry : pattern.entries) {
    entries.emplace_back(static_cast<int>(entry.row), static_cast<int>(entry.variable), 1.0);
  }
  Matrix matrix(static_cast<int>(pattern.size()), static_cast<int>(pattern.size()));
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(matrix.selfadjointView<Eigen::Lower>(), order);
  for (int k = 0; k < static_cast<int>(pattern.size()); ++k) {
    pattern.place[static_cast<std::size_t>(order.indices()[k])] = static_cast<std::uint32_t>(k);
  }
}

void place_entries(KktPattern& pattern) {
  const auto places_of = [&](const KktPattern::Entry& entry) {
    return std::minmax(pattern.place[entry.variable], pattern.place[entry.row]);
  };
  pattern.begin.assign(pattern.size() + 1, 0);
  for (const KktPattern::Entry& entry : pattern.entries) {
    ++pattern.begin[places_of(entry).second + 1];
  }
  for (std::size_t k = 0; k < pattern.size(); ++k) pattern.begin[k + 1] += pattern.begin[k];
  std::vector<std::size_t> next(pattern.begin.begin(), pattern.begin.end() - 1);
  pattern.with.resize(pattern.entries.size());
  pattern.coefficient.resize(pattern.entries.size());
  for (const KktPattern::Entry& entry : pattern.entries) {
    const auto [low, high] = places_of(entry);
    const std::size_t at = next[high]++;
    pattern.with[at] = low;
    pattern.coefficient[at] = entry.coefficient;
  }
}

// The pattern of L, row by row, by walking the elimination tree (Davis, "Direct Methods for Sparse
// Linear Systems", 2006, section 4.1). Whether it stays within the limit.
bool find_factor(std::size_t most_entries, KktPattern& pattern) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> parent(pattern.size(), kNone), seen(pattern.size(), kNone);
  pattern.row_begin.push_back(0);
  for (std::uint32_t k = 0; k < pattern.size(); ++k) {
    seen[k] = k;
    for (std::size_t e = pattern.begin[k]; e < pattern.begin[k + 1]; ++e) {
      for (std::uint32_t i = pattern.with[e]; seen[i] != k; i = parent[i]) {
        if (parent[i] == kNone) parent[i] = k;
        seen[i] = k;
        pattern.row_places.push_back(i);
      }
    }
    if (pattern.row_places.size() > most_entries) return false;
    std::sort(pattern.row_places.begin() + static_cast<std::ptrdiff_t>(pattern.row_begin.back()),
              pattern.row_places.end());
    pattern.row_begin.push_back(pattern.row_places.size());
  }
  pattern.column_begin.assign(pattern.size() + 1, 0);
  for (const std::uint32_t column : pattern.row_places) ++pattern.column_begin[column + 1];
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    pattern.column_begin[k + 1] += pattern.column_begin[k];
  }
  std::vector<std::size_t> next(pattern.column_begin.begin(), pattern.column_begin.end() - 1);
  pattern.column_rows.resize(pattern.row_places.size());
  for (std::uint32_t k = 0; k < pattern.size(); ++k) {
    for (std::size_t e = pattern.row_begin[k]; e < pattern.row_begin[k + 1]; ++e) {
      pattern.column_rows[next[pattern.row_places[e]]++] = k;
    }
  }
  return true;
}

}  // namespace

std::optional<KktPattern> kkt_pattern_of(const Problem& problem, std::size_t most_factor_entries) {
  KktPattern pattern;
  pattern.place.resize(problem.num_variables + problem.num_rows() + problem.groups.size());
  if (problem.variables.size() + problem.group_variables.size() > most_factor_entries) {
    return std::nullopt;
  }
  collect_entries(problem, pattern.entries);
  find_places(pattern);
  place_entries(pattern);
  if (!find_factor(most_factor_entries, pattern)) return std::nullopt;
  return pattern;
}

KktFactor::KktFactor(const KktPattern& pattern)
    : pattern_(pattern),
      lower_(std::make_unique_for_overwrite<double[]>(pattern.column_rows.size())),
      pivot_(pattern.size()),
      work_(pattern.size(), 0.0),
      next_(pattern.size()),
      takes_part_(pattern.size()) {}

// Row by row: row k of L solves a triangular system with the rows above it (Davis, section 4.7).
void KktFactor::factorise(std::span<const double> diagonal, std::span<const char> takes_part) {
  for (std::size_t u = 0; u < diagonal.size(); ++u) {
    pivot_[pattern_.place[u]] = takes_part[u] != 0 ? diagonal[u] : 1.0;
    takes_part_[pattern_.place[u]] = takes_part[u];
  }
  std::copy(pattern_.column_begin.begin(), pattern_.column_begin.end() - 1, next_.begin());
  for (std::size_t k = 0; k < pattern_.size(); ++k) {
    if (takes_part_[k] != 0) {
      for (std::size_t e = pattern_.begin[k]; e < pattern_.begin[k + 1]; ++e) {
        const std::uint32_t j = pattern_.with[e];
        if (takes_part_[j] != 0) work_[j] += pattern_.coefficient[e];
      }
    }
    double pivot = pivot_[k];
    for (std::size_t e = pattern_.row_begin[k]; e < pattern_.row_begin[k + 1]; ++e) {
      const std::uint32_t j = pattern_.row_places[e];
      const double value = work_[j];
      const std::size_t end = next_[j]++;
      if (value == 0.0) {
        lower_[end] = 0.0;
        continue;
      }
      work_[j] = 0.0;
      for (std::size_t p = pattern_.column_begin[j]; p < end; ++p) {
        work_[pattern_.column_rows[p]] -= lower_[p] * value;
      }
      lower_[end] = value / pivot_[j];
      pivot -= lower_[end] * value;
    }
    pivot_[k] = pivot;
  }
}

void KktFactor::solve(std::span<double> right) {
  const std::size_t size = pattern_.size();
  for (std::size_t u = 0; u < size; ++u) work_[pattern_.place[u]] = right[u];
  for (std::size_t k = 0; k < size; ++k) {
    const double value = work_[k];
    if (value == 0.0) continue;
    for (std::size_t p = pattern_.column_begin[k]; p < pattern_.column_begin[k + 1]; ++p) {
      work_[pattern_.column_rows[p]] -= lower_[p] * value;
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    double value = work_[k] / pivot_[k];
    if (takes_part_[k] == 0) continue;  // its column is empty, its pivot 1
    for (std::size_t p = pattern_.column_begin[k]; p < pattern_.column_begin[k + 1]; ++p) {
      value -= lower_[p] * work_[pattern_.column_rows[p]];
    }
    work_[k] = value;
  }
  for (std::size_t u = 0; u < size; ++u) right[u] = work_[pattern_.place[u]];
  std::fill(work_.begin(), work_.end(), 0.0);
}

}  // namespace sorites
