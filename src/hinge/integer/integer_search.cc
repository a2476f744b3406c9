#include "hinge/integer/integer_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hinge/integer/binary_part.h"
#include "hinge/integer/binary_search.h"
#include "hinge/integer/branch_and_bound.h"
#include "hinge/integer/flow_search.h"
#include "hinge/integer/round_atoms.h"
#include "hinge/problem/solver.h"

namespace sorites {
namespace {

constexpr std::size_t kBatchRows = 200;  // small parts share a relaxation
constexpr int kMaxRounds = 1000;  // of branch and bound per part; each adds a piece or is the last
// Parts of the error that may remain: of all of it, for the relaxation, and for branch and bound
// with the pieces it is given. Together less than 1, so that a part is settled when each keeps its
// own.
constexpr double kAllowed = 0.9, kOfRelaxation = 0.5, kOfBranching = 0.25;
constexpr double kRounding = 1e-14;    // of a sum of some numbers, beside their size
constexpr double kCutoffSlack = 1e-6;  // a point as good as the one that is known is welcome
// What a bound of CBC may be too high, in the unit of its program: columns break rows by as much.
// Values of integer atoms are exact, and so is what they cost.
constexpr double kProgramExactness = 1e-9;
constexpr auto kReportPeriod = std::chrono::milliseconds(50);  // for eyes
// Our own search: states whose objectives differ by less than this part of the lightest weight are
// equally good to it.
constexpr double kTie = 1e-7;
// Entries that it looks at before linear programs have their turn, per entry of the part and at
// least: tens of milliseconds for parts of some thousand entries, which is what CBC takes to start.
constexpr std::uint64_t kWorkPerEntry = 300, kLeastWork = 1'000'000;

// If sums of atoms with signs that are 0, as flows have them, have more than a quarter of its
// entries, a part is one of chains of equalities. Sums of two make one atom of them, no chain.
constexpr std::size_t kFlowShare = 4;
constexpr std::size_t kLeastFlowWidth = 3;

bool is_mostly_flow(const BinaryPart& part) {
  std::size_t entries = 0;
  for (const BinaryRow& row : part.rows) {
    if (!row.is_equality || row.offset != 0.0 || row.is_unit || row.width() < kLeastFlowWidth)
      continue;
    const auto own = part.entries_of(row);
    const bool has_signs = std::all_of(own.begin(), own.end(), [](const RowEntry& entry) {
      return std::abs(entry.coefficient) == 1.0;
    });
    if (has_signs) entries += own.size();
  }
  return kFlowShare * entries > part.entries.size();
}

// Branch and bound of our own. Nothing if chains of equalities make a part that neither flows nor
// steps along single multipliers see through: linear programs do.
std::optional<BinaryResult> search_own(const BinaryPart& part,
                                       std::span<const char> start,
                                       const BinaryLimits& limits,
                                       const Deadline& deadline) {
  std::optional<BinaryResult> result = search_flow(part, start, limits, deadline);
  if (result || is_mostly_flow(part)) return result;
  return search_binary(part, start, limits, deadline);
}

}  // namespace

IntegerSearch::IntegerSearch(const MixedProgram& program,
                             const SolveOptions& options,
                             ThreadPool& threads)
    : program_(program),
      options_(options),
      threads_(threads),
      parts_(connected_parts(program)),
      pool_(first_pieces(program)),
      deadline_(options.time_limit_seconds, options.stop),
      start_(std::chrono::steady_clock::now()),
      owner_(std::this_thread::get_id()),
      states_(parts_.parts.size()),
      truth_(program.lower),
      candidate_(program.lower) {
  for (std::size_t p = 0; p < states_.size(); ++p) {
    WeightRange& weights = states_[p].weights;
    for (const std::uint32_t r : parts_.parts[p].rows) weights.add(0, program.rows[r].weight);
    // Costs are sums, of which there may be nothing left but rounding.
    for (const AtomId i : parts_.parts[p].atoms) {
      const double cost = std::abs(program.cost[i]);
      if (cost > kRounding * program.cost_size[i]) weights.add(0, cost);
    }
    states_[p].bound = least_cost(parts_.parts[p]);
    const auto& atoms = parts_.parts[p].atoms;  // ascending
    for (const AtomId i : program.contradictory_atoms) {
      if (!std::binary_search(atoms.begin(), atoms.end(), i)) continue;
      states_[p].outcome = IntegerOutcome::kInfeasible;
    }
  }
}

void IntegerSearch::run(std::span<const double> start) {
  settle_free_atoms();
  if (!start.empty()) take_start(start);
  search_parts();
  relax_parts();
  branch_parts();
  round_rest();
}

IntegerOutcome IntegerSearch::outcome() const {
  if (program_.contradictory) return IntegerOutcome::kInfeasible;
  IntegerOutcome worst = IntegerOutcome::kDone;
  for (const PartState& state : states_) {
    if (state.outcome == IntegerOutcome::kInfeasible) return state.outcome;
    if (state.outcome == IntegerOutcome::kStopped || worst == IntegerOutcome::kDone) {
      worst = state.outcome;
    }
  }
  return worst;
}

std::uint64_t IntegerSearch::num_nodes() const {
  std::uint64_t sum = 0;
  for (const PartState& state : states_) sum += state.nodes;
  return sum;
}

std::size_t IntegerSearch::num_infeasible_parts() const {
  return static_cast<std::size_t>(
      std::count_if(states_.begin(), states_.end(), [](const PartState& state) {
        return state.outcome == IntegerOutcome::kInfeasible;
      }));
}

double IntegerSearch::bound() const {
  double sum = program_.constant + free_cost_;
  for (const PartState& state : states_) sum += state.bound;
  return sum;
}

void IntegerSearch::settle_free_atoms() {
  std::vector<char> is_free(truth_.size(), 1);
  for (const ProgramPart& part : parts_.parts) {
    for (const AtomId atom : part.atoms) is_free[atom] = 0;
  }
  for (std::size_t i = 0; i < truth_.size(); ++i) {
    if (is_free[i] == 0) continue;
    if (program_.cost[i] < 0.0) truth_[i] = program_.upper[i];
    free_cost_ += program_.cost[i] * truth_[i];
  }
}

void IntegerSearch::take_start(std::span<const double> start) {
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    for (const AtomId i : parts_.parts[p].atoms) {
      const double value = program_.is_integer[i] != 0 ? std::round(start[i]) : start[i];
      candidate_[i] = std::clamp(value, program_.lower[i], program_.upper[i]);
    }
    try_candidate(p);
  }
}

double IntegerSearch::least_cost(const ProgramPart& part) const {
  double least = 0.0;
  for (const AtomId i : part.atoms) {
    least += std::min(program_.cost[i] * program_.lower[i], program_.cost[i] * program_.upper[i]);
  }
  return least;
}

// The objective of the whole in the unit of a part: weights above its own count as its own.
double IntegerSearch::seen_from(const PartState& state, double bound) const {
  if (state.weights.empty()) return smallest_objective();
  const double smallest =
      std::min(kSmallestViolation * state.weights.smallest, smallest_objective());
  return std::max(bound * std::min(1.0, state.weights.largest / program_.weights.largest),
                  smallest);
}

// Part of the error that may remain in all: by the number of rows.
double IntegerSearch::allowed(std::uint32_t part) const {
  const double share = static_cast<double>(parts_.parts[part].rows.size()) /
                       static_cast<double>(program_.rows.size());
  return kAllowed * options_.gap * seen_from(states_[part], stage_bound_) * share;
}

double IntegerSearch::worst_gap() const {
  double worst = 0.0;
  const double whole = bound();
  for (const PartState& state : states_) {
    if (!state.has_point) return INFINITY;
    const double size = std::max({seen_from(state, whole), state.objective, state.bound});
    worst = std::max(worst, (state.objective - state.bound) / size);
  }
  return worst;
}

bool IntegerSearch::is_settled(std::uint32_t part) const {
  const PartState& state = states_[part];
  return state.has_point && state.objective - state.bound <= allowed(part);
}

void IntegerSearch::raise_bound(std::uint32_t part, double bound) {
  PartState& state = states_[part];
  if (state.has_point) {
    // Closer than sums are exact: they have met.
    const double noise = kRounding * std::max(state.weights.largest, std::abs(state.objective));
    bound = bound > state.objective - noise ? state.objective : bound;
  }
  state.bound = bound;
}

// A linear program has one unit, beside which costs that are much smaller are noise.
bool IntegerSearch::have_like_weights(const PartState& a, const PartState& b) {
  return a.weights.largest <= kFarApart * b.weights.largest &&
         b.weights.largest <= kFarApart * a.weights.largest;
}

bool IntegerSearch::has_hidden_weights(const PartState& state) {
  return !state.weights.empty() && state.weights.largest > kWidestRatio * state.weights.smallest;
}

double IntegerSearch::widest_ratio() const {
  double widest = 1.0;
  for (const PartState& state : states_) {
    if (!state.weights.empty()) {
      widest = std::max(widest, state.weights.largest / state.weights.smallest);
    }
  }
  return widest;
}

bool IntegerSearch::has_hidden_weights() const {
  return std::any_of(states_.begin(), states_.end(), [](const PartState& state) {
    return has_hidden_weights(state);
  });
}

void IntegerSearch::begin_stage() {
  stage_bound_ = bound();
  if (!options_.progress) return;
  for (std::uint32_t p = 0; p < states_.size(); ++p) show(p);
}

// Those that a stage is left with, small ones first.
std::vector<std::uint32_t> IntegerSearch::open_parts() const {
  std::vector<std::uint32_t> open;
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    if (states_[p].outcome == IntegerOutcome::kDone && !is_settled(p)) open.push_back(p);
  }
  std::stable_sort(open.begin(), open.end(), [&](std::uint32_t a, std::uint32_t b) {
    return parts_.parts[a].rows.size() < parts_.parts[b].rows.size();
  });
  return open;
}

void IntegerSearch::search_parts() {
  begin_stage();
  const std::vector<std::uint32_t> open = open_parts();
  // Many small parts are one task: what costs time is the hand-over.
  constexpr std::size_t kPartsPerTask = 8;
  const std::size_t num_tasks = (open.size() + kPartsPerTask - 1) / kPartsPerTask;
  threads_.for_each(num_tasks, [&](std::size_t task) {
    const Part range = part_of(open.size(), num_tasks, task);
    for (std::size_t k = range.begin; k < range.end; ++k) search_part(open[k]);
  });
}

void IntegerSearch::search_part(std::uint32_t p) {
  PartState& state = states_[p];
  if (has_hidden_weights(state)) return;
  const ProgramPart& own = parts_.parts[p];
  const std::optional<BinaryPart> part = binary_part_of(program_, parts_, own);
  if (!part) return;
  std::vector<char> start;
  if (state.has_point) {
    for (const AtomId i : own.atoms) start.push_back(truth_[i] > 0.5 ? 1 : 0);
  }
  BinaryLimits limits{.max_nodes = options_.max_iterations};
  if (!state.weights.empty()) limits.tolerance = kTie * state.weights.smallest;
  limits.max_work = std::max(kLeastWork, kWorkPerEntry * part->entries.size());
  // Linear programs have better bounds where this one does not end: they get most of the time.
  constexpr double kOwnShare = 0.1;
  const Deadline own_deadline(kOwnShare * deadline_.seconds_left(), options_.stop);
  const std::optional<BinaryResult> found = search_own(*part, start, limits, own_deadline);
  if (!found) return;
  const BinaryResult& result = *found;
  state.nodes += result.nodes;
  if (result.status == BinaryStatus::kInfeasible) {
    state.outcome = IntegerOutcome::kInfeasible;
    return;
  }
  if (!result.state.empty()) {
    for (std::size_t i = 0; i < own.atoms.size(); ++i) candidate_[own.atoms[i]] = result.state[i];
    try_candidate(p);
  }
  raise_bound(p, std::max(state.bound, result.bound));
  if (deadline_.passed() && result.status == BinaryStatus::kStopped) {
    state.outcome = IntegerOutcome::kStopped;
  }
  if (result.status == BinaryStatus::kNodeLimit) state.outcome = IntegerOutcome::kNodeLimit;
  report(p);
}

void IntegerSearch::relax_parts() {
  begin_stage();
  const std::vector<std::uint32_t> open = open_parts();
  std::vector<std::vector<std::uint32_t>> batches;
  std::size_t rows = 0;
  for (std::size_t k = 0; k < open.size(); ++k) {
    const bool is_full = batches.empty() || rows >= kBatchRows ||
                         !have_like_weights(states_[open[k]], states_[batches.back().back()]);
    if (is_full) {
      batches.emplace_back();
      rows = 0;
    }
    batches.back().push_back(open[k]);
    rows += parts_.parts[open[k]].rows.size();
  }
  threads_.for_each(batches.size(), [&](std::size_t b) { relax_batch(batches[b]); });
}

void IntegerSearch::relax_batch(std::span<const std::uint32_t> batch) {
  WatchedDeadline deadline{deadline_};
  LinearRelaxation relaxation(program_, parts_, batch, pool_, deadline);
  double error = 0.0;
  for (const std::uint32_t p : batch) error += allowed(p);
  const RelaxationStatus status = relaxation.solve(kOfRelaxation * error);
  if (status == RelaxationStatus::kInfeasible) {
    if (batch.size() == 1) {
      states_[batch[0]].outcome = IntegerOutcome::kInfeasible;
      states_[batch[0]].has_fractional_conflict = true;
      return;
    }
    for (const std::uint32_t& p : batch) relax_batch({&p, 1});  // which one is it?
    return;
  }
  relaxation.copy_atoms(relaxation.columns(), candidate_);
  const std::vector<double> bounds = relaxation.part_bounds();
  for (std::uint32_t k = 0; k < batch.size(); ++k) {
    try_candidate(batch[k]);
    raise_bound(batch[k], std::max(states_[batch[k]].bound, bounds[k]));
    if (deadline.check()) states_[batch[k]].outcome = IntegerOutcome::kStopped;
  }
}

bool IntegerSearch::relaxation_is_infeasible() {
  if (program_.contradictory) return !program_.off_steps;
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    if (!is_infeasible(p)) continue;
    if (states_[p].has_fractional_conflict) return true;
    WatchedDeadline deadline{deadline_};
    LinearRelaxation relaxation(program_, parts_, std::span(&p, 1), pool_, deadline);
    return relaxation.solve(INFINITY) == RelaxationStatus::kInfeasible;
  }
  return false;
}

// Keeps the candidate if it is the first or the best state of the part. Without one, truth_ has
// what rounding starts from.
void IntegerSearch::try_candidate(std::uint32_t part) {
  PartState& state = states_[part];
  const ProgramPart& own = parts_.parts[part];
  const ProgramValue value = evaluate(program_, own, candidate_);
  const bool keeps_rules = value.violation <= kFeasible;
  if (state.has_point && (!keeps_rules || value.objective >= state.objective)) return;
  for (const AtomId atom : own.atoms) truth_[atom] = candidate_[atom];
  state.has_point = keeps_rules;
  if (keeps_rules) state.objective = value.objective;
}

void IntegerSearch::branch_parts() {
  begin_stage();
  const std::vector<std::uint32_t> open = open_parts();
  threads_.for_each(open.size(), [&](std::size_t k) { branch(open[k]); });
}

void IntegerSearch::branch(std::uint32_t part) {
  const std::uint32_t only[] = {part};
  WatchedDeadline deadline{deadline_};
  if (deadline.check()) {
    states_[part].outcome = IntegerOutcome::kStopped;
    return;
  }
  if (!parts_.parts[part].has_integer) {  // CBC would add nothing but a bound of its own
    relax_batch(only);
    PartState& state = states_[part];
    const bool is_open = state.outcome == IntegerOutcome::kDone && !is_settled(part);
    if (is_open) state.outcome = IntegerOutcome::kNodeLimit;
    return;
  }
  LinearRelaxation relaxation(program_, parts_, only, pool_, deadline);
  for (int round = 0; round < kMaxRounds; ++round) {
    const int rows_before = relaxation.linear_program().getNumRows();
    if (!branch_once(part, relaxation, deadline)) return;
    report(part);
    if (is_settled(part)) return;
    if (relaxation.linear_program().getNumRows() == rows_before) break;
  }
  states_[part].outcome = IntegerOutcome::kNodeLimit;
}

// Branch and bound over the pieces so far. False if the search is over.
bool IntegerSearch::branch_once(std::uint32_t part,
                                LinearRelaxation& relaxation,
                                WatchedDeadline& deadline) {
  PartState& state = states_[part];
  const double scale = relaxation.scale();
  const double inexact = parts_.parts[part].has_continuous ? kProgramExactness * scale : 0.0;
  BranchLimits limits{.gap = kOfBranching * allowed(part) / scale};
  if (options_.max_iterations > 0) {
    if (state.nodes >= options_.max_iterations) {
      state.outcome = IntegerOutcome::kNodeLimit;
      return false;
    }
    limits.max_nodes = options_.max_iterations - state.nodes;
  }
  if (state.has_point) {
    limits.cutoff =
        (state.objective + kCutoffSlack * std::max(scale, std::abs(state.objective))) / scale;
  }
  BranchResult result = branch_and_bound(relaxation.linear_program(), limits, deadline);
  state.nodes += result.nodes;
  if (result.status == BranchStatus::kInfeasible || result.status == BranchStatus::kFailed) {
    // Cut generators of CBC have been known to call feasible programs infeasible: ask without them.
    limits.with_cuts = false;
    result = branch_and_bound(relaxation.linear_program(), limits, deadline);
    state.nodes += result.nodes;
  }
  if (result.status == BranchStatus::kInfeasible) {
    if (!state.has_point) state.outcome = IntegerOutcome::kInfeasible;
    if (state.has_point) raise_bound(part, std::max(state.bound, state.objective - inexact));
    return false;
  }
  if (!result.columns.empty()) complete(part, relaxation, result.columns, deadline);
  if (result.bound > -kNoBound) {
    raise_bound(part, std::max(state.bound, result.bound * scale - inexact));
  }
  if (result.status == BranchStatus::kSolved && !deadline.check()) return true;
  if (!is_settled(part)) {
    state.outcome = result.status == BranchStatus::kStopped || deadline.hit
                        ? IntegerOutcome::kStopped
                        : IntegerOutcome::kNodeLimit;
  }
  return false;
}

// Makes a state of a point of branch and bound: its integer atoms with the best of the others. The
// pieces found on the way are those that the next search needs.
void IntegerSearch::complete(std::uint32_t part,
                             LinearRelaxation& relaxation,
                             const std::vector<double>& columns,
                             WatchedDeadline& deadline) {
  relaxation.copy_atoms(columns.data(), candidate_);
  try_candidate(part);
  const double error = kOfBranching * allowed(part);
  if (parts_.parts[part].has_continuous && !deadline.check()) {
    relaxation.fix_integers(columns);
    const RelaxationStatus status = relaxation.solve(error);
    if (status == RelaxationStatus::kSolved) {
      relaxation.copy_atoms(relaxation.columns(), candidate_);
      try_candidate(part);
    }
    relaxation.release();
  }
  relaxation.refine(columns.data(), error);
}

void IntegerSearch::round_rest() {
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    if (states_[p].has_point) continue;
    round_greedily(program_, parts_, p, truth_);
    ++num_rounded_;
  }
}

void IntegerSearch::show(std::uint32_t part) {
  PartState& state = states_[part];
  const Shown before = state.shown;
  state.shown = {
      state.bound, state.has_point ? state.objective - state.bound : 0.0, state.has_point ? 0 : 1};
  shown_.bound += state.shown.bound - before.bound;
  shown_.error += state.shown.error - before.error;
  shown_.without_state += state.shown.without_state - before.without_state;
}

void IntegerSearch::report(std::uint32_t part) {
  if (!options_.progress) return;
  SolveProgress progress{.solver = name_of(Solver::kInteger)};
  const auto now = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(report_mutex_);
    show(part);
    shown_nodes_ += states_[part].nodes - states_[part].shown_nodes;
    states_[part].shown_nodes = states_[part].nodes;
    if (std::this_thread::get_id() != owner_ || now - last_report_ < kReportPeriod) return;
    last_report_ = now;
    progress.iterations = shown_nodes_;
    progress.lower_bound = program_.constant + free_cost_ + shown_.bound;
    progress.objective = shown_.without_state > 0 ? INFINITY : progress.lower_bound + shown_.error;
  }
  progress.relative_gap =
      relative_gap(progress.objective, progress.lower_bound, smallest_objective());
  progress.seconds = std::chrono::duration<double>(now - start_).count();
  options_.progress(progress);
}

}  // namespace sorites
