#include "hinge/integer/integer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "hinge/conflict/conflict.h"
#include "hinge/integer/integer_conflict.h"
#include "hinge/integer/integer_search.h"
#include "hinge/problem/certificate.h"

namespace sorites {
namespace {

constexpr double kConflictSeconds = 10.0;  // what a user waits for a reason

void check_ranges(const Model& model, std::span<const AtomRange> integer) {
  for (const AtomRange& range : integer) {
    if (std::uint64_t{range.first} + range.count > model.num_atoms) {
      throw std::invalid_argument("integer: a range of atoms that the model does not have");
    }
  }
}

SolveStatus status_of(const IntegerSearch& search,
                      const Solution& solution,
                      const SolveOptions& options) {
  if (search.outcome() == IntegerOutcome::kInfeasible) return SolveStatus::kInfeasible;
  if (search.has_hidden_weights()) return SolveStatus::kNumericalError;
  if (solution.relative_gap <= options.gap && solution.max_violation <= options.violation) {
    return SolveStatus::kOptimal;
  }
  if (search.outcome() != IntegerOutcome::kStopped) return SolveStatus::kIterationLimit;
  return options.stop.stop_requested() ? SolveStatus::kInterrupted : SolveStatus::kTimeLimit;
}

std::string message_of(IntegerSearch& search) {
  if (search.outcome() == IntegerOutcome::kInfeasible) {
    std::string message =
        search.relaxation_is_infeasible()
            ? "the hard rules contradict each other"
            : "the hard rules contradict each other where integer atoms are 0 or 1; between 0 "
              "and 1 they would not";
    const std::size_t all = search.parts().parts.size(), bad = search.num_infeasible_parts();
    if (bad == 0 || all < 2) return message;
    return message + fmt::format(": so in {} of {} connected parts of the model", bad, all);
  }
  if (search.has_hidden_weights()) {
    return fmt::format(
        "in one part of the model the largest cost, of a rule or of all rules that pull at an "
        "atom, "
        "is {:.2g} times the smallest, more than {:.0e}: beside the large ones, integer inference "
        "does not see the small ones",
        search.widest_ratio(),
        IntegerSearch::kWidestRatio);
  }
  if (search.num_rounded_parts() == 0) return {};
  return "the search found no state for some of the atoms in time: they are rounded greedily";
}

// Which ground rules: those of the infeasible part with the fewest atoms, if all of them are
// integer.
void add_conflict(const Model& model,
                  const Parameters& parameters,
                  const IntegerSearch& search,
                  const Deadline& deadline,
                  Solution& solution) {
  const std::vector<ProgramPart>& parts = search.parts().parts;
  const ProgramPart* smallest = nullptr;
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    if (!search.is_infeasible(p) || parts[p].has_continuous) continue;
    if (smallest == nullptr || parts[p].atoms.size() < smallest->atoms.size()) smallest = &parts[p];
  }
  if (smallest == nullptr) return;
  const std::optional<Conflict> conflict =
      find_integer_conflict(model, parameters, smallest->atoms, std::nullopt, deadline);
  if (!conflict) return;
  solution.conflict = conflict->terms;
  solution.conflict_is_irreducible = conflict->irreducible;
}

}  // namespace

Solution solve_integer(const Model& model,
                       const Parameters& parameters,
                       const SolveOptions& options,
                       ThreadPool& pool,
                       std::span<const double> start_state) {
  check_ranges(model, options.integer);
  const auto start = std::chrono::steady_clock::now();
  Solution solution;
  solution.solver = name_of(Solver::kInteger);
  solution.message = find_bad_number(model, parameters);
  if (!solution.message.empty()) {
    solution.status = SolveStatus::kNumericalError;
    solution.truth.assign(model.num_atoms, 0.0);
    solution.relative_gap = std::numeric_limits<double>::infinity();
    return solution;
  }
  const MixedProgram program = mixed_program_of(model, parameters, options.integer);
  IntegerSearch search(program, options, pool);
  search.run(start_state);

  solution.truth = search.truth();
  const Certificate certificate = certify(model, parameters, solution.truth, {}, pool);
  solution.objective = certificate.objective;
  solution.max_violation = certificate.max_violation;
  // Potentials are at least 0; and what rounding errors put above the objective is no bound.
  solution.lower_bound =
      search.has_hidden_weights() ? 0.0 : std::clamp(search.bound(), 0.0, certificate.objective);
  solution.relative_gap =
      relative_gap(solution.objective, solution.lower_bound, search.smallest_objective());
  if (search.num_rounded_parts() == 0) {
    solution.relative_gap = std::max(solution.relative_gap, search.worst_gap());
  }
  solution.iterations = search.num_nodes();
  solution.status = status_of(search, solution, options);
  solution.message = message_of(search);
  if (solution.message.empty() && solution.status == SolveStatus::kIterationLimit &&
      options.max_iterations == 0) {
    solution.message = blame_weights(program.weights, parameters.weight_scale);
  }
  if (program.off_steps) {
    solution.conflict = {*program.off_steps};
    solution.conflict_is_irreducible = true;
  } else if (solution.status == SolveStatus::kInfeasible && options.explain_conflict) {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    const double left = options.time_limit_seconds - used.count();
    const Deadline deadline(std::clamp(left, kMomentSeconds, kConflictSeconds), options.stop);
    add_conflict(model, parameters, search, deadline, solution);
  }
  solution.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return solution;
}

}  // namespace sorites
