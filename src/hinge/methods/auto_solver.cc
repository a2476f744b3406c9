#include "hinge/methods/auto_solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>

#include "hinge/methods/active_set.h"
#include "hinge/methods/admm.h"
#include "hinge/methods/coordinate_descent.h"
#include "hinge/methods/dual_newton.h"
#include "hinge/methods/interior_point.h"
#include "hinge/methods/pdhg.h"

namespace sorites {
namespace {

// Entries of a factor that interior point may take on its own account: a second or so.
constexpr std::size_t kFactorEntries = 1'000'000;
// Iterations of ADMM or PDHG before others have a go, and before a warm start is given up. Models
// that ADMM solves to 1e-4 at all take 20 to 200 (docs/benchmarks.md); linear ones that take
// thousands are sooner done by factorisation.
constexpr std::uint64_t kPatience = 2000, kWarmPatience = 200;
// Before the first look at who is nearer: above what nearly all models take
// (docs/method/numbers.md: assignments with capacities, which are for PDHG, and paths, which are
// for ADMM).
constexpr std::uint64_t kHeat = 300;

// Of all components together, before those that are not done yet are solved on their own.
constexpr std::uint64_t kTogether = 60;

// Rows that find_conflict() can look through within its seconds.
constexpr std::size_t kMaxSuspects = 1'000'000;

using Clock = std::chrono::steady_clock;

SolveOptions with_time_left(SolveOptions options, Clock::time_point begin) {
  const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
  options.time_limit_seconds = std::max(0.0, options.time_limit_seconds - spent);
  return options;
}

// Hard rows may contradict each other, and are few enough to find out.
bool is_suspect(const Problem& problem) {
  return problem.num_rows() <= kMaxSuspects &&
         (!problem.groups.empty() ||
          std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const RowBlock& block) {
            return is_hard(block.kind);
          }));
}

bool is_cold(const PrimalDual& start) {
  return std::all_of(
      start.multipliers.begin(), start.multipliers.end(), [](double mu) { return mu == 0.0; });
}

// Exact steps along single variables win where rows are potentials, some of them squared, and
// threads can share many of them, which takes components; and from a warm start, since a sweep
// moves what has to move and nothing else. Everywhere else ADMM does.
bool suits_coordinate_descent(const Problem& problem, ProblemStructure& structure, bool is_warm) {
  if (std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const RowBlock& block) {
        return is_hard(block.kind);
      })) {
    return false;
  }
  if (is_warm) return true;
  // Fewer rows do not occupy several threads.
  constexpr std::size_t kManyRows = 100'000;
  const bool has_squares =
      std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const RowBlock& block) {
        return block.kind == TermKind::kSquaredHinge;
      });
  if (!problem.groups.empty() || !has_squares || problem.num_rows() < kManyRows) return false;
  const std::vector<std::uint32_t>& component = structure.component();
  std::vector<std::size_t> size;
  for (const std::uint32_t c : component) {
    if (c >= size.size()) size.resize(c + 1, 0);
    ++size[c];
  }
  return !size.empty() && *std::max_element(size.begin(), size.end()) <= component.size() / 2;
}

// Tiny problems are solved far beyond what is asked for: it takes no time to speak of, and values
// near a threshold come out on the right side.
SolveOptions sharpened(const Problem& problem, SolveOptions options) {
  constexpr std::size_t kSmall = 1000;  // entries: a solve takes less than a millisecond
  constexpr double kSharpGap = 1e-7;    // values are then right to the digits that are printed
  if (problem.variables.size() < kSmall && options.gap > kSharpGap) options.gap = kSharpGap;
  return options;
}

bool is_within(const Problem& problem, const Bounds& bounds, const SolveOptions& options) {
  return std::abs(relative_gap(problem, bounds)) <= options.gap &&
         bounds.violation <= options.violation;
}

// Where all rows are linear, a small gap is reached sooner by PDHG, a large one by ADMM.
bool suits_pdhg(const Problem& problem, const SolveOptions& options) {
  // On lastfm PDHG takes 1.1 times as long as ADMM to a gap of 1e-5, 0.7 times to 2e-6.
  constexpr double kSmallGap = 2e-6;
  return options.gap <= kSmallGap && !problem.blocks.empty() &&
         std::all_of(problem.blocks.begin(), problem.blocks.end(), [](const RowBlock& block) {
           return block.kind == TermKind::kHinge;
         });
}

// A warm start is often good enough, and so is the minimum of all folded terms.
SolverResult look_at_start(const Problem& problem,
                           const PrimalDual& start,
                           const SolveOptions& options,
                           ThreadPool& pool) {
  SolverResult result;
  result.point = start;
  if (is_cold(start)) set_slopes(problem, result.point);
  StoppingRule rule(problem, options, "presolve", pool);
  if (const auto status = rule.check(result.point, 0)) result.status = *status;
  result.bounds = rule.bounds();
  return result;
}

// How far a point is from what is asked for.
double distance_of(const Problem& problem, const Bounds& bounds) {
  return std::max(std::abs(relative_gap(problem, bounds)), bounds.violation);
}

// A start of other weights can be worse than none, if these were very different: then solvers would
// have to unlearn its multipliers first.
bool is_worse_than_none(const Problem& problem,
                        const Bounds& warm,
                        const SolveOptions& options,
                        ThreadPool& pool) {
  constexpr double kFar = 10.0;  // times the gap
  if (distance_of(problem, warm) <= kFar * options.gap) return false;
  SolveOptions silent = options;
  silent.progress = nullptr;
  const SolverResult cold = look_at_start(problem, cold_start(problem), silent, pool);
  return distance_of(problem, cold.bounds) < distance_of(problem, warm);
}

// Solvers that take over from one another: the problem, what is asked for, and how far they got.
struct Relay {
  ProblemStructure& structure;
  const Problem& problem;
  const SolveOptions& asked;
  SolveOptions options;  // what each solver is given, but for the time that is left
  const AutoContext& context;
  ThreadPool& pool;
  Clock::time_point begin;
  SolverResult result;  // of the last one, with the iterations of all
};

SolveOptions with_time_left(const Relay& relay, std::uint64_t max_iterations = 0) {
  SolveOptions options = with_time_left(relay.options, relay.begin);
  if (max_iterations > 0 &&
      (options.max_iterations == 0 || options.max_iterations > max_iterations)) {
    options.max_iterations = max_iterations;
  }
  return options;
}

void take_over(Relay& relay, std::string_view name, SolverResult result) {
  result.iterations += relay.result.iterations;
  result.solver = std::move(relay.result.solver);
  if (!result.solver.ends_with(name)) {  // else it has another go
    result.solver += result.solver.empty() ? "" : ", ";
    result.solver += name;
  }
  relay.result = std::move(result);
}

bool has_ended(const Relay& relay) { return relay.result.status != SolveStatus::kIterationLimit; }

// Iterations may be over, and tiny problems are asked for more than the caller did.
bool is_enough(const Relay& relay) {
  const std::uint64_t limit = relay.options.max_iterations;
  return has_ended(relay) || is_within(relay.problem, relay.result.bounds, relay.asked) ||
         (limit > 0 && relay.result.iterations >= limit);
}

// Small problems: by linear systems of one pattern.
void solve_by_systems(Relay& relay, const KktPattern& pattern, const PrimalDual& start) {
  const Problem& problem = relay.problem;
  take_over(relay,
            kActiveSetName,
            solve_active_set(problem, pattern, start, with_time_left(relay), relay.pool));
  if (has_ended(relay)) return;
  take_over(relay,
            kDualNewtonName,
            solve_dual_newton(problem, pattern, start, with_time_left(relay), relay.pool));
}

// ADMM or PDHG, for a while.
void iterate(Relay& relay, PrimalDual start, std::uint64_t patience, bool by_pdhg) {
  const SolveOptions options = with_time_left(relay, patience);
  take_over(relay,
            name_of(by_pdhg ? Solver::kPdhg : Solver::kAdmm),
            by_pdhg ? solve_pdhg(relay.problem, std::move(start), options, relay.pool)
                    : solve_admm(relay.problem, std::move(start), options, relay.pool));
}

// Where rows are hard and none is squared, ADMM may creep where PDHG does not, or the other way
// round; neither shows beforehand.
bool may_creep(const Problem& problem) {
  bool has_hard_rows = false;
  for (const RowBlock& block : problem.blocks) {
    if (block.kind == TermKind::kSquaredHinge) return false;
    has_hard_rows = has_hard_rows || is_hard(block.kind);
  }
  return has_hard_rows;
}

// Iterations are as many as the hardest component needs, and all take part in them.
bool has_several_components(ProblemStructure& structure) {
  const std::vector<std::uint32_t>& component = structure.component();
  const std::vector<bool>& coupled = structure.coupled();
  std::optional<std::uint32_t> first;
  for (std::size_t i = 0; i < component.size(); ++i) {
    if (!coupled[i]) continue;
    if (!first) first = component[i];
    if (*first != component[i]) return true;
  }
  return false;
}

// PDHG has a go after some iterations of ADMM; whichever is nearer goes on.
void race(Relay& relay) {
  PrimalDual point = relay.result.point;
  const double distance = distance_of(relay.problem, relay.result.bounds);
  iterate(relay, cold_start(relay.problem), kHeat, /*by_pdhg=*/true);
  if (has_ended(relay)) return;
  const bool is_ahead = distance_of(relay.problem, relay.result.bounds) < distance;
  if (is_ahead) point = std::move(relay.result.point);
  iterate(relay, std::move(point), kPatience, is_ahead);
}

// Where neither gets there: by factorisation, if that does not take too long, then by patience.
void finish(Relay& relay) {
  relay.options = relay.asked;
  const SolveOptions options = with_time_left(relay);
  if (options.time_limit_seconds <= 0.0) {  // a factorisation takes long before it looks
    relay.result.status = SolveStatus::kTimeLimit;
    return;
  }
  take_over(
      relay,
      name_of(Solver::kInteriorPoint),
      solve_interior_point(relay.problem, relay.result.point, options, relay.pool, kFactorEntries));
  if (has_ended(relay)) return;
  take_over(
      relay,
      name_of(Solver::kAdmm),
      solve_admm(relay.problem, std::move(relay.result.point), with_time_left(relay), relay.pool));
}

// A start of no use is given up for a cold one.
PrimalDual better_start(const Relay& relay, PrimalDual start, const Bounds& bounds) {
  const bool is_useless =
      !is_cold(start) && is_worse_than_none(relay.problem, bounds, relay.options, relay.pool);
  return is_useless ? cold_start(relay.problem) : std::move(start);
}

// By steps along single variables where these suit, then by ADMM, PDHG and whatever else it takes.
void iterate_to_the_end(Relay& relay, PrimalDual start) {
  const Problem& problem = relay.problem;
  const bool is_warm = !is_cold(start);
  if (suits_coordinate_descent(problem, relay.structure, is_warm)) {
    SolverResult result = descend_while_worthwhile(
        problem, relay.structure, std::move(start), with_time_left(relay), relay.pool);
    take_over(relay, name_of(Solver::kCoordinateDescent), std::move(result));
    if (has_ended(relay)) return;
    start = relay.result.point;
  }
  const bool by_pdhg = suits_pdhg(problem, relay.options);
  const bool races = relay.options.max_iterations == 0 && may_creep(problem);
  const bool gives_back =
      races && relay.context.may_give_back && has_several_components(relay.structure);
  const std::uint64_t patience = is_warm      ? kWarmPatience
                                 : gives_back ? kTogether
                                 : races      ? kHeat
                                              : kPatience;
  iterate(relay, std::move(start), patience, by_pdhg);
  if (is_enough(relay)) return;
  relay.result.is_given_back = gives_back;
  if (gives_back) return;
  if (races) {
    race(relay);
  } else if (is_warm) {  // it led astray
    iterate(relay, cold_start(problem), kPatience, by_pdhg);
  }
  if (is_enough(relay)) return;
  if (relay.context.is_contradictory && relay.result.bounds.violation > relay.asked.violation &&
      is_suspect(problem) && relay.context.is_contradictory()) {
    relay.result.status = SolveStatus::kInfeasible;
    return;
  }
  finish(relay);
}

}  // namespace

SolverResult solve_auto(ProblemStructure& structure,
                        PrimalDual start,
                        const SolveOptions& asked,
                        ThreadPool& pool,
                        const AutoContext& context) {
  const Problem& problem = structure.problem();
  Relay relay{
      structure, problem, asked, sharpened(problem, asked), context, pool, Clock::now(), {}};
  relay.result = look_at_start(problem, start, relay.options, pool);
  if (has_ended(relay)) {
    relay.result.solver = "presolve";
    return std::move(relay.result);
  }
  const Bounds bounds = relay.result.bounds;
  if (context.solves_again && structure.kkt_pattern()) {
    solve_by_systems(relay, *structure.kkt_pattern(), start);
  }
  if (!has_ended(relay)) iterate_to_the_end(relay, better_start(relay, std::move(start), bounds));
  return std::move(relay.result);
}

}  // namespace sorites
