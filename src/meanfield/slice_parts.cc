#include "meanfield/slice_parts.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace sorites {
namespace {

// Possibilities of a small part: as many as a walk through a part of ten atoms makes moves.
constexpr std::uint64_t kMostWorlds = 256;

constexpr std::uint32_t kNone = ~std::uint32_t{0};

// Atoms, and the clauses of which each is the last: begins[i] to begins[i + 1].
struct SmallPart {
  std::span<const std::uint32_t> atoms, begins, clauses;
};

// All worlds of a part that keep its clauses; one of them is chosen, each as likely.
class Worlds {
 public:
  Worlds(const SatTask& task,
         const SmallPart& part,
         ClauseState& state,
         std::mt19937_64& random,
         std::vector<std::uint32_t>& chosen)
      : task_(task), part_(part), state_(state), random_(random), chosen_(chosen) {}

  // Leaves the state in the chosen world, or as it was.
  void choose() {
    chosen_.clear();
    for (const std::uint32_t atom : part_.atoms) chosen_.push_back(state_.value(atom));
    go_through(0);
    for (std::size_t i = 0; i < part_.atoms.size(); ++i) state_.set(part_.atoms[i], chosen_[i]);
  }

 private:
  void go_through(std::size_t depth) {
    if (depth == part_.atoms.size()) return add();
    const std::uint32_t atom = part_.atoms[depth];
    const std::uint32_t begin = part_.begins[depth];
    const auto ended = part_.clauses.subspan(begin, part_.begins[depth + 1] - begin);
    for (ValueBits left = task_.allowed[atom]; left != 0; left &= left - 1) {
      state_.set(atom, static_cast<std::uint32_t>(std::countr_zero(left)));
      const bool kept = std::none_of(
          ended.begin(), ended.end(), [&](std::uint32_t clause) { return state_.fails(clause); });
      if (kept) go_through(depth + 1);
    }
  }

  void add() {
    if (std::uniform_int_distribution<std::uint64_t>(0, count_++)(random_) > 0) return;
    for (std::size_t i = 0; i < part_.atoms.size(); ++i) chosen_[i] = state_.value(part_.atoms[i]);
  }

  const SatTask& task_;
  const SmallPart& part_;
  ClauseState& state_;
  std::mt19937_64& random_;
  std::vector<std::uint32_t>& chosen_;
  std::uint64_t count_ = 0;
};

}  // namespace

SliceParts::SliceParts(const GroundNetwork& network)
    : network_(network), sets_(network.atoms.size()) {}

void SliceParts::find(const SatTask& task) {
  task_ = &task;
  connect();
  place_atoms();
  place_clauses();
}

bool SliceParts::can_fail(const GroundClause& clause) const {
  return std::none_of(
      clause.literals.begin(), clause.literals.end(), [&](const GroundLiteral& literal) {
        return (task_->allowed[literal.atom] & ~literal.holds) == 0;
      });
}

void SliceParts::connect() {
  sets_.part_all();
  last_atoms_.clear();
  for (std::uint32_t c = 0; c < network_.clauses.size(); ++c) {
    const GroundClause& clause = network_.clauses[c];
    if (!task_->must_hold[c] || !can_fail(clause)) continue;
    const GroundLiteral* last = nullptr;
    for (const GroundLiteral& literal : clause.literals) {
      if ((task_->allowed[literal.atom] & literal.holds) == 0) continue;
      if (last != nullptr) sets_.join(last->atom, literal.atom);
      last = &literal;
    }
    if (last != nullptr) last_atoms_.emplace_back(c, last->atom);
  }
}

// Part by part, each in the order of its atoms.
void SliceParts::place_atoms() {
  const auto num_atoms = static_cast<std::uint32_t>(network_.atoms.size());
  worlds_.assign(num_atoms, 1);  // too many are kMostWorlds + 1
  next_place_.assign(num_atoms, 0);
  for (std::uint32_t i = 0; i < num_atoms; ++i) {
    const std::uint32_t set = sets_.find(i);
    const auto values = static_cast<std::uint64_t>(std::popcount(task_->allowed[i]));
    worlds_[set] = std::min(worlds_[set] * values, kMostWorlds + 1);
    ++next_place_[set];
  }
  part_ends_.clear();
  std::uint32_t end = 0;
  for (std::uint32_t set = 0; set < num_atoms; ++set) {  // named by their least atoms
    if (sets_.find(set) != set || worlds_[set] > kMostWorlds) continue;
    const std::uint32_t begin = end;
    end += next_place_[set];
    next_place_[set] = begin;
    part_ends_.push_back(end);
  }
  atoms_.resize(end);
  place_.assign(num_atoms, kNone);
  for (std::uint32_t i = 0; i < num_atoms; ++i) {
    const std::uint32_t set = sets_.find(i);
    if (worlds_[set] > kMostWorlds) continue;
    place_[i] = next_place_[set]++;
    atoms_[place_[i]] = i;
  }
}

void SliceParts::place_clauses() {
  clause_begins_.assign(atoms_.size() + 1, 0);
  for (const auto& [clause, atom] : last_atoms_) {
    if (place_[atom] != kNone) ++clause_begins_[place_[atom]];
  }
  std::partial_sum(clause_begins_.begin(), clause_begins_.end(), clause_begins_.begin());
  clauses_.resize(clause_begins_.back());
  // Each goes before those of its place that are there: what were ends become begins.
  for (auto at = last_atoms_.rbegin(); at != last_atoms_.rend(); ++at) {
    const std::uint32_t place = place_[at->second];
    if (place != kNone) clauses_[--clause_begins_[place]] = at->first;
  }
}

void SliceParts::draw(ClauseState& state, std::mt19937_64& random) {
  const std::span<const std::uint32_t> atoms = atoms_, begins = clause_begins_;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : part_ends_) {
    const std::size_t count = end - begin;
    const SmallPart part{atoms.subspan(begin, count), begins.subspan(begin, count + 1), clauses_};
    Worlds(*task_, part, state, random, chosen_).choose();
    begin = end;
  }
}

}  // namespace sorites
