// Components whose own gap (component_gaps.h) is not within what was asked for, though that of the
// whole may be: each is solved again as a problem of its own, in its own unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/thread_pool.h"
#include "hinge/presolve/presolve.h"
#include "hinge/problem/deadline.h"
#include "hinge/problem/solver.h"
#include "hinge/problem/structure.h"
#include "hinge/solve/component_gaps.h"

namespace sorites {

// The problem at hand: all of it must outlive what looks at it.
struct RefinedModel {
  const Model& model;
  const Parameters& parameters;
  const Presolved& presolved;
  ProblemStructure& structure;
  const ComponentRules& rules;
};

struct Refinement {
  double worst_gap = 0.0;  // of a component, relative
  std::uint64_t iterations = 0;
  bool infeasible = false;            // the hard rows of a component contradict each other
  std::optional<SolveStatus> missed;  // of a component whose gap is still too large, why that is
  std::string message;                // which rules are the cause, if weights are
};

// Whether no component can miss the gap, as far as the bounds of the whole show.
bool is_fine_everywhere(const Problem& problem,
                        const SolverResult& result,
                        const WeightRange& weights,
                        double gap);

// The same with a look at those components that could, for what the bounds of the whole show: those
// whose weights are below those of others.
bool is_fine_where_light(const RefinedModel& refined, const SolverResult& result, double gap);

// The largest gap of a component.
double worst_component_gap(const RefinedModel& refined, PrimalDual& point, ThreadPool& pool);

// Improves `point`.
Refinement refine_components(const RefinedModel& refined,
                             const SolveOptions& options,
                             const Deadline& deadline,
                             PrimalDual& point,
                             ThreadPool& pool);

}  // namespace sorites
