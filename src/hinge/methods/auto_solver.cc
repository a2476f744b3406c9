#include "hinge/methods/auto_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

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
// Before the first look at who is nearer: above what nearly all models take.
constexpr std::uint64_t kHeat = 500;

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

// Small problems: by linear systems of one pattern.
SolverResult solve_by_systems(const Problem& problem,
                              const KktPattern& pattern,
                              const PrimalDual& start,
                              const SolveOptions& options,
                              ThreadPool& pool,
                              std::string& ran) {
  ran = kActiveSetName;
  SolverResult result = solve_active_set(problem, pattern, start, options, pool);
  if (result.status != SolveStatus::kIterationLimit) return result;
  ran += fmt::format(", {}", kDualNewtonName);
  const std::uint64_t iterations = result.iterations;
  result = solve_dual_newton(problem, pattern, start, options, pool);
  result.iterations += iterations;
  return result;
}

// ADMM or PDHG, for a while.
SolverResult iterate(const Problem& problem,
                     PrimalDual start,
                     const SolveOptions& options,
                     std::uint64_t patience,
                     ThreadPool& pool) {
  SolveOptions patient = options;
  if (options.max_iterations == 0 || options.max_iterations > patience) {
    patient.max_iterations = patience;
  }
  return suits_pdhg(problem, options) ? solve_pdhg(problem, std::move(start), patient, pool)
                                      : solve_admm(problem, std::move(start), patient, pool);
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

// PDHG has a go after some iterations of ADMM (`result`); whichever is nearer goes on.
SolverResult race(const Problem& problem,
                  SolverResult result,
                  const std::function<SolveOptions()>& timed,
                  ThreadPool& pool,
                  std::string& ran) {
  SolveOptions options = timed();
  options.max_iterations = kHeat;
  SolverResult other = solve_pdhg(problem, cold_start(problem), options, pool);
  other.iterations += result.iterations;
  ran += fmt::format(", {}", name_of(Solver::kPdhg));
  const bool is_ahead = other.status != SolveStatus::kIterationLimit ||
                        distance_of(problem, other.bounds) < distance_of(problem, result.bounds);
  if (is_ahead) result = std::move(other);
  if (!is_ahead) result.iterations = other.iterations;
  if (result.status != SolveStatus::kIterationLimit) return result;
  const std::uint64_t before = result.iterations;
  options = timed();
  options.max_iterations = kPatience;
  if (!is_ahead) ran += fmt::format(", {}", name_of(Solver::kAdmm));
  result = is_ahead ? solve_pdhg(problem, std::move(result.point), options, pool)
                    : solve_admm(problem, std::move(result.point), options, pool);
  result.iterations += before;
  return result;
}

// Where neither gets there: by factorisation, if that does not take too long, then by patience.
SolverResult finish(const Problem& problem,
                    SolverResult result,
                    const SolveOptions& asked,
                    Clock::time_point begin,
                    ThreadPool& pool,
                    std::string& ran) {
  SolveOptions options = with_time_left(asked, begin);
  if (options.time_limit_seconds <= 0.0) {  // a factorisation takes long before it looks
    result.status = SolveStatus::kTimeLimit;
    return result;
  }
  ran += fmt::format(", {}", name_of(Solver::kInteriorPoint));
  SolverResult exact = solve_interior_point(problem, result.point, options, pool, kFactorEntries);
  exact.iterations += result.iterations;
  if (exact.status != SolveStatus::kIterationLimit) return exact;
  ran += fmt::format(", {}", name_of(Solver::kAdmm));
  const std::uint64_t iterations = exact.iterations;
  result = solve_admm(problem, std::move(exact.point), with_time_left(asked, begin), pool);
  result.iterations += iterations;
  return result;
}

// One solver after the other; `ran` becomes their names.
SolverResult run_solvers(ProblemStructure& structure,
                         PrimalDual start,
                         const SolveOptions& asked,
                         const AutoContext& context,
                         ThreadPool& pool,
                         std::string& ran) {
  const Clock::time_point begin = Clock::now();
  const Problem& problem = structure.problem();
  const SolveOptions options = sharpened(problem, asked);
  const auto timed = [&] { return with_time_left(options, begin); };
  SolverResult result = look_at_start(problem, start, options, pool);
  if (result.status != SolveStatus::kIterationLimit) {
    ran = "presolve";
    return result;
  }
  ran.clear();
  if (context.solves_again && structure.kkt_pattern()) {
    SolverResult exact =
        solve_by_systems(problem, *structure.kkt_pattern(), start, timed(), pool, ran);
    if (exact.status != SolveStatus::kIterationLimit) return exact;
    result.iterations = exact.iterations;
    ran += ", ";
  }
  if (!is_cold(start) && is_worse_than_none(problem, result.bounds, options, pool)) {
    start = cold_start(problem);
  }
  const bool is_warm = !is_cold(start);
  if (suits_coordinate_descent(problem, structure, is_warm)) {
    ran += name_of(Solver::kCoordinateDescent);
    const std::uint64_t before = result.iterations;
    result = descend_while_worthwhile(problem, structure, std::move(start), timed(), pool);
    result.iterations += before;
    if (result.status != SolveStatus::kIterationLimit) return result;
    start = std::move(result.point);
    ran += ", ";
  }
  std::uint64_t iterations = result.iterations;
  const bool races = options.max_iterations == 0 && may_creep(problem);
  const std::uint64_t patience = is_warm ? kWarmPatience : races ? kHeat : kPatience;
  result = iterate(problem, std::move(start), timed(), patience, pool);
  ran += name_of(suits_pdhg(problem, options) ? Solver::kPdhg : Solver::kAdmm);
  iterations = result.iterations += iterations;
  const auto is_done = [&] {
    return result.status != SolveStatus::kIterationLimit ||
           is_within(problem, result.bounds, asked) ||
           (options.max_iterations > 0 && iterations >= options.max_iterations);
  };
  if (is_done()) return result;
  result.is_given_back = races && context.may_give_back && has_several_components(structure);
  if (result.is_given_back) return result;
  if (races) {
    result = race(problem, std::move(result), timed, pool, ran);
    iterations = result.iterations;
    if (is_done()) return result;
  } else if (is_warm) {  // it led astray
    result = iterate(problem, cold_start(problem), timed(), kPatience, pool);
    iterations = result.iterations += iterations;
    if (is_done()) return result;
  }
  if (context.is_contradictory && result.bounds.violation > asked.violation &&
      is_suspect(problem) && context.is_contradictory()) {
    result.status = SolveStatus::kInfeasible;
    return result;
  }
  return finish(problem, std::move(result), asked, begin, pool, ran);
}

}  // namespace

SolverResult solve_auto(ProblemStructure& structure,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool,
                        const AutoContext& context) {
  std::string ran;
  SolverResult result = run_solvers(structure, std::move(start), options, context, pool, ran);
  result.solver = std::move(ran);
  return result;
}

}  // namespace sorites
