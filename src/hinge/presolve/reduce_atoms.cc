#include "hinge/presolve/reduce_atoms.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hinge/model/residual.h"
#include "hinge/problem/problem.h"

namespace sorites {
namespace {

// Over the hard terms: the longest chain of equalities that fix each other's atoms. What is not
// found by then stays a row, which solvers keep.
constexpr int kMaxPasses = 50;

// Everything is kept per root, the atom that stands for its class of equal atoms.
class Reducer {
 public:
  explicit Reducer(const Model& model) : model_(model), parent_(model.num_atoms) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    map_.used.assign(model.blocks.size(), false);
  }

  AtomMap run() {
    for (std::uint32_t b = 0; b < model_.blocks.size(); ++b) {
      if (is_alias_block(model_.blocks[b])) add_aliases(b);
    }
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      bool changed = false;
      for (std::uint32_t b = 0; b < model_.blocks.size(); ++b) {
        const TermBlock& block = model_.blocks[b];
        const bool may_say_more = block.width() <= 1 ? pass == 0 : any_fixed();
        if (!is_candidate(block) || map_.used[b] || !may_say_more) continue;
        for (std::size_t t = 0; t < block.num_terms; ++t) changed |= look_at(b, t);
        if (block.width() <= 1) map_.used[b] = true;
      }
      if (!changed) break;
    }
    number_variables();
    return std::move(map_);
  }

 private:
  static bool is_candidate(const TermBlock& block) {
    return is_hard(block.kind) && block.output_coefficients.empty();
  }
  static bool is_alias_block(const TermBlock& block) {
    return is_candidate(block) && block.kind == TermKind::kEqual && block.width() == 2 &&
           block.coefficients[0] == -block.coefficients[1] && block.offsets.empty() &&
           block.offset == 0.0;
  }
  bool any_fixed() const { return !map_.fixes.empty(); }

  AtomId root_of(AtomId atom) {
    while (parent_[atom] != atom) {
      parent_[atom] = parent_[parent_[atom]];
      atom = parent_[atom];
    }
    return atom;
  }

  void add_aliases(std::uint32_t b) {
    const TermBlock& block = model_.blocks[b];
    map_.used[b] = true;
    for (std::uint32_t t = 0; t < block.num_terms; ++t) {
      const auto atoms = block.atoms_of(t);
      const AtomId left = root_of(atoms[0]), right = root_of(atoms[1]);
      if (left == right) continue;
      parent_[std::max(left, right)] = std::min(left, right);
      ++map_.num_aliased;
      map_.aliases.push_back({{b, t}, {atoms[0], atoms[1]}, block.coefficients[0]});
    }
  }

  void need_bounds() {
    if (!lower_.empty()) return;
    lower_.assign(model_.num_atoms, 0.0);
    upper_.assign(model_.num_atoms, 1.0);
    fixed_.assign(model_.num_atoms, false);
  }
  bool is_fixed(AtomId root) const { return !fixed_.empty() && fixed_[root]; }

  // Whether the term fixes an atom or moves a bound.
  bool look_at(std::uint32_t b, std::size_t t) {
    const TermBlock& block = model_.blocks[b];
    double offset = block.offset_of(t), coefficient = 0.0;
    AtomId free = 0;
    bool found = false;
    const auto atoms = block.atoms_of(t);
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      const AtomId root = root_of(atoms[k]);
      if (is_fixed(root)) {
        offset += block.coefficients[k] * lower_[root];
      } else if (!found || free == root) {
        found = true;
        free = root;
        coefficient += block.coefficients[k];
      } else {
        return false;
      }
    }
    if (!found || coefficient == 0.0) {
      map_.infeasible |= violation(block.kind, offset) > kResidualRounding;
      return false;
    }
    need_bounds();
    const TermId term{b, static_cast<std::uint32_t>(t)};
    return block.kind == TermKind::kEqual ? fix(term, free, coefficient, -offset / coefficient)
                                          : bound(term, free, coefficient, -offset / coefficient);
  }

  bool fix(TermId term, AtomId root, double coefficient, double value) {
    map_.infeasible |=
        value < lower_[root] - kResidualRounding || value > upper_[root] + kResidualRounding;
    lower_[root] = upper_[root] = std::clamp(value, 0.0, 1.0);
    fixed_[root] = true;
    map_.fixes.push_back({term, root, coefficient});
    return true;
  }

  bool bound(TermId term, AtomId root, double coefficient, double value) {
    double& side = coefficient > 0.0 ? upper_[root] : lower_[root];
    const bool tighter = coefficient > 0.0 ? value < side : value > side;
    if (!tighter) return false;
    side = value;
    map_.infeasible |= lower_[root] > upper_[root] + kResidualRounding;
    if (lower_[root] > upper_[root]) side = coefficient > 0.0 ? lower_[root] : upper_[root];
    bounds_.push_back({term, root, coefficient});
    return true;
  }

  void number_variables() {
    const auto num_atoms = static_cast<AtomId>(model_.num_atoms);
    map_.variable.resize(num_atoms);
    for (AtomId atom = 0; atom < num_atoms; ++atom) {
      const AtomId root = root_of(atom);
      if (is_fixed(root)) {
        map_.variable[atom] = kFixedAtom;
        ++map_.num_fixed;
      } else {
        map_.variable[atom] = root == atom ? static_cast<std::uint32_t>(map_.num_variables++)
                                           : map_.variable[root];  // roots are the lowest
      }
    }
    map_.lower.assign(map_.num_variables, 0.0);
    map_.upper.assign(map_.num_variables, 1.0);
    if (map_.num_fixed > 0) map_.fixed_value.assign(num_atoms, 0.0);
    if (lower_.empty()) return;
    for (AtomId atom = 0; atom < num_atoms; ++atom) {
      const AtomId root = root_of(atom);
      if (is_fixed(root)) {
        map_.fixed_value[atom] = lower_[root];
      } else if (root == atom) {
        map_.lower[map_.variable[atom]] = lower_[root];
        map_.upper[map_.variable[atom]] = upper_[root];
      }
    }
    for (BoundTerm& bound : bounds_) {
      const AtomId root = bound.variable;
      bound.variable = map_.variable[root];
      if (!is_fixed(root)) map_.bounds.push_back(bound);
    }
  }

  const Model& model_;
  AtomMap map_;
  std::vector<AtomId> parent_;
  std::vector<double> lower_, upper_;  // per root; empty until a term says something
  std::vector<bool> fixed_;
  std::vector<BoundTerm> bounds_;  // of roots: later ones are tighter
};

}  // namespace

AtomMap reduce_atoms(const Model& model) { return Reducer(model).run(); }

void reduce_term(const TermBlock& block,
                 std::size_t term,
                 double offset,
                 const AtomMap& map,
                 ReducedTerm& reduced) {
  reduced.variables.clear();
  reduced.coefficients.clear();
  reduced.offset = offset;
  const auto atoms = block.atoms_of(term);
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    const std::uint32_t variable = map.variable[atoms[k]];
    const double coefficient = block.coefficients[k];
    if (variable == kFixedAtom) {
      reduced.offset += coefficient * map.fixed_value[atoms[k]];
      continue;
    }
    const auto at = std::lower_bound(reduced.variables.begin(), reduced.variables.end(), variable);
    const auto place = at - reduced.variables.begin();
    if (at != reduced.variables.end() && *at == variable) {
      reduced.coefficients[static_cast<std::size_t>(place)] += coefficient;
    } else {
      reduced.variables.insert(at, variable);
      reduced.coefficients.insert(reduced.coefficients.begin() + place, coefficient);
    }
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < reduced.variables.size(); ++k) {
    if (reduced.coefficients[k] == 0.0) continue;
    reduced.variables[kept] = reduced.variables[k];
    reduced.coefficients[kept++] = reduced.coefficients[k];
  }
  reduced.variables.resize(kept);
  reduced.coefficients.resize(kept);
}

}  // namespace sorites
