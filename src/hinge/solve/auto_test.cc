// What `auto` costs, in iterations, beside the method that suits a model best.
#include <gtest/gtest.h>

#include <random>

#include "hinge/problem/random_model.h"
#include "sorites/solve.h"

namespace sorites {
namespace {

// The cheapest way through a grid, corner to corner, as a flow of 1 along edges.
Model grid_path(AtomId side) {
  struct Edge {
    AtomId from, to;
  };
  std::vector<Edge> edges;
  for (AtomId v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges.insert(edges.end(), {{v, v + 1}, {v + 1, v}});
    if (v + side < side * side) edges.insert(edges.end(), {{v, v + side}, {v + side, v}});
  }
  ModelBuilder builder(static_cast<AtomId>(edges.size()));
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> cost(0.1, 1.0);
  for (AtomId e = 0; e < edges.size(); ++e) {
    builder.add(TermKind::kHinge, cost(random), {1.0}, {e}, 0.0);
  }
  for (AtomId v = 0; v < side * side; ++v) {
    std::vector<AtomId> atoms;
    std::vector<double> signs;
    for (AtomId e = 0; e < edges.size(); ++e) {
      if (edges[e].from != v && edges[e].to != v) continue;
      atoms.push_back(e);
      signs.push_back(edges[e].to == v ? 1.0 : -1.0);
    }
    const double demand = v == 0 ? 1.0 : v + 1 == side * side ? -1.0 : 0.0;
    builder.add(TermKind::kEqual, 0.0, signs, atoms, demand);
  }
  return builder.take();
}

// Each of `items` goes to one of `places`, of which none takes more than its share.
Model assignment(AtomId items, AtomId places) {
  ModelBuilder builder(items * places);
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> cost(0.1, 1.0);
  for (AtomId a = 0; a < items * places; ++a) {
    builder.add(TermKind::kHinge, cost(random), {1.0}, {a}, 0.0);
  }
  for (AtomId i = 0; i < items; ++i) {
    std::vector<AtomId> atoms;
    for (AtomId p = 0; p < places; ++p) atoms.push_back(i * places + p);
    builder.add(TermKind::kEqual, 0.0, std::vector<double>(places, 1.0), atoms, -1.0);
  }
  for (AtomId p = 0; p < places; ++p) {
    std::vector<AtomId> atoms;
    for (AtomId i = 0; i < items; ++i) atoms.push_back(i * places + p);
    const double capacity = static_cast<double>(items / places);
    builder.add(TermKind::kAtMost, 0.0, std::vector<double>(items, 1.0), atoms, -capacity);
  }
  return builder.take();
}

Solution solved_by(Solver solver, const Model& model) {
  SolveOptions options;
  options.solver = solver;
  return solve(model, parameters_of(model), options);
}

// Of ADMM alone, thousands.
TEST(Auto, TakesLittleMoreThanPdhgOnFlowsAndCapacities) {
  constexpr std::uint64_t kHeat = 300;  // of ADMM, before PDHG has a go
  for (const Model& model : {grid_path(12), grid_path(16), assignment(60, 20)}) {
    const Solution automatic = solved_by(Solver::kAuto, model);
    const Solution pdhg = solved_by(Solver::kPdhg, model);
    EXPECT_EQ(automatic.status, SolveStatus::kOptimal);
    EXPECT_NEAR(automatic.objective, pdhg.objective, 3e-4 * pdhg.objective);
    EXPECT_LE(automatic.iterations, kHeat + 2 * pdhg.iterations);
  }
}

}  // namespace
}  // namespace sorites
