#include "solve/conflict.h"

#include <algorithm>

#include "solve/elastic_program.h"
#include "solve/propagation.h"
#include "solve/reduce_conflict.h"

namespace sorites {
namespace {

constexpr double kSearchSeconds = 60.0, kReductionSeconds = 10.0;
constexpr std::size_t kMaxCandidates = 8;  // contradictory components to choose the smallest from
constexpr std::size_t kBatchRows = 2000;   // small components share a linear program
constexpr double kBatchSeconds = 15.0;

using RowSet = std::vector<std::uint32_t>;

class ConflictSearch {
 public:
  ConflictSearch(std::span<const HardRow> rows, std::size_t num_atoms, const std::stop_token& stop)
      : rows_(rows),
        stop_(stop),
        deadline_{Deadline(kSearchSeconds, stop)},
        propagation_(rows, num_atoms, deadline_.deadline),
        components_(connected_rows(rows, num_atoms)) {}

  // Contradictory sets of rows, of different components.
  std::vector<RowSet> run() {
    propagate();
    if (candidates_.empty()) solve_open();
    return std::move(candidates_);
  }

 private:
  void propagate() {
    for (std::uint32_t c = 0; c < components_.size(); ++c) {
      if (candidates_.size() == kMaxCandidates || deadline_.check()) return;
      const Propagation::Mark mark = propagation_.mark();
      const std::size_t broken_at_lower = propagation_.num_broken_at_lower();
      const std::size_t broken_at_upper = propagation_.num_broken_at_upper();
      if (!propagation_.add(components_[c])) {
        candidates_.push_back(propagation_.explain_contradiction());
        propagation_.undo(mark);
        continue;
      }
      // A row alone holds somewhere if propagation finds nothing; otherwise a point has to show it.
      const bool can_hold = components_[c].size() == 1 ||
                            propagation_.num_broken_at_lower() == broken_at_lower ||
                            propagation_.num_broken_at_upper() == broken_at_upper;
      if (!can_hold) open_.push_back(c);
    }
  }

  void solve_open() {
    RowSet batch;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      const RowSet& component = components_[open_[k]];
      batch.insert(batch.end(), component.begin(), component.end());
      if (batch.size() < kBatchRows && k + 1 < open_.size()) continue;
      solve_batch(batch);
      if (!candidates_.empty() || deadline_.check()) return;
      batch.clear();
    }
  }

  void solve_batch(const RowSet& batch) {
    WatchedDeadline limit{
        Deadline(std::min(kBatchSeconds, deadline_.deadline.seconds_left()), stop_)};
    ElasticProgram program(
        rows_,
        batch,
        [&](AtomId atom) {
          return ElasticProgram::Bounds{propagation_.lower(atom), propagation_.upper(atom)};
        },
        limit);
    const std::optional<bool> can_hold = program.can_hold();
    if (can_hold == true) return;
    if (!program.solve()) {
      if (can_hold == false) candidates_.push_back(batch);  // where, would have taken too long
      return;
    }
    if (program.is_contradictory()) add_support(program, batch);
  }

  // What the multipliers say: connected rows that contradict each other.
  void add_support(const ElasticProgram& program, const RowSet& batch) {
    std::vector<HardRow> support;
    std::vector<double> excess;
    RowSet numbers;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (!program.has_multiplier(i)) continue;
      support.push_back(rows_[batch[i]]);
      excess.push_back(program.excess(i));
      numbers.push_back(batch[i]);
    }
    AtomId num_atoms = 0;
    for (const HardRow& row : support) {
      for (const AtomId atom : row.atoms) num_atoms = std::max(num_atoms, atom + 1);
    }
    for (const RowSet& set : connected_rows(support, num_atoms)) {
      if (candidates_.size() == kMaxCandidates) return;
      double distance = 0.0;  // of this set alone; others may hold, for all their multipliers
      for (const std::uint32_t i : set) distance += excess[i];
      if (distance > kHardTolerance) add_candidate(numbers, set);
    }
  }

  // The rows of the support that are connected, and those that their bounds rest on.
  void add_candidate(const RowSet& numbers, const RowSet& set) {
    std::vector<AtomId> atoms;
    RowSet own;
    for (const std::uint32_t i : set) {
      own.push_back(numbers[i]);
      atoms.insert(atoms.end(), rows_[own.back()].atoms.begin(), rows_[own.back()].atoms.end());
    }
    const RowSet causes = propagation_.explain_bounds(atoms);
    own.insert(own.end(), causes.begin(), causes.end());
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    candidates_.push_back(std::move(own));
  }

  std::span<const HardRow> rows_;
  std::stop_token stop_;
  WatchedDeadline deadline_;
  Propagation propagation_;
  std::vector<RowSet> components_;
  std::vector<std::uint32_t> open_;  // components that propagation did not settle
  std::vector<RowSet> candidates_;
};

}  // namespace

std::optional<Conflict> find_conflict(const Model& model,
                                      const Parameters& parameters,
                                      const std::stop_token& stop,
                                      ThreadPool&) {
  const std::vector<HardRow> rows = hard_rows_of(model, parameters);
  std::vector<RowSet> candidates = ConflictSearch(rows, model.num_atoms, stop).run();
  if (candidates.empty()) return std::nullopt;
  const auto smallest =
      std::min_element(candidates.begin(), candidates.end(), [](const RowSet& a, const RowSet& b) {
        return a.size() < b.size();
      });
  const ReducedConflict reduced =
      reduce_conflict(rows, std::move(*smallest), model.num_atoms, kReductionSeconds, stop);
  Conflict conflict{{}, reduced.irreducible};
  for (const std::uint32_t r : reduced.rows) conflict.terms.push_back(rows[r].id);
  return conflict;
}

}  // namespace sorites
