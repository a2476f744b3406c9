#include <algorithm>
#include <cmath>
#include <set>

#include "learn/searches.h"
#include "learn/weight_grid.h"

namespace sorites {
namespace {

// The start has been tried already.
bool is_start(const SearchSpace& space, std::span<const double> weights) {
  constexpr double kShareRounding = 1e-9;  // of weights divided by their sum
  return std::equal(weights.begin(), weights.end(), space.start.begin(), [](double a, double b) {
    return std::abs(a - b) <= kShareRounding * std::max(std::abs(a), std::abs(b));
  });
}

void attempt(const SearchSpace& space,
             const WeightGrid& grid,
             const GridPoint& point,
             Trials& trials) {
  const std::vector<double> weights = grid.weights_of(point);
  if (!is_start(space, weights)) trials.attempt(weights);
}

// All points, in random order: for grids that are not much larger than what is to be tried.
void search_shuffled(const SearchSpace& space,
                     const WeightGrid& grid,
                     WeightSampler& sampler,
                     Trials& trials) {
  std::vector<GridPoint> points;
  GridPoint point = grid.first();
  do {
    if (grid.counts(point)) points.push_back(point);
  } while (grid.advance(point));
  for (std::size_t i = 0; i < points.size() && !trials.ended(); ++i) {
    std::swap(points[i], points[i + sampler.below(points.size() - i)]);
    attempt(space, grid, points[i], trials);
  }
}

}  // namespace

void search_grid(const SearchSpace& space, Trials& trials) {
  const WeightGrid grid(space.options.grid, space.start.size(), space.domain);
  GridPoint point = grid.first();
  do {
    if (trials.ended()) return;
    if (grid.counts(point)) attempt(space, grid, point, trials);
  } while (grid.advance(point));
}

void search_random_grid(const SearchSpace& space, WeightSampler& sampler, Trials& trials) {
  const WeightGrid grid(space.options.grid, space.start.size(), space.domain);
  // At most num_values() points are equal up to scale: so many are new often enough to be drawn.
  constexpr double kTimesEnough = 4.0;  // three of four draws are then new, as a rule
  const double enough = kTimesEnough * static_cast<double>(grid.num_values()) *
                        static_cast<double>(trials.max_points());
  if (grid.num_combinations() <= enough) {
    search_shuffled(space, grid, sampler, trials);
    return;
  }
  std::set<GridPoint> seen;
  while (!trials.ended()) {
    GridPoint point = grid.first();
    for (std::uint32_t& place : point) {
      place = static_cast<std::uint32_t>(sampler.below(grid.num_values()));
    }
    point = grid.representative(point);
    if (grid.counts(point) && seen.insert(point).second) attempt(space, grid, point, trials);
  }
}

}  // namespace sorites
