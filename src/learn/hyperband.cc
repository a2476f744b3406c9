// L. Li, K. Jamieson, G. DeSalvo, A. Rostamizadeh, A. Talwalkar, "Hyperband: A Novel Bandit-Based
// Approach to Hyperparameter Optimization", 2018, algorithm 1.
//
// Bracket s starts with base eta^s / (s + 1) points at effort eta^-s, one of eta = `survival` goes
// on, with eta times the effort. So every bracket costs as much as `base` points at effort 1.
#include <algorithm>
#include <cmath>

#include "learn/searches.h"

namespace sorites {
namespace {

struct Contender {
  std::vector<double> weights;
  double objective = 0.0;
};

void keep_best(std::size_t count, std::vector<Contender>& contenders) {
  std::stable_sort(
      contenders.begin(), contenders.end(), [](const Contender& a, const Contender& b) {
        return a.objective < b.objective;
      });
  contenders.resize(std::min(contenders.size(), count));
}

void run_bracket(std::uint64_t bracket,
                 const SearchOptions& options,
                 WeightSampler& sampler,
                 Trials& trials) {
  const auto survival = static_cast<double>(options.hyperband_survival);
  const auto rounds = static_cast<double>(bracket);
  const auto count = static_cast<std::size_t>(std::ceil(
      static_cast<double>(options.hyperband_base) * std::pow(survival, rounds) / (rounds + 1.0)));
  std::vector<Contender> contenders(count);
  for (Contender& contender : contenders) contender.weights = sampler.draw();
  for (std::uint64_t round = 0; round <= bracket; ++round) {
    const double effort = std::pow(survival, -static_cast<double>(bracket - round));
    for (Contender& contender : contenders) {
      if (trials.ended()) return;
      contender.objective = trials.attempt(contender.weights, effort);
    }
    keep_best(std::max<std::size_t>(1, contenders.size() / options.hyperband_survival), contenders);
  }
}

}  // namespace

void search_hyperband(const SearchSpace& space, WeightSampler& sampler, Trials& trials) {
  for (std::uint64_t bracket = space.options.hyperband_brackets; bracket-- > 0;) {
    run_bracket(bracket, space.options, sampler, trials);
  }
}

}  // namespace sorites
