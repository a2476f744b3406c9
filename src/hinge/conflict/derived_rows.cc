#include "hinge/conflict/derived_rows.h"

#include <algorithm>
#include <cmath>

namespace sorites {
namespace {

constexpr double kCancelled = 1e-12;  // rounding of a sum of two coefficients up to kMaxScale

}  // namespace

double coefficient_of(std::span<const SparseRow::Entry> entries, AtomId atom) {
  const auto found = std::lower_bound(
      entries.begin(), entries.end(), atom, [](const SparseRow::Entry& entry, AtomId wanted) {
        return entry.atom < wanted;
      });
  return found != entries.end() && found->atom == atom ? found->coefficient : 0.0;
}

SparseRow combine(const SparseRow& row, double factor, const SparseRow& other, AtomId atom) {
  SparseRow sum;
  sum.entries.reserve(row.entries.size() + other.entries.size());
  sum.is_equal = row.is_equal && other.is_equal;
  sum.offset = row.offset + factor * other.offset;
  sum.scale = std::max(row.scale, std::abs(factor) * other.scale);
  auto a = row.entries.begin();
  auto b = other.entries.begin();
  const auto add = [&](AtomId i, double coefficient) {
    if (i != atom && std::abs(coefficient) > kCancelled) sum.entries.push_back({i, coefficient});
  };
  while (a != row.entries.end() || b != other.entries.end()) {
    if (b == other.entries.end() || (a != row.entries.end() && a->atom < b->atom)) {
      add(a->atom, a->coefficient);
      ++a;
    } else if (a == row.entries.end() || b->atom < a->atom) {
      add(b->atom, factor * b->coefficient);
      ++b;
    } else {
      add(a->atom, a->coefficient + factor * b->coefficient);
      ++a;
      ++b;
    }
  }
  return sum;
}

Derivations::Id Derivations::join(Id first, Id second) {
  if (first == second || second == kGiven) return first;
  if (first == kGiven) return second;
  parents_.push_back({first, second});
  return static_cast<Id>(num_sources_ + parents_.size() - 1);
}

std::vector<std::uint32_t> Derivations::sources_of(std::vector<Id> ids) const {
  std::vector<char> is_seen(num_sources_ + parents_.size(), 0);
  std::vector<std::uint32_t> sources;
  while (!ids.empty()) {
    const Id id = ids.back();
    ids.pop_back();
    if (id == kGiven || is_seen[id] != 0) continue;
    is_seen[id] = 1;
    if (id < num_sources_) {
      sources.push_back(id);
    } else {
      const Parents& parents = parents_[id - num_sources_];
      ids.push_back(parents.first);
      ids.push_back(parents.second);
    }
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

}  // namespace sorites
