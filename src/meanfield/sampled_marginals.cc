#include "meanfield/sampled_marginals.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "base/thread_pool.h"
#include "meanfield/clause_state.h"
#include "meanfield/sample_sat.h"
#include "meanfield/slice_parts.h"

namespace sorites {
namespace {

// 40 means of 4 chains give an error to a tenth of itself.
constexpr std::size_t kBatchesPerChain = 10;

// Sums over batches of the share of samples in which an atom has a value.
struct Sums {
  std::vector<std::vector<double>> of_means, of_squares;  // per atom and value
  std::size_t num_batches = 0;
  std::uint64_t num_samples = 0;
  bool possible = true, stopped = false;
};

std::vector<std::vector<double>> zeros(const GroundNetwork& network) {
  std::vector<std::vector<double>> result;
  for (const GroundAtom& atom : network.atoms) result.emplace_back(atom.potentials.size(), 0.0);
  return result;
}

class Chain {
 public:
  Chain(const GroundNetwork& network,
        const SamplingOptions& options,
        std::size_t number,
        std::chrono::steady_clock::time_point start)
      : network_(network), options_(options), start_(start), state_(network), parts_(network) {
    std::seed_seq seeds{options.seed, static_cast<std::uint64_t>(number)};
    random_.seed(seeds);
  }

  Sums run() {
    Sums sums{zeros(network_), zeros(network_)};
    sums.possible = start();
    if (!sums.possible) return sums;
    const auto burn_in = static_cast<std::size_t>(
        std::ceil(options_.burn_in * static_cast<double>(options_.samples)));
    for (std::size_t i = 0; i < burn_in && !stops(); ++i) move();
    for (std::size_t b = 0; b < kBatchesPerChain; ++b) {
      const Part batch = part_of(options_.samples, kBatchesPerChain, b);
      auto counts = zeros(network_);
      for (std::size_t i = batch.begin; i < batch.end; ++i) {
        sums.stopped = stops();
        if (sums.stopped) return sums;
        move();
        for (std::uint32_t a = 0; a < counts.size(); ++a) counts[a][state_.value(a)] += 1.0;
      }
      if (batch.begin < batch.end) add(counts, batch.end - batch.begin, sums);
    }
    return sums;
  }

 private:
  bool stops() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return options_.stop.stop_requested() || elapsed.count() > options_.time_limit_seconds;
  }

  static void add(const std::vector<std::vector<double>>& counts, std::size_t size, Sums& sums) {
    for (std::size_t a = 0; a < counts.size(); ++a) {
      for (std::size_t v = 0; v < counts[a].size(); ++v) {
        const double mean = counts[a][v] / static_cast<double>(size);
        sums.of_means[a][v] += mean;
        sums.of_squares[a][v] += mean * mean;
      }
    }
    ++sums.num_batches;
    sums.num_samples += size;
  }

  // A random world; with hard clauses one that keeps them, if it can be found.
  bool start() {
    for (std::uint32_t a = 0; a < network_.atoms.size(); ++a) {
      state_.set(a, any_of(network_.atoms[a].possible, random_));
    }
    if (!options_.mc_sat) return true;
    task_.allowed.clear();
    task_.must_hold.clear();
    for (const GroundAtom& atom : network_.atoms) task_.allowed.push_back(atom.possible);
    for (const GroundClause& clause : network_.clauses) task_.must_hold.push_back(clause.hard);
    constexpr int kTries = 20;
    for (int i = 0; i < kTries && !stops(); ++i) {
      if (sample_sat(task_, state_, random_)) return true;
    }
    return false;
  }

  void move() { options_.mc_sat ? slice() : sweep(); }

  // Every atom in turn, given all others.
  void sweep() {
    for (std::uint32_t a = 0; a < network_.atoms.size(); ++a) {
      const GroundAtom& atom = network_.atoms[a];
      log_weights_ = atom.potentials;
      for (const ClauseState::Use& use : state_.uses(a)) {
        if (!state_.hangs_on(a, use)) continue;
        for (std::uint32_t v = 0; v < log_weights_.size(); ++v) {
          if (!ClauseState::holds(use, v)) log_weights_[v] -= network_.clauses[use.clause].weight;
        }
      }
      state_.set(a, draw(atom.possible));
    }
  }

  // One of the values, by its log-weight.
  std::uint32_t draw(ValueBits possible) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
    for (std::uint32_t v = 0; v < log_weights_.size(); ++v) {
      if ((possible >> v & 1) != 0) largest = std::max(largest, log_weights_[v]);
    }
    for (std::uint32_t v = 0; v < log_weights_.size(); ++v) {
      double& weight = log_weights_[v];
      weight = (possible >> v & 1) != 0 ? std::exp(weight - largest) : 0.0;
      sum += weight;
    }
    double rest = uniform_(random_) * sum;
    std::uint32_t last = 0;
    for (std::uint32_t v = 0; v < log_weights_.size(); ++v) {
      if (log_weights_[v] == 0.0) continue;
      last = v;
      rest -= log_weights_[v];
      if (rest < 0.0) break;
    }
    return last;
  }

  // A slice through the distribution at the present world, and a world of the slice: what holds
  // there with weight w must hold in the next with probability 1 - exp(-w).
  void slice() {
    for (std::uint32_t a = 0; a < network_.atoms.size(); ++a) {
      const GroundAtom& atom = network_.atoms[a];
      const double level = atom.potentials[state_.value(a)] + std::log(1.0 - uniform_(random_));
      task_.allowed[a] = 0;
      for (std::uint32_t v = 0; v < atom.potentials.size(); ++v) {
        const bool possible = (atom.possible >> v & 1) != 0;
        if (possible && atom.potentials[v] >= level) task_.allowed[a] |= ValueBits{1} << v;
      }
    }
    for (std::uint32_t c = 0; c < network_.clauses.size(); ++c) {
      const GroundClause& clause = network_.clauses[c];
      const bool fails = state_.fails(c),
                 kept = uniform_(random_) < -std::expm1(-std::abs(clause.weight));
      task_.must_hold[c] = clause.hard || (clause.weight > 0.0 && !fails && kept);
      if (clause.hard || clause.weight >= 0.0 || !fails || !kept) continue;
      // A clause of negative weight that fails is to fail again: so do all its literals.
      for (const GroundLiteral& literal : clause.literals) {
        task_.allowed[literal.atom] &= ~literal.holds;
      }
    }
    parts_.find(task_);
    if (parts_.has_large()) sample_sat(task_, state_, random_);
    parts_.draw(state_, random_);
  }

  const GroundNetwork& network_;
  const SamplingOptions& options_;
  std::chrono::steady_clock::time_point start_;  // of all chains
  ClauseState state_;
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{0.0, 1.0};
  std::vector<double> log_weights_;  // of the values of an atom
  SatTask task_;
  SliceParts parts_;
};

void add(const Sums& from, Sums& to) {
  for (std::size_t a = 0; a < to.of_means.size(); ++a) {
    for (std::size_t v = 0; v < to.of_means[a].size(); ++v) {
      to.of_means[a][v] += from.of_means[a][v];
      to.of_squares[a][v] += from.of_squares[a][v];
    }
  }
  to.num_batches += from.num_batches;
  to.num_samples += from.num_samples;
  to.stopped = to.stopped || from.stopped;
  to.possible = to.possible && from.possible;
}

}  // namespace

SampledMarginals sample_marginals(const GroundNetwork& network, const SamplingOptions& options) {
  const bool has_hard = std::any_of(network.clauses.begin(),
                                    network.clauses.end(),
                                    [](const GroundClause& clause) { return clause.hard; });
  if (has_hard && !options.mc_sat) {
    throw std::invalid_argument("sample_marginals: Gibbs sampling does not get past hard clauses");
  }
  const auto start = std::chrono::steady_clock::now();
  std::vector<Sums> of_chains(options.chains);
  ThreadPool(options.threads).for_each(options.chains, [&](std::size_t i) {
    of_chains[i] = Chain(network, options, i, start).run();
  });
  Sums all{zeros(network), zeros(network)};
  for (const Sums& sums : of_chains) add(sums, all);
  SampledMarginals result{all.of_means, all.of_squares, all.num_samples, all.possible, all.stopped};
  const auto count = static_cast<double>(all.num_batches);
  for (std::size_t a = 0; a < result.probabilities.size(); ++a) {
    for (std::size_t v = 0; v < result.probabilities[a].size(); ++v) {
      double& mean = result.probabilities[a][v];
      double& error = result.errors[a][v];
      mean /= std::max(count, 1.0);
      const double variance = std::max(error / std::max(count, 1.0) - mean * mean, 0.0);
      error = count > 1.0 ? std::sqrt(variance / (count - 1.0)) : 0.0;
    }
  }
  return result;
}

}  // namespace sorites
