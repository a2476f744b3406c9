// Checks of conflicts for tests, by linear programs that know nothing of the search.
#pragma once

#include <gtest/gtest.h>

#include <OsiClpSolverInterface.hpp>
#include <ctime>
#include <functional>
#include <vector>

#include "hinge/conflict/conflict.h"
#include "hinge/problem/problem.h"
#include "hinge/problem/random_model.h"

namespace sorites {

// Whether hard terms can hold together.
inline bool can_hold(const Model& model, const std::vector<TermId>& terms) {
  OsiClpSolverInterface program;
  program.messageHandler()->setLogLevel(0);
  program.getModelPtr()->setLogLevel(0);
  program.setHintParam(OsiDoPresolveInInitial, false, OsiHintDo);  // it leaks memory
  const auto n = static_cast<int>(model.num_atoms);
  const std::vector<double> zeros(model.num_atoms, 0.0), ones(model.num_atoms, 1.0);
  CoinPackedMatrix none(false, 0, 0);
  none.setDimensions(0, n);
  program.loadProblem(none, zeros.data(), ones.data(), zeros.data(), nullptr, nullptr);
  for (const TermId& id : terms) {
    const TermBlock& block = model.blocks[id.block];
    std::vector<int> columns;
    for (const AtomId atom : block.atoms_of(id.term)) columns.push_back(static_cast<int>(atom));
    const double b = block.offset_of(id.term);
    if (columns.empty()) {
      constexpr double kTolerance = 1e-6;  // ten times CLP's own
      if (violation(block.kind, b) > kTolerance) return false;
      continue;
    }
    program.addRow(static_cast<int>(columns.size()),
                   columns.data(),
                   block.coefficients.data(),
                   block.kind == TermKind::kEqual ? -b : -COIN_DBL_MAX,
                   -b);
  }
  program.initialSolve();
  return program.isProvenOptimal();
}

inline std::vector<TermId> hard_terms(const Model& model) {
  std::vector<TermId> terms;
  for (std::uint32_t b = 0; b < model.blocks.size(); ++b) {
    if (!is_hard(model.blocks[b].kind)) continue;
    for (std::uint32_t t = 0; t < model.blocks[b].num_terms; ++t) terms.push_back({b, t});
  }
  return terms;
}

inline std::optional<Conflict> conflict_of(const Model& model, const std::stop_token& stop = {}) {
  Parameters parameters;
  for (const GroundRule& rule : model.rules) parameters.weights.push_back(rule.weight);
  return find_conflict(model, parameters, 60.0, stop);
}

inline void expect_irreducible(const Model& model, const Conflict& conflict) {
  EXPECT_TRUE(conflict.irreducible);
  EXPECT_FALSE(can_hold(model, conflict.terms));
  for (std::size_t i = 0; i < conflict.terms.size(); ++i) {
    std::vector<TermId> others = conflict.terms;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_TRUE(can_hold(model, others)) << "without term " << i;
  }
}

// Of the processor, so that other load does not count.
inline double seconds_of(const std::function<void()>& call) {
  const std::clock_t start = std::clock();
  call();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace sorites
