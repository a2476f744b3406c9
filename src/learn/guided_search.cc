// Random points, then steps along single weights from the best of them.
#include <algorithm>

#include "learn/searches.h"

namespace sorites {
namespace {

struct Tried {
  std::vector<double> weights;
  double objective = 0.0;
};

// Tries every weight times and divided by `factor`, and stays where it is better.
void explore(WeightDomain domain, double factor, Tried& at, Trials& trials) {
  for (std::size_t i = 0; i < at.weights.size(); ++i) {
    for (const double multiple : {factor, 1.0 / factor}) {
      if (trials.ended()) return;
      Tried next{at.weights, 0.0};
      next.weights[i] *= multiple;
      move_into_domain(domain, next.weights);
      next.objective = trials.attempt(next.weights);
      if (next.objective >= at.objective) continue;
      at = std::move(next);
      break;
    }
  }
}

}  // namespace

void search_guided(const SearchSpace& space, WeightSampler& sampler, Trials& trials) {
  std::vector<Tried> seeds{{trials.best().weights, trials.best().objective}};
  for (std::uint64_t s = 0; s < space.options.guided_seeds && !trials.ended(); ++s) {
    Tried seed{sampler.draw(), 0.0};
    seed.objective = trials.attempt(seed.weights);
    seeds.push_back(std::move(seed));
  }
  std::stable_sort(seeds.begin(), seeds.end(), [](const Tried& a, const Tried& b) {
    return a.objective < b.objective;
  });
  seeds.resize(std::min<std::size_t>(seeds.size(), space.options.guided_explored));
  constexpr double kFarAround = 4.0;  // about the distance of two random points
  for (Tried& seed : seeds) explore(space.domain, kFarAround, seed, trials);
  Tried best{trials.best().weights, trials.best().objective};
  // Half as far in logarithms each time; what is nearer no metric can tell apart.
  for (const double factor : {2.0, 1.4, 1.2}) explore(space.domain, factor, best, trials);
}

}  // namespace sorites
