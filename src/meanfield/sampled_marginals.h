// Marginals of a ground Markov network by samples: Gibbs sampling (Geman and Geman 1984), or MC-SAT
// (Poon and Domingos 2006), which also gets from one side of hard formulas to the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

#include "meanfield/ground_network.h"

namespace sorites {

struct SamplingOptions {
  bool mc_sat = false;         // else Gibbs, which takes no hard clauses
  std::size_t samples = 2000;  // of each chain
  std::size_t chains = 4;
  // Samples of a chain that are thrown away first, since they hang on where it starts.
  double burn_in = 0.1;  // share of the samples, made besides them
  std::uint64_t seed = 0;
  unsigned threads = 0;                                                 // 0: one per core
  double time_limit_seconds = std::numeric_limits<double>::infinity();  // of all chains together
  std::stop_token stop;
};

struct SampledMarginals {
  // Per atom of the network and value. The error is the standard error of the mean, from means of
  // batches of all chains (Geyer 1992): it sees that samples hang together.
  std::vector<std::vector<double>> probabilities, errors;
  std::uint64_t num_samples = 0;
  bool possible = true;  // false: no world that keeps the hard clauses was found
  bool stopped = false;  // there are fewer samples than were asked for, or none
};

// The same seed gives the same samples, whatever the threads. Throws std::invalid_argument if Gibbs
// sampling is asked for where there are hard clauses.
SampledMarginals sample_marginals(const GroundNetwork& network, const SamplingOptions& options);

}  // namespace sorites
