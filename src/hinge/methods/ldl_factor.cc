#include "hinge/methods/ldl_factor.h"

#include <algorithm>

namespace sorites {

std::optional<LdlFactor> LdlFactor::make(const UpperPattern& pattern, std::size_t most_entries) {
  const std::size_t size = pattern.size();
  LdlFactor factor;
  factor.parent_.assign(size, -1);
  factor.mark_.assign(size, -1);
  std::vector<std::size_t> count(size, 0);  // of entries of a column, below the diagonal
  std::size_t entries = size;
  for (std::size_t k = 0; k < size; ++k) {
    const int row = static_cast<int>(k);
    factor.mark_[k] = row;
    for (const int first : pattern.column(k)) {
      for (auto i = static_cast<std::size_t>(first); factor.mark_[i] != row;
           i = static_cast<std::size_t>(factor.parent_[i])) {
        if (factor.parent_[i] == -1) factor.parent_[i] = row;
        factor.mark_[i] = row;
        ++count[i];
        if (++entries > most_entries) return std::nullopt;
      }
    }
  }
  factor.begin_.assign(size + 1, 0);
  for (std::size_t k = 0; k < size; ++k) factor.begin_[k + 1] = factor.begin_[k] + count[k];
  factor.rows_.resize(factor.begin_.back());
  factor.lower_.resize(factor.begin_.back());
  factor.pivot_.resize(size);
  factor.work_.assign(size, 0.0);
  factor.path_.resize(size);
  return factor;
}

std::size_t LdlFactor::find_row(std::span<const int> column, std::size_t k) {
  const int row = static_cast<int>(k);
  mark_[k] = row;
  std::size_t top = path_.size();
  std::vector<int>& path = path_;
  for (const int first : column) {
    std::size_t length = 0;  // up the tree, to what was there before
    for (int i = first; mark_[static_cast<std::size_t>(i)] != row;
         i = parent_[static_cast<std::size_t>(i)]) {
      mark_[static_cast<std::size_t>(i)] = row;
      path[length++] = i;
    }
    while (length > 0) path[--top] = path[--length];
  }
  return top;
}

bool LdlFactor::factorise(const UpperPattern& pattern,
                          std::span<const double> values,
                          const GiveUp& give_up) {
  constexpr std::size_t kWorkBetweenLooks = 10'000'000;  // products: some milliseconds
  std::size_t work = 0;
  end_.assign(begin_.begin(), begin_.end() - 1);
  std::fill(mark_.begin(), mark_.end(), -1);
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    const std::span<const int> column = pattern.column(k);
    const double* value = values.data() + pattern.begin[k];
    for (const int i : column) work_[static_cast<std::size_t>(i)] = *value++;
    double pivot = work_[k];
    work_[k] = 0.0;
    for (std::size_t at = find_row(column, k); at < path_.size(); ++at) {
      const auto i = static_cast<std::size_t>(path_[at]);
      const double y = work_[i];
      work_[i] = 0.0;
      const std::size_t end = end_[i]++;
      for (std::size_t p = begin_[i]; p < end; ++p) work_[rows_[p]] -= lower_[p] * y;
      work += end - begin_[i];
      rows_[end] = static_cast<std::uint32_t>(k);
      lower_[end] = y / pivot_[i];
      pivot -= lower_[end] * y;
    }
    pivot_[k] = pivot;
    if (!(pivot > 0.0)) return false;
    if (work > kWorkBetweenLooks) {
      work = 0;
      if (give_up()) return false;
    }
  }
  return true;
}

void LdlFactor::solve(std::span<double> right) const {
  const std::size_t size = pivot_.size();
  for (std::size_t k = 0; k < size; ++k) {
    const double y = right[k];
    for (std::size_t p = begin_[k]; p < begin_[k + 1]; ++p) right[rows_[p]] -= lower_[p] * y;
  }
  for (std::size_t k = 0; k < size; ++k) right[k] /= pivot_[k];
  for (std::size_t k = size; k-- > 0;) {
    double sum = right[k];
    for (std::size_t p = begin_[k]; p < begin_[k + 1]; ++p) sum -= lower_[p] * right[rows_[p]];
    right[k] = sum;
  }
}

}  // namespace sorites
