#include "meanfield/slice_parts.h"

#include <algorithm>
#include <bit>

#include "base/joined_sets.h"

namespace sorites {
namespace {

// Possibilities of a small part: as many as a walk through a part of ten atoms makes moves.
constexpr std::uint64_t kMostWorlds = 256;

// All worlds of some atoms that keep some clauses; one of them is chosen, each as likely.
class Worlds {
 public:
  Worlds(const SatTask& task,
         const std::vector<std::uint32_t>& atoms,
         const std::vector<std::vector<std::uint32_t>>& clauses,
         ClauseState& state,
         std::mt19937_64& random)
      : task_(task), atoms_(atoms), clauses_(clauses), state_(state), random_(random) {}

  // Leaves the state in the chosen world, or as it was.
  void choose() {
    for (const std::uint32_t atom : atoms_) chosen_.push_back(state_.value(atom));
    go_through(0);
    for (std::size_t i = 0; i < atoms_.size(); ++i) state_.set(atoms_[i], chosen_[i]);
  }

 private:
  void go_through(std::size_t depth) {
    if (depth == atoms_.size()) return add();
    for (ValueBits left = task_.allowed[atoms_[depth]]; left != 0; left &= left - 1) {
      state_.set(atoms_[depth], static_cast<std::uint32_t>(std::countr_zero(left)));
      const auto& ended = clauses_[depth];
      const bool kept = std::none_of(
          ended.begin(), ended.end(), [&](std::uint32_t clause) { return state_.fails(clause); });
      if (kept) go_through(depth + 1);
    }
  }

  void add() {
    if (std::uniform_int_distribution<std::uint64_t>(0, count_++)(random_) > 0) return;
    for (std::size_t i = 0; i < atoms_.size(); ++i) chosen_[i] = state_.value(atoms_[i]);
  }

  const SatTask& task_;
  const std::vector<std::uint32_t>& atoms_;
  const std::vector<std::vector<std::uint32_t>>& clauses_;
  ClauseState& state_;
  std::mt19937_64& random_;
  std::vector<std::uint32_t> chosen_;
  std::uint64_t count_ = 0;
};

}  // namespace

SliceParts::SliceParts(const SatTask& task, const GroundNetwork& network) : task_(task) {
  connect(network);
}

bool SliceParts::can_fail(const GroundClause& clause) const {
  return std::none_of(
      clause.literals.begin(), clause.literals.end(), [&](const GroundLiteral& literal) {
        return (task_.allowed[literal.atom] & ~literal.holds) == 0;
      });
}

void SliceParts::connect(const GroundNetwork& network) {
  const auto num_atoms = static_cast<std::uint32_t>(task_.allowed.size());
  JoinedSets sets(num_atoms);
  const auto matters = [&](const GroundLiteral& literal) {
    return (task_.allowed[literal.atom] & literal.holds) != 0;
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> last_atoms;  // of clauses that matter
  for (std::uint32_t c = 0; c < network.clauses.size(); ++c) {
    const GroundClause& clause = network.clauses[c];
    if (!task_.must_hold[c] || !can_fail(clause)) continue;
    const GroundLiteral* last = nullptr;
    for (const GroundLiteral& literal : clause.literals) {
      if (!matters(literal)) continue;
      if (last != nullptr) sets.join(last->atom, literal.atom);
      last = &literal;
    }
    if (last != nullptr) last_atoms.emplace_back(c, last->atom);
  }
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint64_t> worlds(num_atoms, 1);  // per set; too many are kMostWorlds + 1
  for (std::uint32_t i = 0; i < num_atoms; ++i) {
    std::uint64_t& count = worlds[sets.find(i)];
    const auto values = static_cast<std::uint64_t>(std::popcount(task_.allowed[i]));
    count = std::min(count * values, kMostWorlds + 1);
  }
  std::vector<std::uint32_t> part_of_set(num_atoms, kNone), place(num_atoms, 0);
  for (std::uint32_t i = 0; i < num_atoms; ++i) {
    const std::uint32_t set = sets.find(i);
    if (worlds[set] > kMostWorlds) {
      has_large_ = true;
      continue;
    }
    if (part_of_set[set] == kNone) {
      part_of_set[set] = static_cast<std::uint32_t>(small_.size());
      small_.emplace_back();
    }
    Part& part = small_[part_of_set[set]];
    place[i] = static_cast<std::uint32_t>(part.atoms.size());
    part.atoms.push_back(i);
    part.clauses.emplace_back();
  }
  for (const auto& [clause, atom] : last_atoms) {
    const std::uint32_t part = part_of_set[sets.find(atom)];
    if (part != kNone) small_[part].clauses[place[atom]].push_back(clause);
  }
}

void SliceParts::draw(const Part& part, ClauseState& state, std::mt19937_64& random) const {
  Worlds(task_, part.atoms, part.clauses, state, random).choose();
}

void SliceParts::draw(ClauseState& state, std::mt19937_64& random) const {
  for (const Part& part : small_) draw(part, state, random);
}

}  // namespace sorites
