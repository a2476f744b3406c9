// The searches that search.cc chooses from. Each goes on after the start, which has been tried.
#pragma once

#include <span>

#include "learn/trials.h"
#include "learn/weight_sampler.h"

namespace sorites {

struct SearchSpace {
  std::span<const double> start;  // in the domain
  const SearchOptions& options;
  WeightDomain domain;
};

void search_grid(const SearchSpace& space, Trials& trials);
void search_random_grid(const SearchSpace& space, WeightSampler& sampler, Trials& trials);
void search_guided(const SearchSpace& space, WeightSampler& sampler, Trials& trials);
void search_hyperband(const SearchSpace& space, WeightSampler& sampler, Trials& trials);
void search_gaussian_process(const SearchSpace& space, WeightSampler& sampler, Trials& trials);

}  // namespace sorites
