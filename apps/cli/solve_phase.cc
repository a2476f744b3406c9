#include "solve_phase.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "base/diagnostics.h"
#include "sorites/explain.h"
#include "sorites/solve_state.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

std::string check_tolerance(const std::string& text) {
  double number = 0.0;
  if (CLI::detail::lexical_cast(text, number) && number >= 0.0) return {};
  return fmt::format("takes a number that is not negative, not `{}`", text);
}

Solution initial_solution(const InferenceSettings& settings,
                          const LoadedModel& loaded,
                          const Model& model) {
  Solution solution;
  solution.truth =
      initial_truth(settings.initial_value, model, loaded.database, settings.solve.seed);
  return solution;
}

// The initial values as the result. Nothing bounds them.
Solution skip(const InferenceSettings& settings,
              const LoadedModel& loaded,
              const Model& model,
              const Parameters& parameters) {
  Solution solution = initial_solution(settings, loaded, model);
  solution.solver = "none";
  const auto rules = rule_statistics(model, parameters, solution.truth, settings.solve.threads);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    solution.objective += rules[r].energy;
    if (model.rules[r].hard) {
      solution.max_violation = std::max(solution.max_violation, rules[r].worst);
    }
  }
  solution.lower_bound = -std::numeric_limits<double>::infinity();
  solution.relative_gap = std::numeric_limits<double>::infinity();
  return solution;
}

[[noreturn]] void throw_unfit(const std::string& why) {
  Diagnostics sink;
  sink.error(DiagnosticCode::kUnfitSolver, Span{}, why)
      .notes.push_back({"`--solver auto` chooses one that can", {}});
  throw InputError(sink.take_sorted());
}

// Integer atoms need the integer solver; another would take them as continuous.
void choose_integer_solver(const Program& program, SolveOptions& options) {
  if (options.integer.empty()) return;
  if (options.solver == Solver::kAuto) options.solver = Solver::kInteger;
  if (options.solver == Solver::kInteger) return;
  throw_unfit(fmt::format("the atoms of `{}` are integer, which solver `{}` cannot do",
                          program.predicates[options.integer.front().predicate].name,
                          name_of(options.solver)));
}

std::string progress_text(const SolveProgress& progress) {
  const std::string gap = std::isfinite(progress.relative_gap)
                              ? fmt::format("gap {:.1e}", progress.relative_gap)
                              : "no bound yet";
  return fmt::format("{}, violation {:.1e} ({}, {} iterations)",
                     gap,
                     progress.max_violation,
                     progress.solver,
                     progress.iterations);
}

}  // namespace

void add_solve_flags(CLI::App& command, SolveFlags& flags) {
  std::vector<std::string> names;
  for (const Solver solver : kSolvers) names.emplace_back(name_of(solver));
  command.add_option("--solver", flags.solver, "method; `auto` chooses by the model's structure")
      ->type_name("NAME")
      ->check(CLI::IsMember(names));
  command
      .add_option("--gap", flags.gap, "stop when objective and bound are so close; default 1e-4")
      ->type_name("NUMBER")
      ->check(check_tolerance);
  command
      .add_option("--violation",
                  flags.violation,
                  "... and no hard rule is violated by more than this; default 1e-4")
      ->type_name("NUMBER")
      ->check(check_tolerance);
  command.add_option("--time-limit", flags.time_limit, "stop after so many seconds of solving")
      ->type_name("SECONDS")
      ->check(check_tolerance);
  command
      .add_option("--max-iterations",
                  flags.max_iterations,
                  "stop after so many; 0 is the solver's own limit")
      ->type_name("N");
  command
      .add_option("--warm-start", flags.warm_start, "start from a state that --save-state wrote")
      ->type_name("FILE")
      ->check(check_readable);
}

InferenceSettings settings_of(const CommonFlags& common,
                              const SolveFlags& flags,
                              const LoadedModel& loaded) {
  InferenceSettings settings = inference_settings(loaded.options);
  SolveOptions& solve = settings.solve;
  if (!flags.solver.empty()) solve.solver = solver_named(flags.solver).value_or(solve.solver);
  solve.gap = flags.gap.value_or(solve.gap);
  solve.violation = flags.violation.value_or(solve.violation);
  solve.time_limit_seconds = flags.time_limit.value_or(solve.time_limit_seconds);
  solve.max_iterations = flags.max_iterations.value_or(solve.max_iterations);
  if (common.threads != 0) solve.threads = common.threads;
  if (common.seed != 0) solve.seed = common.seed;
  return settings;
}

Solved solve_phase(const CommonFlags& common,
                   const SolveFlags& flags,
                   const InferenceSettings& settings,
                   const ModelFile& file,
                   const LoadedModel& loaded,
                   const RunContext& context,
                   std::span<const double> outputs,
                   Model& model) {
  const auto start_time = Clock::now();
  Solved solved;
  solved.parameters = inference_parameters(settings, model);
  solved.parameters.outputs.assign(outputs.begin(), outputs.end());
  solved.skipped = settings.skip;
  if (settings.skip) {
    solved.solution = skip(settings, loaded, model, solved.parameters);
  } else {
    ProgressLine line("solving", !common.quiet && !common.json);
    SolveOptions options = settings.solve;
    options.integer = integer_atoms(file, loaded.program, model);
    choose_integer_solver(loaded.program, options);
    options.stop = context.stop;
    options.progress = [&](const SolveProgress& progress) { line.update(progress_text(progress)); };
    std::optional<Solution> start;
    if (!flags.warm_start.empty()) {
      start = load_state(flags.warm_start, model);
    } else if (settings.initial_value != InitialValue::kRandom) {
      start = initial_solution(settings, loaded, model);
    }
    try {
      solved.solution = solve(model, solved.parameters, options, start ? &*start : nullptr);
    } catch (const std::invalid_argument& error) {
      throw_unfit(error.what());
    }
  }
  solved.seconds = std::chrono::duration<double>(Clock::now() - start_time).count();
  return solved;
}

}  // namespace sorites
