// Exact marginals of a ground Markov network by its junction tree (Lauritzen and Spiegelhalter
// 1988): atoms are eliminated one by one, in an order that keeps cliques small; sums go up the tree
// of cliques and come down again. The price is exponential in the largest clique.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "meanfield/ground_network.h"

namespace sorites {

// What an exact answer takes.
struct JunctionTreeSize {
  std::size_t largest_clique = 0;  // atoms
  double states = 0.0;             // of all cliques together; each takes a number
};

struct ExactMarginals {
  std::vector<std::vector<double>> probabilities;  // per atom of the network and value
  double log_partition = 0.0;                      // without the constant of the network
  bool possible = true;  // false: no world keeps the hard clauses; there are no probabilities
  bool stopped = false;
};

struct ExactLimits {
  double max_states = 1 << 26;  // half a gigabyte, some seconds
  std::stop_token stop;
};

// The tree is planned once, and its size known before any sum.
class JunctionTree {
 public:
  // `network` must outlive it. Planning ends when max_states are passed: size() is what was seen.
  JunctionTree(const GroundNetwork& network, ExactLimits limits);

  const JunctionTreeSize& size() const { return size_; }
  bool fits() const { return size_.states <= limits_.max_states; }
  ExactMarginals marginals();  // fits() must hold

 private:
  // The atom that a clique is made for comes first, then those that are eliminated later.
  struct Clique {
    std::vector<std::uint32_t> atoms;
    std::size_t parent = 0;            // itself: it is a root
    std::vector<std::size_t> clauses;  // whose first eliminated atom is this clique's
    std::vector<double> table;         // logarithms; the first atom runs fastest
    std::vector<double> message;       // to the parent, over all atoms but the first
  };

  void plan();
  void place_clauses();
  std::size_t num_values(std::uint32_t atom) const {
    return network_.atoms[atom].potentials.size();
  }
  std::size_t num_states(const Clique& clique) const;
  // Per atom of `clique`: how far a step of its value goes in a table over `atoms`.
  std::vector<std::size_t> strides_in(const Clique& clique,
                                      std::span<const std::uint32_t> atoms) const;
  void add_own(Clique& clique) const;
  void add_to(const Clique& clique,
              std::span<const std::uint32_t> atoms,
              const std::vector<double>& numbers,
              std::vector<double>& table) const;
  std::vector<double> sum_over(const Clique& clique, std::span<const std::uint32_t> kept) const;

  const GroundNetwork& network_;
  ExactLimits limits_;
  JunctionTreeSize size_;
  std::vector<Clique> cliques_;        // in the order of elimination
  std::vector<std::size_t> position_;  // per atom: its clique
};

}  // namespace sorites
