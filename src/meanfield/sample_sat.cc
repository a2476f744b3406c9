#include "meanfield/sample_sat.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sorites {
namespace {

// Half of the moves mend a clause as WalkSAT does, half are simulated annealing at a low
// temperature (Wei et al. 2004; Poon and Domingos 2006); shares and temperature are those of
// Alchemy, the program of the second paper. Figures: docs/method/numbers.md.
constexpr double kShareOfAnnealing = 0.5;
constexpr double kTemperature = 0.1;
constexpr double kShareOfNoise = 0.5;            // of WalkSAT's moves
constexpr std::size_t kMovesPerAtom = 20;        // before a walk is given up
constexpr std::size_t kMovesAmongSolutions = 2;  // per atom

class Walk {
 public:
  Walk(const SatTask& task, ClauseState& state, std::mt19937_64& random)
      : task_(task), state_(state), random_(random), place_(task.must_hold.size(), kNowhere) {
    for (std::uint32_t c = 0; c < place_.size(); ++c) update(c);
  }

  bool run() {
    const std::size_t num_atoms = task_.allowed.size();
    std::vector<std::uint32_t> before(num_atoms);
    for (std::uint32_t i = 0; i < num_atoms; ++i) before[i] = state_.value(i);
    const bool kept_before = failing_.empty() && all_allowed();
    for (std::uint32_t i = 0; i < num_atoms; ++i) set(i, any_of(task_.allowed[i], random_));
    const std::size_t most = kMovesPerAtom * num_atoms + 1000;
    for (std::size_t move = 0; move < most && !failing_.empty(); ++move) {
      chance(kShareOfAnnealing) ? anneal() : mend();
    }
    if (!failing_.empty() && kept_before) {
      for (std::uint32_t i = 0; i < num_atoms; ++i) set(i, before[i]);
    }
    if (!failing_.empty()) return false;
    // Single moves that break nothing leave the even distribution over solutions as it is.
    for (std::size_t move = 0; move < kMovesAmongSolutions * num_atoms; ++move) {
      const std::uint32_t atom = any_atom(), value = any_of(task_.allowed[atom], random_);
      if (num_broken(atom, value) == 0) set(atom, value);
    }
    return true;
  }

 private:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  bool chance(double p) { return std::bernoulli_distribution(p)(random_); }
  std::uint32_t any_atom() {
    const auto last = static_cast<std::uint32_t>(task_.allowed.size() - 1);
    return std::uniform_int_distribution<std::uint32_t>(0, last)(random_);
  }
  bool all_allowed() const {
    for (std::uint32_t i = 0; i < task_.allowed.size(); ++i) {
      if ((task_.allowed[i] >> state_.value(i) & 1) == 0) return false;
    }
    return true;
  }

  // Keeps the list of clauses that must hold and fail.
  void update(std::uint32_t clause) {
    const bool fails = task_.must_hold[clause] && state_.fails(clause);
    if (fails == (place_[clause] != kNowhere)) return;
    if (fails) {
      place_[clause] = failing_.size();
      failing_.push_back(clause);
      return;
    }
    place_[failing_.back()] = place_[clause];
    failing_[place_[clause]] = failing_.back();
    failing_.pop_back();
    place_[clause] = kNowhere;
  }

  void set(std::uint32_t atom, std::uint32_t value) {
    if (value == state_.value(atom)) return;
    state_.set(atom, value);
    for (const ClauseState::Use& use : state_.uses(atom)) update(use.clause);
  }

  // Clauses that a move would make fail, and less those that it would mend.
  int num_broken(std::uint32_t atom, std::uint32_t value) const {
    int count = 0;
    for (const ClauseState::Use& use : state_.uses(atom)) {
      if (!task_.must_hold[use.clause] || !state_.hangs_on(atom, use)) continue;
      count += (ClauseState::holds(use, state_.value(atom)) ? 1 : 0) -
               (ClauseState::holds(use, value) ? 1 : 0);
    }
    return count;
  }

  void anneal() {
    const std::uint32_t atom = any_atom(), value = any_of(task_.allowed[atom], random_);
    const int broken = num_broken(atom, value);
    if (broken <= 0 || chance(std::exp(-broken / kTemperature))) set(atom, value);
  }

  void mend() {
    const auto last = failing_.size() - 1;
    const std::uint32_t clause =
        failing_[std::uniform_int_distribution<std::size_t>(0, last)(random_)];
    const bool noise = chance(kShareOfNoise);
    int fewest = std::numeric_limits<int>::max();
    std::uint32_t atom = 0, value = 0;
    std::size_t seen = 0;
    for (const GroundLiteral& literal : state_.network().clauses[clause].literals) {
      const ValueBits values = literal.holds & task_.allowed[literal.atom];
      if (values == 0) continue;
      const std::uint32_t to = any_of(values, random_);
      ++seen;
      const int broken = noise ? 0 : num_broken(literal.atom, to);
      const bool chosen = noise ? std::uniform_int_distribution<std::size_t>(1, seen)(random_) == 1
                                : broken < fewest;
      if (!chosen) continue;
      fewest = broken;
      atom = literal.atom;
      value = to;
    }
    if (seen > 0) set(atom, value);
  }

  const SatTask& task_;
  ClauseState& state_;
  std::mt19937_64& random_;
  std::vector<std::uint32_t> failing_;  // clauses
  std::vector<std::size_t> place_;      // per clause: in failing_
};

}  // namespace

bool sample_sat(const SatTask& task, ClauseState& state, std::mt19937_64& random) {
  if (task.allowed.empty()) return true;
  return Walk(task, state, random).run();
}

}  // namespace sorites
