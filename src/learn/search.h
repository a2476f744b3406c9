// Search for weights by trying them: grids, random points, and points chosen by what others gave.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "sorites/learn.h"

namespace sorites {

// Whether Hyperband would try more points than can be kept.
bool has_too_many_points(const SearchOptions& options);

// What is wrong with weights: smaller is better. `effort` in (0, 1]: how exactly to look; only
// Hyperband asks for less than 1.
using SearchObjective = std::function<double(std::span<const double> weights, double effort)>;

// Called after each point; false ends the search.
using SearchStep =
    std::function<bool(std::span<const double> weights, double effort, double objective)>;

struct SearchOutcome {
  std::vector<double> weights;  // the best that was tried at effort 1
  double objective = 0.0;
  bool complete = false;  // not ended by `step`
};

// How to look for weights; the same settings give the same points.
struct SearchSettings {
  LearnAlgorithm algorithm = LearnAlgorithm::kRandomGrid;
  const SearchOptions& options;
  WeightDomain domain = WeightDomain::kMirrorSimplex;
  std::uint64_t seed = 0;
};

// Tries `start` first (one of max_points), then what the algorithm says (one of the searches of
// LearnAlgorithm; else, or if an option is out of range, throws std::invalid_argument). Weights are
// those of the domain: of sum 1 in the simplices, where points that are equal up to scale are tried
// once. Objectives that are not finite count as +infinity.
SearchOutcome search(const SearchSettings& settings,
                     std::span<const double> start,
                     const SearchObjective& objective,
                     const SearchStep& step);

}  // namespace sorites
