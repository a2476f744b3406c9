#include "meanfield/exact_marginals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <set>
#include <utility>

namespace sorites {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// log(exp(a) + exp(b))
double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kImpossible ? a : a + std::log1p(std::exp(b - a));
}

// Goes through all combinations of values, the first running fastest, and keeps an index that each
// value moves by its stride.
class States {
 public:
  States(std::vector<std::size_t> sizes, std::vector<std::size_t> strides)
      : sizes_(std::move(sizes)), strides_(std::move(strides)), values_(sizes_.size(), 0) {}

  std::size_t index() const { return index_; }
  const std::vector<std::size_t>& values() const { return values_; }
  void next() {
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      index_ += strides_[k];
      if (++values_[k] < sizes_[k]) return;
      index_ -= strides_[k] * sizes_[k];
      values_[k] = 0;
    }
  }

 private:
  std::vector<std::size_t> sizes_, strides_, values_;
  std::size_t index_ = 0;
};

}  // namespace

JunctionTree::JunctionTree(const GroundNetwork& network, ExactLimits limits)
    : network_(network), limits_(std::move(limits)), position_(network.atoms.size()) {
  plan();
  if (fits()) place_clauses();
}

// The atom whose clique has the fewest states is next (Kjaerulff 1990, "minimum weight").
void JunctionTree::plan() {
  std::vector<std::set<std::uint32_t>> neighbours(network_.atoms.size());
  for (const GroundClause& clause : network_.clauses) {
    for (const GroundLiteral& a : clause.literals) {
      for (const GroundLiteral& b : clause.literals) {
        if (a.atom != b.atom) neighbours[a.atom].insert(b.atom);
      }
    }
  }
  const auto log_states = [&](std::uint32_t atom) {
    double sum = std::log2(static_cast<double>(num_values(atom)));
    for (const std::uint32_t other : neighbours[atom]) {
      sum += std::log2(static_cast<double>(num_values(other)));
    }
    return sum;
  };
  using Candidate = std::pair<double, std::uint32_t>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  for (std::uint32_t atom = 0; atom < neighbours.size(); ++atom)
    queue.emplace(log_states(atom), atom);
  std::vector<bool> done(neighbours.size(), false);
  while (!queue.empty() && fits()) {
    const auto [cost, atom] = queue.top();
    queue.pop();
    if (done[atom] || cost != log_states(atom)) continue;  // it changed, and is there anew
    done[atom] = true;
    position_[atom] = cliques_.size();
    Clique& clique = cliques_.emplace_back();
    clique.atoms = {atom};
    clique.atoms.insert(clique.atoms.end(), neighbours[atom].begin(), neighbours[atom].end());
    size_.largest_clique = std::max(size_.largest_clique, clique.atoms.size());
    size_.states += std::exp2(cost);
    for (const std::uint32_t a : neighbours[atom]) {
      neighbours[a].insert(neighbours[atom].begin(), neighbours[atom].end());
      neighbours[a].erase(a);
      neighbours[a].erase(atom);
    }
    for (const std::uint32_t a : neighbours[atom]) queue.emplace(log_states(a), a);
  }
}

void JunctionTree::place_clauses() {
  for (std::size_t c = 0; c < cliques_.size(); ++c) {
    cliques_[c].parent = c;
    std::size_t first = cliques_.size();
    for (std::size_t k = 1; k < cliques_[c].atoms.size(); ++k) {
      first = std::min(first, position_[cliques_[c].atoms[k]]);
    }
    if (first < cliques_.size()) cliques_[c].parent = first;
  }
  for (std::size_t i = 0; i < network_.clauses.size(); ++i) {
    std::size_t first = cliques_.size();
    for (const GroundLiteral& literal : network_.clauses[i].literals) {
      first = std::min(first, position_[literal.atom]);
    }
    cliques_[first].clauses.push_back(i);
  }
}

std::size_t JunctionTree::num_states(const Clique& clique) const {
  std::size_t count = 1;
  for (const std::uint32_t atom : clique.atoms) count *= num_values(atom);
  return count;
}

std::vector<std::size_t> JunctionTree::strides_in(const Clique& clique,
                                                  std::span<const std::uint32_t> atoms) const {
  std::vector<std::size_t> strides;
  for (const std::uint32_t atom : clique.atoms) {
    std::size_t stride = 1, found = 0;
    for (const std::uint32_t other : atoms) {
      if (other == atom) found = stride;
      stride *= num_values(other);
    }
    strides.push_back(found);
  }
  return strides;
}

// The potential of its own atom, and its clauses.
void JunctionTree::add_own(Clique& clique) const {
  const GroundAtom& own = network_.atoms[clique.atoms[0]];
  std::vector<double> potentials = own.potentials;
  for (std::size_t v = 0; v < potentials.size(); ++v) {
    if ((own.possible >> v & 1) == 0) potentials[v] = kImpossible;
  }
  add_to(clique, std::span(clique.atoms).first(1), potentials, clique.table);
  for (const std::size_t i : clique.clauses) {
    const GroundClause& clause = network_.clauses[i];
    const double cost = clause.hard ? kImpossible : -clause.weight;
    std::vector<std::uint32_t> atoms;
    std::vector<std::size_t> sizes;
    std::size_t count = 1;
    for (const GroundLiteral& literal : clause.literals) {
      atoms.push_back(literal.atom);
      sizes.push_back(num_values(literal.atom));
      count *= sizes.back();
    }
    std::vector<double> costs(count);
    States states(sizes, std::vector<std::size_t>(sizes.size(), 0));
    for (double& number : costs) {
      bool holds = false;
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        holds = holds || (clause.literals[k].holds >> states.values()[k] & 1) != 0;
      }
      number = holds ? 0.0 : cost;
      states.next();
    }
    add_to(clique, atoms, costs, clique.table);
  }
}

// Adds numbers over some of the clique's atoms to a table over all of them.
void JunctionTree::add_to(const Clique& clique,
                          std::span<const std::uint32_t> atoms,
                          const std::vector<double>& numbers,
                          std::vector<double>& table) const {
  std::vector<std::size_t> sizes;
  for (const std::uint32_t atom : clique.atoms) sizes.push_back(num_values(atom));
  States states(sizes, strides_in(clique, atoms));
  for (double& number : table) {
    number += numbers[states.index()];
    states.next();
  }
}

// The logarithm of sums of exp(table) over all atoms but these.
std::vector<double> JunctionTree::sum_over(const Clique& clique,
                                           std::span<const std::uint32_t> kept) const {
  std::size_t count = 1;
  for (const std::uint32_t atom : kept) count *= num_values(atom);
  std::vector<std::size_t> sizes;
  for (const std::uint32_t atom : clique.atoms) sizes.push_back(num_values(atom));
  std::vector<double> sums(count, kImpossible);
  States states(sizes, strides_in(clique, kept));
  for (const double number : clique.table) {
    double& sum = sums[states.index()];
    sum = log_add(sum, number);
    states.next();
  }
  return sums;
}

ExactMarginals JunctionTree::marginals() {
  ExactMarginals result;
  for (Clique& clique : cliques_) clique.table.assign(num_states(clique), 0.0);
  for (std::size_t c = 0; c < cliques_.size(); ++c) {
    result.stopped = limits_.stop.stop_requested();
    if (result.stopped) return result;
    Clique& clique = cliques_[c];
    const auto others = std::span(clique.atoms).subspan(1);
    add_own(clique);
    clique.message = sum_over(clique, others);
    if (clique.parent == c) {
      result.log_partition += clique.message[0];
    } else {
      add_to(cliques_[clique.parent], others, clique.message, cliques_[clique.parent].table);
    }
  }
  result.possible = result.log_partition > kImpossible;
  if (!result.possible) return result;
  result.probabilities.resize(cliques_.size());
  for (std::size_t c = cliques_.size(); c-- > 0;) {
    Clique& clique = cliques_[c];
    const auto others = std::span(clique.atoms).subspan(1);
    if (clique.parent != c) {
      // What the parent knows without this clique; where nothing is possible it stays so.
      std::vector<double> down = sum_over(cliques_[clique.parent], others);
      for (std::size_t i = 0; i < down.size(); ++i) {
        down[i] = down[i] == kImpossible ? kImpossible : down[i] - clique.message[i];
      }
      add_to(clique, others, down, clique.table);
    }
    const std::vector<double> logs = sum_over(clique, std::span(clique.atoms).first(1));
    double all = kImpossible;
    for (const double number : logs) all = log_add(all, number);
    for (const double number : logs) {
      result.probabilities[clique.atoms[0]].push_back(std::exp(number - all));
    }
  }
  return result;
}

}  // namespace sorites
