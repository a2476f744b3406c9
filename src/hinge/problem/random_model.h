// Random small models for tests: all kinds of terms, few atoms, with duplicate and idle atoms.
#pragma once

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "hinge/model/term_block.h"
#include "sorites/model.h"

namespace sorites {

// A model that grows term by term; every term is a rule of its own.
class ModelBuilder {
 public:
  explicit ModelBuilder(std::size_t num_atoms) { model_.num_atoms = num_atoms; }

  ModelBuilder& add(TermKind kind,
                    double weight,
                    const std::vector<double>& coefficients,
                    const std::vector<AtomId>& atoms,
                    double offset) {
    const bool hard = kind == TermKind::kAtMost || kind == TermKind::kEqual;
    const auto rule = static_cast<std::uint32_t>(model_.rules.size());
    model_.rules.push_back({hard ? 0.0 : weight, hard, "", {}});
    TermBlock block;
    block.rule = rule;
    block.kind = kind;
    block.coefficients = coefficients;
    add_term(block, atoms, {}, offset);
    model_.blocks.push_back(std::move(block));
    return *this;
  }

  Model take() { return std::move(model_); }

 private:
  Model model_;
};

struct RandomTerms {
  std::mt19937_64& random;
  std::size_t num_atoms;

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  }
  std::vector<AtomId> atoms(std::size_t count) {
    std::vector<AtomId> all(num_atoms);
    for (std::size_t i = 0; i < num_atoms; ++i) all[i] = static_cast<AtomId>(i);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(std::min(count, num_atoms));
    return all;
  }
  // Mostly of unit size, as those of logical rules.
  std::vector<double> coefficients(std::size_t count) {
    std::vector<double> result(count);
    for (double& a : result) {
      const double size = below(4) == 0 ? uniform(0.1, 3.0) : 1.0;
      a = below(2) == 0 ? size : -size;
    }
    return result;
  }
};

}  // namespace sorites
