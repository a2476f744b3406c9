#include "hinge/conflict/hard_rows.h"

#include <algorithm>
#include <cmath>

#include "base/joined_sets.h"
#include "hinge/problem/certificate.h"

namespace sorites {
namespace {

bool can_break(const HardRow& row) {
  double smallest = row.offset, largest = row.offset;
  for (const double a : row.coefficients) (a < 0.0 ? smallest : largest) += a;
  return !row.holds(largest) || (row.is_equal && !row.holds(smallest));
}

}  // namespace

std::vector<HardRow> hard_rows_of(const Model& model, const Parameters& parameters) {
  std::vector<HardRow> rows;
  for (std::uint32_t b = 0; b < model.blocks.size(); ++b) {
    const TermBlock& block = model.blocks[b];
    if (!is_hard(block.kind)) continue;
    for (std::uint32_t t = 0; t < block.num_terms; ++t) {
      const HardRow row{.id = {b, t},
                        .is_equal = block.kind == TermKind::kEqual,
                        .offset = offset_of(block, t, parameters.outputs),
                        .coefficients = block.coefficients,
                        .atoms = block.atoms_of(t)};
      if (std::isfinite(row.offset) && can_break(row)) rows.push_back(row);
    }
  }
  return rows;
}

std::vector<std::vector<std::uint32_t>> connected_rows(std::span<const HardRow> rows,
                                                       std::size_t num_atoms) {
  JoinedSets joined(num_atoms);
  for (const HardRow& row : rows) {
    for (const AtomId atom : row.atoms) joined.join(row.atoms[0], atom);
  }
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> set_of_root(num_atoms, kNone);
  std::vector<std::vector<std::uint32_t>> sets;
  for (std::uint32_t r = 0; r < rows.size(); ++r) {
    std::uint32_t alone = kNone;  // a row without atoms is connected with nothing
    std::uint32_t& set = rows[r].atoms.empty() ? alone : set_of_root[joined.find(rows[r].atoms[0])];
    if (set == kNone) {
      set = static_cast<std::uint32_t>(sets.size());
      sets.emplace_back();
    }
    sets[set].push_back(r);
  }
  return sets;
}

}  // namespace sorites
