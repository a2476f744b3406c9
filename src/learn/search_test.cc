#include "learn/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace sorites {
namespace {

using testing::ElementsAre;

constexpr LearnAlgorithm kSearches[] = {LearnAlgorithm::kGridSearch,
                                        LearnAlgorithm::kRandomGrid,
                                        LearnAlgorithm::kRandomSearch,
                                        LearnAlgorithm::kGuidedSearch,
                                        LearnAlgorithm::kHyperband,
                                        LearnAlgorithm::kGaussianProcess};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Try {
  std::vector<double> weights;
  double effort = 0.0;
  double objective = 0.0;

  bool operator==(const Try&) const = default;
};

struct Searched {
  SearchOutcome outcome;
  std::vector<Try> tries;
};

struct Settings {
  WeightDomain domain = WeightDomain::kMirrorSimplex;
  std::uint64_t seed = 4;
  std::size_t end = 0;  // the number of the point after which `step` says no; 0: never
};

Searched run(LearnAlgorithm algorithm,
             std::vector<double> start,
             const SearchOptions& options,
             const SearchObjective& objective,
             const Settings& settings = {}) {
  Searched result;
  result.outcome =
      search({algorithm, options, settings.domain, settings.seed},
             start,
             objective,
             [&](std::span<const double> weights, double effort, double value) {
               result.tries.push_back({{weights.begin(), weights.end()}, effort, value});
               return settings.end == 0 || result.tries.size() < settings.end;
             });
  return result;
}

// Smallest, 0, where the weights are as the target; a smooth bowl in their logarithms.
SearchObjective log_bowl(std::vector<double> target) {
  return [target](std::span<const double> weights, double) {
    double sum = 0.0;
    for (std::size_t i = 0; i < target.size(); ++i) {
      const double distance = std::log((weights[i] + 1e-3) / (target[i] + 1e-3));
      sum += distance * distance;
    }
    return sum;
  };
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Search, TriesTheStartFirstAtFullEffort) {
  for (const LearnAlgorithm algorithm : kSearches) {
    const Searched got = run(algorithm, {1.0, 3.0}, {}, log_bowl({0.5, 0.5}));
    EXPECT_THAT(got.tries.at(0).weights, ElementsAre(0.25, 0.75)) << name_of(algorithm);
    EXPECT_EQ(got.tries.at(0).effort, 1.0);
    EXPECT_TRUE(got.outcome.complete);
  }
}

TEST(Search, ComesCloseToKnownOptima) {
  const std::vector<double> target = {0.7, 0.2, 0.1};
  for (const WeightDomain domain : {WeightDomain::kMirrorSimplex, WeightDomain::kNonNegative}) {
    for (const LearnAlgorithm algorithm : kSearches) {
      const Searched got = run(algorithm,
                               {0.05, 0.05, 0.9},
                               {.max_points = 300, .gp_candidates = 200},
                               log_bowl(target),
                               {domain});
      EXPECT_LT(got.outcome.objective, 2.0) << name_of(algorithm);
      EXPECT_EQ(got.outcome.objective, log_bowl(target)(got.outcome.weights, 1.0));
    }
  }
}

TEST(Search, FindsAnOptimumThatIsOnTheGrid) {
  const std::vector<double> target = {1.0 / 11.01, 10.0 / 11.01, 0.01 / 11.01};
  for (const LearnAlgorithm algorithm :
       {LearnAlgorithm::kGridSearch, LearnAlgorithm::kRandomGrid}) {
    const Searched got = run(algorithm, {1.0, 1.0, 1.0}, {.max_points = 200}, log_bowl(target));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got.outcome.weights[i], target[i], 1e-12);
  }
}

TEST(Search, GuidedPointsEndNearerTheOptimumThanRandomOnes) {
  const SearchObjective objective = log_bowl({0.6, 0.25, 0.1, 0.05});
  const Searched guided = run(LearnAlgorithm::kGuidedSearch, {1, 1, 1, 1}, {}, objective);
  const Searched random = run(
      LearnAlgorithm::kRandomSearch, {1, 1, 1, 1}, {.max_points = guided.tries.size()}, objective);
  EXPECT_LT(guided.outcome.objective, 0.02);
  EXPECT_LT(guided.outcome.objective, random.outcome.objective);
}

TEST(Search, DependsOnTheSeedAndOnNothingElse) {
  const SearchObjective objective = log_bowl({0.2, 0.3, 0.5});
  for (const LearnAlgorithm algorithm : kSearches) {
    const auto tries = [&](std::uint64_t seed) {
      return run(algorithm, {1, 1, 1}, {}, objective, {WeightDomain::kProjectedSimplex, seed})
          .tries;
    };
    EXPECT_EQ(tries(1), tries(1)) << name_of(algorithm);
    if (algorithm != LearnAlgorithm::kGridSearch) {
      EXPECT_NE(tries(1), tries(2));
    }
  }
}

TEST(Search, EndsWhenTheStepSaysSo) {
  for (const LearnAlgorithm algorithm : kSearches) {
    for (const std::size_t end : {1, 7}) {
      const Searched got = run(algorithm, {1, 1}, {}, log_bowl({0.1, 0.9}), {.end = end});
      EXPECT_EQ(got.tries.size(), end) << name_of(algorithm);
      EXPECT_FALSE(got.outcome.complete);
    }
  }
}

TEST(Search, TriesNoMorePointsThanAllowed) {
  for (const LearnAlgorithm algorithm : kSearches) {
    const Searched got =
        run(algorithm, std::vector<double>(40, 1.0), {.max_points = 12}, [](auto weights, double) {
          return weights[0];
        });
    EXPECT_EQ(got.tries.size(), 12U) << name_of(algorithm);
    EXPECT_TRUE(got.outcome.complete);
  }
}

TEST(Search, CountsObjectivesThatAreNotFiniteAsTheWorst) {
  for (const LearnAlgorithm algorithm : kSearches) {
    int calls = 0;
    const auto objective = [&](std::span<const double> weights, double) {
      constexpr double kStrange[] = {NAN, INFINITY, -INFINITY};
      return ++calls % 4 == 0 ? weights[0] : kStrange[calls % 4 - 1];
    };
    const Searched got = run(algorithm, {1, 1}, {}, objective);
    EXPECT_TRUE(std::isfinite(got.outcome.objective)) << name_of(algorithm);
    EXPECT_EQ(got.outcome.objective, got.outcome.weights[0]);
    EXPECT_EQ(got.tries[0].objective, kInfinity);
  }
}

TEST(Search, KeepsTheStartIfNothingIsFinite) {
  for (const LearnAlgorithm algorithm : kSearches) {
    const Searched got = run(algorithm, {1, 3}, {}, [](auto, double) { return NAN; });
    EXPECT_THAT(got.outcome.weights, ElementsAre(0.25, 0.75)) << name_of(algorithm);
    EXPECT_EQ(got.outcome.objective, kInfinity);
  }
}

TEST(Search, HasOnePointOnlyIfOneWeightIsOnASimplex) {
  for (const LearnAlgorithm algorithm : kSearches) {
    EXPECT_EQ(run(algorithm, {5.0}, {}, log_bowl({1.0})).tries.size(), 1U) << name_of(algorithm);
    EXPECT_GT(run(algorithm, {5.0}, {}, log_bowl({1.0}), {WeightDomain::kNonNegative}).tries.size(),
              1U);
  }
}

TEST(GridSearch, CoversAllCombinationsOnce) {
  for (const LearnAlgorithm algorithm :
       {LearnAlgorithm::kGridSearch, LearnAlgorithm::kRandomGrid}) {
    const SearchOptions options{.grid = {0.0, 1.0, 2.0}, .max_points = 1000};
    Searched got = run(algorithm, {1, 2}, options, log_bowl({0, 0}), {WeightDomain::kNonNegative});
    std::vector<std::vector<double>> points;
    for (const Try& attempt : got.tries) points.push_back(attempt.weights);
    std::sort(points.begin(), points.end());
    const std::vector<std::vector<double>> all = {
        {0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    EXPECT_EQ(points, all) << name_of(algorithm);
  }
}

TEST(GridSearch, TriesPointsThatAreEqualUpToScaleOnce) {
  for (const LearnAlgorithm algorithm :
       {LearnAlgorithm::kGridSearch, LearnAlgorithm::kRandomGrid}) {
    // Of 5^3 points, those whose weights are all above 0.001 stand for smaller ones: 5^3 - 4^3.
    const Searched got = run(algorithm, {10, 10, 10}, {.max_points = 1000}, log_bowl({1, 0, 0}));
    EXPECT_EQ(got.tries.size(), 61U) << name_of(algorithm);
    for (std::size_t i = 0; i < got.tries.size(); ++i) {
      EXPECT_NEAR(sum_of(got.tries[i].weights), 1.0, 1e-12);
      for (std::size_t j = 0; j < i; ++j) {
        double difference = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
          difference += std::abs(got.tries[i].weights[k] - got.tries[j].weights[k]);
        }
        EXPECT_GT(difference, 1e-6);
      }
    }
  }
}

TEST(GridSearch, HasNoPointOfZeroesOnASimplex) {
  const Searched got = run(LearnAlgorithm::kGridSearch, {1, 1}, {.grid = {0, 1}}, log_bowl({1, 0}));
  EXPECT_EQ(got.tries.size(), 3U);
  for (const Try& attempt : got.tries) EXPECT_EQ(sum_of(attempt.weights), 1.0);
}

TEST(Hyperband, SpendsAsMuchOnEveryBracketAndEndsAtFullEffort) {
  const Searched got = run(LearnAlgorithm::kHyperband,
                           {1, 1},
                           {.hyperband_base = 12, .hyperband_brackets = 2, .hyperband_survival = 4},
                           log_bowl({0.3, 0.7}));
  // 24 points at a quarter of the effort, 6 of them at full; then 12 at full effort.
  const auto at_full = std::count_if(
      got.tries.begin(), got.tries.end(), [](const Try& attempt) { return attempt.effort == 1.0; });
  EXPECT_EQ(got.tries.size(), 1U + 24 + 6 + 12);
  EXPECT_EQ(at_full, 1 + 6 + 12);
  std::vector<Try> rough(got.tries.begin() + 1, got.tries.begin() + 25);
  std::sort(rough.begin(), rough.end(), [](const Try& a, const Try& b) {
    return a.objective < b.objective;
  });
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(got.tries[25 + i].weights, rough[i].weights);
}

TEST(Hyperband, GivesBackOnlyWhatWasTriedAtFullEffort) {
  const auto objective = [](std::span<const double> weights, double effort) {
    return effort < 1.0 ? -1e9 : weights[0];
  };
  const Searched got = run(LearnAlgorithm::kHyperband, {1, 1}, {}, objective);
  EXPECT_EQ(got.outcome.objective, got.outcome.weights[0]);
}

double median_of_seeds(LearnAlgorithm algorithm, const SearchObjective& objective) {
  std::vector<double> found;
  for (std::uint64_t seed = 0; seed < 15; ++seed) {
    found.push_back(run(algorithm, {1, 1, 1, 1}, {.max_points = 30}, objective, {.seed = seed})
                        .outcome.objective);
  }
  std::nth_element(found.begin(), found.begin() + 7, found.end());
  return found[7];
}

TEST(GaussianProcessSearch, BeatsRandomSearchOnSmoothObjectives) {
  const auto squares = [](std::span<const double> weights, double) {
    return std::pow(weights[0] - 0.5, 2) + std::pow(weights[1] - 0.1, 2) +
           std::pow(weights[2] - 0.3, 2);
  };
  for (const SearchObjective& objective : {log_bowl({0.6, 0.2, 0.15, 0.05}),
                                           log_bowl({0.1, 0.1, 0.4, 0.4}),
                                           SearchObjective(squares)}) {
    const double guided = median_of_seeds(LearnAlgorithm::kGaussianProcess, objective);
    const double random = median_of_seeds(LearnAlgorithm::kRandomSearch, objective);
    EXPECT_LT(guided, 0.8 * random) << guided << " against " << random;
  }
}

TEST(Search, RefusesWhatItCannotDo) {
  const auto refuses =
      [](LearnAlgorithm algorithm, std::vector<double> start, const SearchOptions& options) {
        EXPECT_THROW(run(algorithm, start, options, log_bowl(start)), std::invalid_argument);
      };
  const LearnAlgorithm grid = LearnAlgorithm::kGridSearch;
  refuses(LearnAlgorithm::kGradient, {1}, {});
  refuses(LearnAlgorithm::kBilevel, {1}, {});
  refuses(grid, {}, {});
  refuses(grid, {0, 0}, {});
  refuses(grid, {1, -1}, {});
  refuses(grid, {1, NAN}, {});
  refuses(grid, {1, 1}, {.grid = {}});
  refuses(grid, {1, 1}, {.grid = {0}});
  refuses(grid, {1, 1}, {.grid = {1, -2}});
  refuses(grid, {1, 1}, {.dirichlet_alpha = 0});
  refuses(grid, {1, 1}, {.hyperband_survival = 1});
  refuses(grid, {1, 1}, {.hyperband_brackets = 60});
  refuses(grid, {1, 1}, {.gp_scale = 0});
  refuses(grid, {1, 1}, {.gp_candidates = 0});
}

}  // namespace
}  // namespace sorites
