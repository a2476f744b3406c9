// Random weights. The same seed gives the same weights on every machine: only the bits of the
// generator come from the standard library, whose distributions differ from one to another.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "sorites/learn.h"

namespace sorites {

// Divides by the sum in the domains that are simplices.
void move_into_domain(WeightDomain domain, std::span<double> weights);

// Draws weights of a domain. A Dirichlet draw that is not on a simplex has the sum of the start,
// since a common factor changes no state.
class WeightSampler {
 public:
  // `start` is in the domain. Options must be valid (search.cc).
  WeightSampler(std::span<const double> start,
                const SearchOptions& options,
                WeightDomain domain,
                std::uint64_t seed);

  // From a symmetric Dirichlet distribution; or each weight alone, its logarithm uniform between
  // those of the smallest and largest of the grid.
  std::vector<double> draw();

  // Around a point: every weight times a factor whose logarithm has this standard deviation.
  std::vector<double> draw_near(std::span<const double> point, double spread);

  std::uint64_t below(std::uint64_t end);  // a whole number in [0, end)

 private:
  double uniform();  // in (0, 1)
  double normal();
  double log_gamma_variate(double shape);

  std::mt19937_64 generator_;
  WeightDomain domain_;
  std::size_t num_weights_;
  double total_;  // of a Dirichlet draw
  bool dirichlet_;
  double alpha_;
  double log_low_, log_high_;
};

}  // namespace sorites
