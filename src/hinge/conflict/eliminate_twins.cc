// The part of Elimination for atoms that no row tells apart.
#include <algorithm>

#include "hinge/conflict/eliminate_atoms.h"

namespace sorites {

std::vector<std::vector<AtomId>> Elimination::twins() {
  struct Entry {
    RowId row;
    double coefficient;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<std::vector<Entry>> entries(columns_.size());
  for (RowId r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].is_alive) continue;
    for (const auto& [atom, a] : rows_[r].entries) entries[atom].push_back({r, a});
  }
  std::vector<AtomId> order;
  for (AtomId atom = 0; atom < entries.size(); ++atom) {
    if (!entries[atom].empty()) order.push_back(atom);
  }
  std::sort(order.begin(), order.end(), [&](AtomId i, AtomId j) {
    return entries[i] != entries[j] ? entries[i] < entries[j] : i < j;
  });
  std::vector<std::vector<AtomId>> sets;
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (entries[order[k]] != entries[order[k - 1]]) continue;
    if (sets.empty() || sets.back().back() != order[k - 1]) sets.push_back({order[k - 1]});
    sets.back().push_back(order[k]);
  }
  return sets;
}

// Atoms that stand in the same rows with the same coefficients become one, their sum.
bool Elimination::merge_twins() {
  const std::vector<std::vector<AtomId>> sets = twins();
  std::vector<char> is_merged(columns_.size(), 0);
  std::vector<RowId> changed;
  for (const std::vector<AtomId>& set : sets) {
    Gone merged{set.front(), {}, {}};
    AtomBounds sum{{0.0}, {0.0}};
    const auto add_to = [&](Bound& total, const Bound& part) {
      total.value += part.value;
      total.reason = derivations_.join(total.reason, part.reason);
      total.scale = std::max(total.scale, part.scale);
    };
    for (const AtomId atom : set) {
      merged.parts.push_back({atom, lower(atom).value, upper(atom).value});
      add_to(sum.lower, lower(atom));
      add_to(sum.upper, upper(atom));
      is_merged[atom] = atom == set.front() ? 0 : 1;
    }
    for (const RowId r : columns_[set.front()].rows) {
      if (rows_[r].is_alive) changed.push_back(r);
    }
    bounds_[set.front()] = sum;
    gone_.push_back(std::move(merged));
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  for (const RowId r : changed) {
    kill(r);
    SparseRow row = rows_[r];
    std::erase_if(row.entries, [&](const auto& entry) { return is_merged[entry.atom] != 0; });
    add(std::move(row), rows_[r].reason);
  }
  return !sets.empty();
}

// The sum is split so that all parts are equally far between their bounds.
void Elimination::split(const Gone& merged, std::vector<double>& state) {
  double low = 0.0, width = 0.0;
  for (const Part& part : merged.parts) {
    low += part.lower;
    width += part.upper - part.lower;
  }
  const double share = width > 0.0 ? (state[merged.atom] - low) / width : 0.0;
  for (const Part& part : merged.parts) {
    state[part.atom] = part.lower + std::clamp(share, 0.0, 1.0) * (part.upper - part.lower);
  }
}

}  // namespace sorites
