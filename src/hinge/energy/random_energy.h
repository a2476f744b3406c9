// Random small models with network outputs and labels, for tests of gradients.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "hinge/energy/hinge_energy.h"
#include "hinge/model/term_block.h"
#include "hinge/problem/random_model.h"

namespace sorites {

struct RandomEnergy {
  Model model;
  std::vector<double> labels;
  Parameters parameters;
};

struct EnergyShape {
  std::size_t num_atoms = 6, num_outputs = 4, num_rules = 5, terms_per_rule = 4;
  bool hinges = true;      // else all potentials are squared
  bool hard_rules = true;  // that any state with small atoms keeps
  double latent_share = 0.3;
};

inline RandomEnergy random_energy(std::uint64_t seed, const EnergyShape& shape = {}) {
  std::mt19937_64 random(seed);
  RandomTerms draw{random, shape.num_atoms};
  RandomEnergy result;
  Model& model = result.model;
  model.num_atoms = shape.num_atoms;
  model.num_outputs = shape.num_outputs;
  for (std::uint32_t rule = 0; rule < shape.num_rules; ++rule) {
    const bool hard = shape.hard_rules && rule + 1 == shape.num_rules;
    model.rules.push_back({hard ? 0.0 : draw.uniform(0.2, 2.0), hard, "", {}});
    const TermKind kind = hard                                 ? TermKind::kAtMost
                          : shape.hinges && draw.below(2) == 0 ? TermKind::kHinge
                                                               : TermKind::kSquaredHinge;
    for (std::size_t t = 0; t < shape.terms_per_rule; ++t) {
      TermBlock block;
      block.rule = rule;
      block.kind = kind;
      const std::size_t width = 1 + draw.below(3);
      block.coefficients = hard ? std::vector<double>(width, 1.0) : draw.coefficients(width);
      std::vector<std::uint32_t> outputs;
      if (!hard && shape.num_outputs > 0) {
        block.output_coefficients = {draw.below(2) == 0 ? 1.0 : -1.0};
        outputs = {static_cast<std::uint32_t>(draw.below(shape.num_outputs))};
      }
      const double offset = hard ? draw.uniform(-1.5, -0.5) : draw.uniform(-0.7, 0.7);
      add_term(block, draw.atoms(width), outputs, offset);
      model.blocks.push_back(std::move(block));
    }
  }
  for (std::size_t i = 0; i < shape.num_atoms; ++i) {
    const bool latent = draw.uniform(0.0, 1.0) < shape.latent_share;
    result.labels.push_back(latent ? kLatent : draw.uniform(0.0, 0.3));
  }
  result.parameters = parameters_of(model, false);
  for (double& g : result.parameters.outputs) g = draw.uniform(0.1, 0.9);
  return result;
}

// Solves so exactly that differences of values tell gradients.
inline HingeEnergyOptions exact() {
  HingeEnergyOptions options;
  options.solve.solver = Solver::kInteriorPoint;
  options.solve.gap = 1e-10;
  options.solve.violation = 1e-9;
  options.solve.threads = 1;
  options.warm_start = false;
  options.smoothing = 1e-7;
  return options;
}

// Adds 0.2 (y - 0.4)^2 for every atom.
inline void make_minimiser_unique(RandomEnergy& random) {
  for (AtomId i = 0; i < random.model.num_atoms; ++i) {
    const auto rule = static_cast<std::uint32_t>(random.model.rules.size());
    random.model.rules.push_back({0.2, false, "", {}});
    for (const double sign : {1.0, -1.0}) {
      TermBlock block;
      block.rule = rule;
      block.kind = TermKind::kSquaredHinge;
      block.coefficients = {sign};
      add_term(block, std::vector<AtomId>{i}, {}, -0.4 * sign);
      random.model.blocks.push_back(std::move(block));
    }
    random.parameters.weights.push_back(0.2);
  }
}

}  // namespace sorites
