#include "learn/search.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "learn/learning.h"
#include "learn/searches.h"

namespace sorites {
namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("search: " + what);
}

bool is_weight(double value) { return std::isfinite(value) && value >= 0.0; }
bool is_positive(double value) { return std::isfinite(value) && value > 0.0; }

void check_start(std::span<const double> start, WeightDomain domain) {
  require(!start.empty(), "there is no weight to learn");
  require(std::all_of(start.begin(), start.end(), is_weight),
          "weights to start from must be finite and not negative");
  require(!is_simplex(domain) || std::any_of(start.begin(), start.end(), is_positive),
          "one of the weights to start from must be positive");
}

void check_hyperband(const SearchOptions& options) {
  require(options.hyperband_base >= 1, "hyperband_base must be at least 1");
  require(options.hyperband_brackets >= 1, "hyperband_brackets must be at least 1");
  require(options.hyperband_survival >= 2, "hyperband_survival must be at least 2");
  require(!has_too_many_points(options),
          "hyperband_base, hyperband_brackets and hyperband_survival ask for too many points");
}

void check_options(const SearchOptions& options) {
  require(std::all_of(options.grid.begin(), options.grid.end(), is_weight),
          "grid must hold finite weights that are not negative");
  require(std::any_of(options.grid.begin(), options.grid.end(), is_positive),
          "grid must hold a positive weight");
  require(is_positive(options.dirichlet_alpha), "dirichlet_alpha must be positive");
  check_hyperband(options);
  require(is_weight(options.gp_explore), "gp_explore must be finite and not negative");
  require(is_positive(options.gp_scale), "gp_scale must be positive");
  require(options.gp_candidates >= 1, "gp_candidates must be at least 1");
}

// How many points are tried if the options do not say: 0 where the algorithm has its own end.
std::uint64_t default_points(LearnAlgorithm algorithm) {
  switch (algorithm) {
    case LearnAlgorithm::kRandomGrid:
      return 150;  // these three: as PSL's randomgridsearch.maxlocations and its likes
    case LearnAlgorithm::kRandomSearch:
      return 250;
    case LearnAlgorithm::kGaussianProcess:
      return 25;
    case LearnAlgorithm::kGridSearch:
    case LearnAlgorithm::kGuidedSearch:
    case LearnAlgorithm::kHyperband:
      return 0;
    case LearnAlgorithm::kGradient:
    case LearnAlgorithm::kBilevel:
    case LearnAlgorithm::kGradientFollowing:
    case LearnAlgorithm::kPolicy:
      break;
  }
  throw std::invalid_argument("search: " + std::string(name_of(algorithm)) + " is no search");
}

void run(LearnAlgorithm algorithm,
         const SearchSpace& space,
         WeightSampler& sampler,
         Trials& trials) {
  switch (algorithm) {
    case LearnAlgorithm::kGridSearch:
      return search_grid(space, trials);
    case LearnAlgorithm::kRandomGrid:
      return search_random_grid(space, sampler, trials);
    case LearnAlgorithm::kRandomSearch:
      while (!trials.ended()) trials.attempt(sampler.draw());
      return;
    case LearnAlgorithm::kGuidedSearch:
      return search_guided(space, sampler, trials);
    case LearnAlgorithm::kHyperband:
      return search_hyperband(space, sampler, trials);
    case LearnAlgorithm::kGaussianProcess:
      return search_gaussian_process(space, sampler, trials);
    case LearnAlgorithm::kGradient:
    case LearnAlgorithm::kBilevel:
    case LearnAlgorithm::kGradientFollowing:
    case LearnAlgorithm::kPolicy:
      return;  // refused before
  }
}

}  // namespace

bool has_too_many_points(const SearchOptions& options) {
  constexpr double kMostPoints = 1e7;  // that are kept in memory
  return static_cast<double>(options.hyperband_base) *
             std::pow(static_cast<double>(options.hyperband_survival),
                      static_cast<double>(options.hyperband_brackets) - 1.0) >
         kMostPoints;
}

SearchOutcome search(const SearchSettings& settings,
                     std::span<const double> start,
                     const SearchObjective& objective,
                     const SearchStep& step) {
  const auto& [algorithm, options, domain, seed] = settings;
  const std::uint64_t own_end = default_points(algorithm);
  check_start(start, domain);
  check_options(options);
  std::vector<double> first(start.begin(), start.end());
  move_into_domain(domain, first);
  Trials trials(objective, step, options.max_points > 0 ? options.max_points : own_end);
  trials.attempt(first);
  const bool has_others = first.size() > 1 || !is_simplex(domain);
  if (has_others && !trials.ended()) {
    WeightSampler sampler(first, options, domain, seed);
    run(algorithm, {first, options, domain}, sampler, trials);
  }
  return std::move(trials).outcome();
}

}  // namespace sorites
