// Random models for tests, with everything that presolve knows of and a state that keeps all hard
// rules.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "hinge/problem/random_model.h"

namespace sorites {

struct FeasibleModel {
  Model model;
  std::vector<double> feasible;
};

class RandomModel {
 public:
  explicit RandomModel(std::uint64_t seed)
      : random_(seed),
        terms_{random_, 2 + seed % 9},
        builder_(terms_.num_atoms),
        state_(terms_.num_atoms) {
    for (double& value : state_) value = 0.25 * static_cast<double>(terms_.below(5));
  }

  FeasibleModel take() {
    if (terms_.below(2) == 0) add_aliases();
    const std::size_t hard = terms_.below(3), soft = 1 + terms_.below(14);
    for (std::size_t i = 0; i < hard; ++i) add_hard();
    if (terms_.below(2) == 0) add_sums();
    for (std::size_t i = 0; i < soft; ++i) add_soft();
    return {builder_.take(), state_};
  }

 private:
  double at_state(const std::vector<double>& a, const std::vector<AtomId>& atoms) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * state_[atoms[k]];
    return sum;
  }

  // Equal atoms, some of them said twice or in a circle.
  void add_aliases() {
    const std::size_t count = 1 + terms_.below(3);
    for (std::size_t i = 0; i < count; ++i) {
      const auto atoms = terms_.atoms(2);
      const double from = state_[atoms[0]], to = state_[atoms[1]];
      for (double& value : state_) {
        if (value == from) value = to;  // what was equal stays equal
      }
      const double a = terms_.below(2) == 0 ? 1.0 : -2.5;
      builder_.add(TermKind::kEqual, 0.0, {a, -a}, atoms, 0.0);
      if (terms_.below(3) == 0) builder_.add(TermKind::kEqual, 0.0, {-1.0, 1.0}, atoms, 0.0);
    }
  }

  void add_hard() {
    const auto atoms = terms_.atoms(1 + terms_.below(3));
    const auto a = terms_.coefficients(atoms.size());
    const double value = at_state(a, atoms);
    if (terms_.below(3) == 0) {
      builder_.add(TermKind::kEqual, 0.0, a, atoms, -value);
    } else {
      const double slack = terms_.below(2) == 0 ? 0.0 : terms_.uniform(0.0, 0.5);
      builder_.add(TermKind::kAtMost, 0.0, a, atoms, -value - slack);
    }
  }

  // Sums of atoms that are a constant; they may overlap.
  void add_sums() {
    const std::size_t count = 1 + terms_.below(2);
    for (std::size_t i = 0; i < count; ++i) {
      const auto atoms = terms_.atoms(2 + terms_.below(4));
      const std::vector<double> a(atoms.size(), terms_.below(2) == 0 ? 1.0 : -0.5);
      builder_.add(TermKind::kEqual, 0.0, a, atoms, -at_state(a, atoms));
    }
  }

  void add_soft() {
    const auto atoms = terms_.atoms(1 + terms_.below(3));
    const auto a = terms_.coefficients(atoms.size());
    const auto kind = terms_.below(2) == 0 ? TermKind::kHinge : TermKind::kSquaredHinge;
    const double weight = terms_.below(8) == 0 ? 0.0 : terms_.uniform(0.01, 1.0);
    const double offset = 0.25 * static_cast<double>(terms_.below(9)) - 1.0;
    builder_.add(kind, weight, a, atoms, offset);
    if (terms_.below(4) == 0) builder_.add(kind, terms_.uniform(0.1, 1.0), a, atoms, offset);
  }

  std::mt19937_64 random_;
  RandomTerms terms_;
  ModelBuilder builder_;
  std::vector<double> state_;
};

}  // namespace sorites
