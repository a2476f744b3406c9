// Each point is the one of many random ones whose value may be best: N. Srinivas, A. Krause,
// S. Kakade, M. Seeger, "Gaussian Process Optimization in the Bandit Setting", 2010 (GP-UCB; here
// the smallest lower confidence bound, since objectives are minimised).
#include <cmath>

#include "learn/gaussian_process.h"
#include "learn/learning.h"
#include "learn/searches.h"

namespace sorites {
namespace {

// What a state depends on are ratios of weights: the process sees logarithms. Weights that are a
// hundredth of the others act no more.
std::vector<double> features_of(std::span<const double> weights, WeightDomain domain) {
  constexpr double kNegligible = 1e-2;
  const double floor =
      is_simplex(domain) ? kNegligible / static_cast<double>(weights.size()) : kNegligible;
  std::vector<double> features;
  features.reserve(weights.size());
  for (const double weight : weights) features.push_back(std::log(weight + floor));
  return features;
}

// Half of them from anywhere, half around the best so far.
std::vector<std::vector<double>> draw_candidates(const SearchSpace& space,
                                                 std::span<const double> best,
                                                 WeightSampler& sampler) {
  constexpr double kSpreads[] = {0.1, 0.5};  // of logarithms: a tenth, and by half as much again
  std::vector<std::vector<double>> candidates;
  for (std::uint64_t c = 0; c < space.options.gp_candidates; ++c) {
    candidates.push_back(c % 2 == 0 ? sampler.draw()
                                    : sampler.draw_near(best, kSpreads[c / 2 % 2]));
  }
  return candidates;
}

std::size_t most_promising(const SearchSpace& space,
                           const GaussianProcess& process,
                           const std::vector<std::vector<double>>& candidates) {
  Eigen::MatrixXd points(static_cast<Eigen::Index>(space.start.size()),
                         static_cast<Eigen::Index>(candidates.size()));
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const std::vector<double> features = features_of(candidates[c], space.domain);
    points.col(static_cast<Eigen::Index>(c)) =
        Eigen::Map<const Eigen::VectorXd>(features.data(), points.rows());
  }
  const GaussianProcess::Prediction prediction = process.predict(points);
  Eigen::Index best = 0;
  (prediction.mean - space.options.gp_explore * prediction.deviation).minCoeff(&best);
  return static_cast<std::size_t>(best);
}

}  // namespace

void search_gaussian_process(const SearchSpace& space, WeightSampler& sampler, Trials& trials) {
  GaussianProcess process(space.start.size(), space.options.gp_scale);
  process.observe(features_of(space.start, space.domain), trials.best().objective);
  while (!trials.ended()) {
    const auto candidates = draw_candidates(space, trials.best().weights, sampler);
    const std::vector<double>& chosen = candidates[most_promising(space, process, candidates)];
    const double value = trials.attempt(chosen);
    process.observe(features_of(chosen, space.domain), value);
  }
}

}  // namespace sorites
