#include "hinge/conflict/conflict.h"

#include <algorithm>
#include <numeric>

#include "hinge/conflict/propagation.h"
#include "hinge/conflict/reduce_conflict.h"
#include "hinge/conflict/verdict.h"
#include "hinge/model/residual.h"

namespace sorites {
namespace {

constexpr double kReductionSeconds = 30.0;  // what a user waits for a shorter message
// Contradictory components to choose the smallest from: that of eight is on average among the
// smallest ninth of all, and each costs an explanation.
constexpr std::size_t kMaxCandidates = 8;
// Small components share a linear program, which costs something to set up; large ones do not,
// since the simplex method takes more than linear time.
constexpr std::size_t kBatchRows = 2000;
constexpr double kBatchSeconds = 15.0;  // one hard batch must not take the time of all others

using RowSet = std::vector<std::uint32_t>;

class ConflictSearch {
 public:
  ConflictSearch(std::span<const HardRow> rows,
                 std::size_t num_atoms,
                 double seconds,
                 const std::stop_token& stop)
      : rows_(rows),
        stop_(stop),
        deadline_{Deadline(seconds, stop)},
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
    std::vector<HardRow> rows;
    for (const std::uint32_t r : batch) rows.push_back(rows_[r]);
    const std::vector<AtomId> atoms = atoms_of(batch);
    std::vector<AtomId> fixed;  // per row that follows those of the batch
    for (const AtomId& atom : atoms) add_fixed(atom, rows, fixed);
    RowSet all(rows.size());
    std::iota(all.begin(), all.end(), 0U);
    const Verdict verdict = judge(local_rows(rows, all), std::nullopt, limit);
    if (verdict.can_hold == false) add_candidate(batch, fixed, verdict.conflict);
  }

  std::vector<AtomId> atoms_of(const RowSet& batch) const {
    std::vector<AtomId> atoms;
    for (const std::uint32_t r : batch) {
      atoms.insert(atoms.end(), rows_[r].atoms.begin(), rows_[r].atoms.end());
    }
    std::sort(atoms.begin(), atoms.end());
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
    return atoms;
  }

  // The value of an atom that propagation fixed, as rows; `atom` must outlive them. Other bounds
  // that it found make elimination harder, not easier.
  void add_fixed(const AtomId& atom, std::vector<HardRow>& rows, std::vector<AtomId>& fixed) {
    static constexpr double kPlus = 1.0, kMinus = -1.0;
    const auto add = [&](const double& coefficient, double offset) {
      rows.push_back({.offset = offset,
                      .coefficients = std::span(&coefficient, 1),
                      .atoms = std::span(&atom, 1)});
      fixed.push_back(atom);
    };
    if (propagation_.upper(atom) - propagation_.lower(atom) > kResidualRounding) return;
    if (propagation_.upper(atom) < 1.0) add(kPlus, -propagation_.upper(atom));
    if (propagation_.lower(atom) > 0.0) add(kMinus, propagation_.lower(atom));
  }

  // The rows of a conflict, and those that the bounds in it rest on.
  void add_candidate(const RowSet& batch,
                     const std::vector<AtomId>& fixed,
                     const RowSet& conflict) {
    RowSet own;
    std::vector<AtomId> atoms;
    for (const std::uint32_t i : conflict) {
      if (i < batch.size()) own.push_back(batch[i]);
      if (i >= batch.size()) atoms.push_back(fixed[i - batch.size()]);
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
                                      double seconds,
                                      const std::stop_token& stop) {
  const auto begin = Deadline::Clock::now();
  const std::vector<HardRow> rows = hard_rows_of(model, parameters);
  std::vector<RowSet> candidates = ConflictSearch(rows, model.num_atoms, seconds, stop).run();
  if (candidates.empty()) return std::nullopt;
  const auto smallest =
      std::min_element(candidates.begin(), candidates.end(), [](const RowSet& a, const RowSet& b) {
        return a.size() < b.size();
      });
  // A shorter message is worth what finding one at all was.
  const double left =
      std::clamp(seconds - std::chrono::duration<double>(Deadline::Clock::now() - begin).count(),
                 kMomentSeconds,
                 kReductionSeconds);
  const ReducedConflict reduced = reduce_conflict(rows, *smallest, left, stop);
  Conflict conflict{{}, reduced.irreducible};
  for (const std::uint32_t r : reduced.rows) conflict.terms.push_back(rows[r].id);
  return conflict;
}

}  // namespace sorites
