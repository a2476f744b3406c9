#include "hinge/integer/integer_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hinge/integer/branch_and_bound.h"
#include "hinge/integer/round_atoms.h"
#include "hinge/problem/solver.h"

namespace sorites {
namespace {

constexpr std::size_t kBatchRows = 2000;  // small parts share a relaxation, as in conflict.cc
// Violation of a state that keeps the hard rows: linear programs are exact to 1e-9, their points
// rounded to 1e-7 per integer atom.
constexpr double kFeasible = 1e-6;
constexpr int kMaxRounds = 1000;  // of branch and bound per part; each adds a piece or is the last
// Parts of the error that may remain: of all of it, for the relaxation, and for branch and bound
// with the pieces it is given. Together less than 1, so that a part is settled when each keeps its
// own.
constexpr double kAllowed = 0.9, kOfRelaxation = 0.5, kOfBranching = 0.25;
constexpr double kRounding = 1e-14;    // of a sum of some numbers, beside their size
constexpr double kCutoffSlack = 1e-6;  // a point as good as the one that is known is welcome
constexpr double kNoBound = -1e50;     // what CBC says without one
constexpr auto kReportPeriod = std::chrono::milliseconds(50);  // for eyes

}  // namespace

IntegerSearch::IntegerSearch(const MixedProgram& program, const SolveOptions& options)
    : program_(program),
      options_(options),
      parts_(connected_parts(program)),
      pool_(first_pieces(program)),
      deadline_{Deadline(options.time_limit_seconds, options.stop)},
      start_(std::chrono::steady_clock::now()),
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
  }
}

void IntegerSearch::run() {
  settle_free_atoms();
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    raise_bound(p, least_cost(parts_.parts[p]));
  }
  if (program_.contradictory) {
    outcome_ = SearchOutcome::kInfeasible;
  } else {
    relax_parts();
  }
  std::vector<std::uint32_t> order(states_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return parts_.parts[a].rows.size() < parts_.parts[b].rows.size();
  });
  for (const std::uint32_t p : order) {
    if (outcome_ == SearchOutcome::kInfeasible || outcome_ == SearchOutcome::kStopped) break;
    if (!is_settled(p)) branch(p);
  }
  round_rest();
}

double IntegerSearch::bound() const { return program_.constant + total_bound_; }

void IntegerSearch::settle_free_atoms() {
  std::vector<char> is_free(truth_.size(), 1);
  for (const ProgramPart& part : parts_.parts) {
    for (const AtomId atom : part.atoms) is_free[atom] = 0;
  }
  for (std::size_t i = 0; i < truth_.size(); ++i) {
    if (is_free[i] == 0) continue;
    if (program_.cost[i] < 0.0) truth_[i] = program_.upper[i];
    total_bound_ += program_.cost[i] * truth_[i];
  }
  for (PartState& state : states_) state.bound = 0.0;
}

double IntegerSearch::least_cost(const ProgramPart& part) const {
  double least = 0.0;
  for (const AtomId i : part.atoms) {
    least += std::min(program_.cost[i] * program_.lower[i], program_.cost[i] * program_.upper[i]);
  }
  return least;
}

// The objective of the whole in the unit of a part: weights above its own count as its own.
double IntegerSearch::seen_from(const PartState& state) const {
  if (state.weights.empty()) return smallest_objective();
  const double smallest =
      std::min(kSmallestViolation * state.weights.smallest, smallest_objective());
  return std::max(bound() * std::min(1.0, state.weights.largest / program_.weights.largest),
                  smallest);
}

// Part of the error that may remain in all: by the number of rows.
double IntegerSearch::allowed(std::uint32_t part) const {
  const double share = static_cast<double>(parts_.parts[part].rows.size()) /
                       static_cast<double>(program_.rows.size());
  return kAllowed * options_.gap * seen_from(states_[part]) * share;
}

double IntegerSearch::worst_gap() const {
  double worst = 0.0;
  for (const PartState& state : states_) {
    if (!state.has_point) return INFINITY;
    const double size = std::max({seen_from(state), state.objective, state.bound});
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
  total_bound_ += bound - state.bound;
  state.bound = bound;
}

// A linear program has one unit, beside which costs that are much smaller are noise.
bool IntegerSearch::have_like_weights(const PartState& a, const PartState& b) {
  return a.weights.largest <= kFarApart * b.weights.largest &&
         b.weights.largest <= kFarApart * a.weights.largest;
}

bool IntegerSearch::has_hidden_weights() const {
  constexpr double kTolerance = 1e-7;  // of CBC, in the unit of a linear program
  return std::any_of(states_.begin(), states_.end(), [](const PartState& state) {
    return !state.weights.empty() && state.weights.smallest < kTolerance * state.weights.largest;
  });
}

void IntegerSearch::relax_parts() {
  std::vector<std::uint32_t> batch;
  std::size_t rows = 0;
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    batch.push_back(p);
    rows += parts_.parts[p].rows.size();
    const bool is_last = p + 1 == states_.size();
    if (rows < kBatchRows && !is_last && have_like_weights(states_[p], states_[p + 1])) continue;
    if (!relax_batch(batch)) return;
    batch.clear();
    rows = 0;
  }
}

bool IntegerSearch::relax_batch(std::span<const std::uint32_t> batch) {
  LinearRelaxation relaxation(program_, parts_, batch, pool_, deadline_);
  double error = 0.0;
  for (const std::uint32_t p : batch) error += allowed(p);
  const RelaxationStatus status = relaxation.solve(kOfRelaxation * error);
  if (status == RelaxationStatus::kInfeasible) {
    outcome_ = SearchOutcome::kInfeasible;
    relaxation_is_infeasible_ = true;
    return false;
  }
  take_batch(relaxation, batch);
  if (deadline_.check()) outcome_ = SearchOutcome::kStopped;
  return outcome_ == SearchOutcome::kDone;
}

void IntegerSearch::take_batch(LinearRelaxation& relaxation, std::span<const std::uint32_t> batch) {
  relaxation.copy_atoms(relaxation.columns(), candidate_);
  for (std::uint32_t k = 0; k < batch.size(); ++k) {
    try_candidate(batch[k]);
    raise_bound(batch[k], std::max(states_[batch[k]].bound, relaxation.part_bound(k)));
  }
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

void IntegerSearch::branch(std::uint32_t part) {
  const std::uint32_t only[] = {part};
  LinearRelaxation relaxation(program_, parts_, only, pool_, deadline_);
  for (int round = 0; round < kMaxRounds; ++round) {
    const int rows_before = relaxation.linear_program().getNumRows();
    if (!branch_once(part, relaxation)) return;
    report();
    if (is_settled(part)) return;
    if (relaxation.linear_program().getNumRows() == rows_before) break;
  }
  outcome_ = SearchOutcome::kNodeLimit;
}

// Branch and bound over the pieces so far. False if the search is over.
bool IntegerSearch::branch_once(std::uint32_t part, LinearRelaxation& relaxation) {
  PartState& state = states_[part];
  const double scale = relaxation.scale();
  BranchLimits limits{.gap = kOfBranching * allowed(part) / scale};
  if (options_.max_iterations > 0) {
    if (num_nodes_ >= options_.max_iterations) {
      outcome_ = SearchOutcome::kNodeLimit;
      return false;
    }
    limits.max_nodes = options_.max_iterations - num_nodes_;
  }
  if (state.has_point) {
    limits.cutoff =
        (state.objective + kCutoffSlack * std::max(scale, std::abs(state.objective))) / scale;
  }
  BranchResult result = branch_and_bound(relaxation.linear_program(), limits, deadline_);
  num_nodes_ += result.nodes;
  if (result.status == BranchStatus::kInfeasible || result.status == BranchStatus::kFailed) {
    // Cut generators of CBC have been known to call feasible programs infeasible: ask without them.
    limits.with_cuts = false;
    result = branch_and_bound(relaxation.linear_program(), limits, deadline_);
    num_nodes_ += result.nodes;
  }
  if (result.status == BranchStatus::kInfeasible) {
    if (!state.has_point) outcome_ = SearchOutcome::kInfeasible;
    if (state.has_point) raise_bound(part, state.objective);
    return false;
  }
  if (!result.columns.empty()) complete(part, relaxation, result.columns);
  if (result.bound > kNoBound) raise_bound(part, std::max(state.bound, result.bound * scale));
  if (result.status == BranchStatus::kSolved && !deadline_.check()) return true;
  if (!is_settled(part)) {
    outcome_ = result.status == BranchStatus::kStopped || deadline_.hit ? SearchOutcome::kStopped
                                                                        : SearchOutcome::kNodeLimit;
  }
  return false;
}

// Makes a state of a point of branch and bound: its integer atoms with the best of the others. The
// pieces found on the way are those that the next search needs.
void IntegerSearch::complete(std::uint32_t part,
                             LinearRelaxation& relaxation,
                             const std::vector<double>& columns) {
  relaxation.copy_atoms(columns.data(), candidate_);
  try_candidate(part);
  const double error = kOfBranching * allowed(part);
  if (parts_.parts[part].has_continuous && !deadline_.check()) {
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

void IntegerSearch::report() {
  const auto now = std::chrono::steady_clock::now();
  if (!options_.progress || now - last_report_ < kReportPeriod) return;
  last_report_ = now;
  SolveProgress progress{.solver = name_of(Solver::kInteger), .iterations = num_nodes_};
  progress.objective = bound();
  for (const PartState& state : states_) {
    progress.objective += state.has_point ? state.objective - state.bound : INFINITY;
  }
  progress.lower_bound = bound();
  progress.relative_gap =
      relative_gap(progress.objective, progress.lower_bound, smallest_objective());
  progress.seconds = std::chrono::duration<double>(now - start_).count();
  options_.progress(progress);
}

}  // namespace sorites
