// How fast inference is: every solver on every model, to the same certified gap.
//
//   solve_benchmark [--threads N] [--gap G] [--violation V] [--time-limit S] [--runs N]
//                   [--solver NAME]... [--no-yardstick] MODEL...
//
// One line per model and solver: seconds (median; presolve, postsolve and certificate included),
// iterations, certified gap and violation, and how many times faster than textbook ADMM
// (textbook_admm.h) on the ground model as it is, in the same process. The last line sums over the
// models.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "modelfile/model_file.h"
#include "sorites/ground.h"
#include "sorites/solve.h"
#include "textbook_admm.h"

namespace sorites {
namespace {

struct Settings {
  SolveOptions options{.gap = 1e-3, .violation = 1e-4, .time_limit_seconds = 60, .threads = 2};
  std::vector<Solver> solvers;
  std::vector<std::string> models;
  bool yardstick = true;
  int runs = 3;
};

std::string short_name(std::string path) {
  if (path.ends_with("/model.json")) path.resize(path.size() - std::string("/model.json").size());
  path = path.substr(path.rfind('/') + 1);
  return path.substr(0, path.rfind(".json"));
}

void print_row(const std::string& model,
               const Solution& solution,
               double seconds,
               double yardstick) {
  const bool done = solution.status == SolveStatus::kOptimal;
  fmt::print("| {} | {} | {:.4f} | {} | {:.1e} | {:.1e} | {} | {} |\n",
             model,
             solution.solver,
             seconds,
             solution.iterations,
             solution.relative_gap,
             solution.max_violation,
             name_of(solution.status),
             done && yardstick > 0.0 ? fmt::format("{:.1f} x", yardstick / seconds) : "");
  std::fflush(stdout);
}

struct Measured {
  Solution solution;
  std::vector<double> seconds;  // of its runs

  double total() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

// The solvers take turns, so that what else the machine does hits all of them alike; those that
// take only milliseconds run more often.
std::vector<Measured> run_in_turn(const Model& model,
                                  const Parameters& parameters,
                                  const Settings& settings) {
  constexpr int kMostRuns = 31;
  constexpr double kEnoughSeconds = 0.3, kLongRun = 10.0;
  std::vector<Measured> measured(settings.solvers.size());
  for (int run = 0; run < kMostRuns; ++run) {
    for (std::size_t s = 0; s < measured.size(); ++s) {
      Measured& mine = measured[s];
      const double spent = mine.total();
      if (run > 0 && (run < settings.runs ? spent > kLongRun : spent > kEnoughSeconds)) continue;
      SolveOptions options = settings.options;
      options.solver = settings.solvers[s];
      mine.solution = solve(model, parameters, options);
      mine.seconds.push_back(mine.solution.seconds);
      if (mine.solution.solver != name_of(options.solver)) {
        mine.solution.solver =
            fmt::format("{} ({})", name_of(options.solver), mine.solution.solver);
      }
    }
  }
  return measured;
}

// Seconds of the yardstick (or 0) and of every solver are left in `seconds`.
void measure(const std::string& path, const Settings& settings, double* seconds) {
  const LoadedModel loaded =
      load_model(read_model(path), Phase::kInfer, {.threads = settings.options.threads});
  const Model model =
      ground(loaded.program,
             loaded.database,
             {.threads = settings.options.threads, .on_missing_target = OnMissingTarget::kSkip});
  const Parameters parameters = parameters_of(model);
  const std::string name = fmt::format("{} ({} terms)", short_name(path), model.num_terms());
  if (settings.yardstick) {
    ThreadPool pool(settings.options.threads);
    const Solution textbook = TextbookAdmm(model, parameters, pool).solve(settings.options);
    seconds[0] = textbook.seconds;
    print_row(name, textbook, textbook.seconds, 0.0);
  }
  const std::vector<Measured> measured = run_in_turn(model, parameters, settings);
  for (std::size_t s = 0; s < measured.size(); ++s) {
    seconds[s + 1] = measured[s].median();
    print_row(name, measured[s].solution, seconds[s + 1], seconds[0]);
  }
}

bool parse(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto number = [&] { return i + 1 < argc ? std::atof(argv[++i]) : 0.0; };
    if (argument == "--threads") {
      settings.options.threads = static_cast<unsigned>(number());
    } else if (argument == "--gap") {
      settings.options.gap = number();
    } else if (argument == "--violation") {
      settings.options.violation = number();
    } else if (argument == "--time-limit") {
      settings.options.time_limit_seconds = number();
    } else if (argument == "--runs") {
      settings.runs = std::max(1, static_cast<int>(number()));
    } else if (argument == "--no-yardstick") {
      settings.yardstick = false;
    } else if (argument == "--solver" && i + 1 < argc) {
      const std::string_view name = argv[++i];
      const auto* solver = std::find_if(
          std::begin(kSolvers), std::end(kSolvers), [&](Solver s) { return name_of(s) == name; });
      if (solver == std::end(kSolvers)) {
        fmt::print(stderr, "no solver has the name {}\n", argv[i]);
        return false;
      }
      settings.solvers.push_back(*solver);
    } else {
      settings.models.push_back(argument);
    }
  }
  if (settings.solvers.empty()) {
    for (const Solver solver : kSolvers) {
      if (solver != Solver::kInteger) settings.solvers.push_back(solver);
    }
  }
  return true;
}

int run(int argc, char** argv) {
  Settings settings;
  if (!parse(argc, argv, settings)) return 2;
  fmt::print(
      "| model | solver | seconds | iterations | gap | violation | status | against textbook ADMM "
      "|\n"
      "| --- | --- | ---: | ---: | ---: | ---: | --- | ---: |\n");
  std::fflush(stdout);
  const std::size_t columns = settings.solvers.size() + 1;
  std::vector<double> total(columns, 0.0);
  // Written by the child that measures a model: a process each, so that memory starts anew.
  auto* seconds = static_cast<double*>(::mmap(nullptr,
                                              columns * sizeof(double),
                                              PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_ANONYMOUS,
                                              -1,
                                              0));
  for (const std::string& model : settings.models) {
    std::fill(seconds, seconds + columns, 0.0);
    if (const pid_t child = ::fork(); child == 0) {
      try {
        measure(model, settings, seconds);
        std::_Exit(0);
      } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        std::_Exit(1);
      }
    } else {
      int status = 0;
      ::waitpid(child, &status, 0);
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 1;
    }
    for (std::size_t s = 0; s < columns; ++s) total[s] += seconds[s];
  }
  if (settings.yardstick)
    fmt::print("| all models | textbook ADMM | {:.3f} | | | | | |\n", total[0]);
  for (std::size_t s = 0; s < settings.solvers.size(); ++s) {
    fmt::print("| all models | {} | {:.3f} | | | | | {:.1f} x |\n",
               name_of(settings.solvers[s]),
               total[s + 1],
               total[0] / total[s + 1]);
  }
  return 0;
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) { return sorites::run(argc, argv); }
