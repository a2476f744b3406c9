// How fast grounding is, and what it costs in memory.
//
//   ground_benchmark [--threads N] [--no-yardstick] MODEL...
//   ground_benchmark [--threads N] --plans MODEL...
//   ground_benchmark [--threads N] --once chosen|all MODEL...
//
// With --plans: processor time of grounding, and of the plan that enumerates all bindings
// (`sorites ground --count-all`), as medians of alternating runs, and their ratio. With --once: one
// run with one of these plans, for profilers. Without, prints,
// for each model, terms per second with 1 and with N threads (median of up to 11 runs each,
// alternating), bytes per term in the model and at the peak, the speed-up of N threads that ground
// a model each (`apart`: no more can be expected of the machine), and the ratio to nested loops
// (nested_loops.h) in the same process.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "modelfile/model_file.h"
#include "nested_loops.h"
#include "sorites/ground.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(),
                   values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// Resident memory now, from /proc.
double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
}

double peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

struct Settings {
  unsigned threads = 2;
  bool yardstick = true;
  bool plans = false;
  std::string once;  // "chosen" or "all": that plan, one run
};

Model ground_once(const LoadedModel& loaded,
                  unsigned threads,
                  GroundReport& report,
                  GroundPlan plan = GroundPlan::kCheapest) {
  return ground(loaded.program,
                loaded.database,
                {.threads = threads, .on_missing_target = OnMissingTarget::kSkip, .plan = plan},
                &report);
}

// The plan that is chosen against the one that enumerates everything.
void compare_plans(const std::string& path, const Settings& settings) {
  const int runs = settings.once.empty() ? 7 : 1;
  const LoadedModel loaded =
      load_model(read_model(path), Phase::kInfer, {.threads = settings.threads});
  std::vector<double> chosen, all;
  std::size_t terms = 0;
  std::uint64_t bindings = 0;  // that the chosen plan looks at
  for (int run = 0; run < runs; ++run) {
    for (const GroundPlan plan : {GroundPlan::kCheapest, GroundPlan::kAllBindings}) {
      const bool is_chosen = plan == GroundPlan::kCheapest;
      if (settings.once == (is_chosen ? "all" : "chosen")) continue;
      GroundReport report;
      const std::clock_t start = std::clock();
      terms = ground_once(loaded, settings.threads, report, plan).num_terms();
      (is_chosen ? chosen : all)
          .push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
      if (!is_chosen) continue;
      bindings = 0;
      for (const GroundCounts& rule : report.rules) {
        bindings += rule.terms + rule.observed + rule.satisfied + rule.missing;
      }
    }
  }
  if (!settings.once.empty()) return;
  fmt::print("{:40} {:>9} terms of {:>9} bindings  {:8.1f} ms  all bindings {:8.1f} ms  x{:.2f}\n",
             path.size() > 40 ? path.substr(path.size() - 40) : path,
             terms,
             bindings,
             median(chosen) * 1e3,
             median(all) * 1e3,
             median(all) / median(chosen));
  std::fflush(stdout);
}

// Seconds for `count` threads that each ground all of the model alone: what the machine makes of
// threads that have nothing to do with each other.
double ground_apart(const LoadedModel& loaded, unsigned count) {
  const auto start = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < count; ++t) {
      threads.emplace_back([&loaded] {
        GroundReport report;
        ground_once(loaded, 1, report);
      });
    }
  }
  return seconds_since(start);
}

struct Timings {
  std::vector<double> one, many, apart;  // seconds of the runs
  double terms = 0, bytes = 0, peak = 0, plan = 0;
};

Timings time_grounding(const LoadedModel& loaded, const Settings& settings) {
  constexpr int kMostRuns = 11, kFewestRuns = 3;
  constexpr double kEnoughSeconds = 30;
  Timings timings;
  const double before = resident_bytes();
  const auto start = Clock::now();
  for (int run = 0; run < kMostRuns && (run < kFewestRuns || seconds_since(start) < kEnoughSeconds);
       ++run) {
    for (const bool parallel : {true, false}) {
      GroundReport report;
      const Model model = ground_once(loaded, parallel ? settings.threads : 1, report);
      if (run == 0 && parallel) timings.peak = peak_bytes() - before;
      timings.terms = static_cast<double>(model.num_terms());
      timings.bytes = static_cast<double>(model.memory_bytes());
      (parallel ? timings.many : timings.one).push_back(report.seconds);
      if (parallel) timings.plan = report.plan_seconds;
    }
    timings.apart.push_back(ground_apart(loaded, settings.threads));
  }
  return timings;
}

void measure(const std::string& path, const Settings& settings) {
  const auto load_start = Clock::now();
  const LoadedModel loaded =
      load_model(read_model(path), Phase::kInfer, {.threads = settings.threads});
  const double load_seconds = seconds_since(load_start);
  const Timings timings = time_grounding(loaded, settings);
  const double one = median(timings.one), many = median(timings.many);
  fmt::print(
      "{:40} {:>11.0f} terms  {:8.3f} M/s  1 thread {:8.3f} M/s  speed-up {:4.2f} (apart {:4.2f})  "
      "{:5.1f} B/term  "
      "peak {:5.1f} B/term  load {:.2f} s  plan {:.3f} s",
      path.size() > 40 ? path.substr(path.size() - 40) : path,
      timings.terms,
      timings.terms / many / 1e6,
      timings.terms / one / 1e6,
      one / many,
      settings.threads * one / median(timings.apart),
      timings.bytes / timings.terms,
      timings.peak / timings.terms,
      load_seconds,
      timings.plan);
  if (settings.yardstick) {
    const auto start = Clock::now();
    const std::size_t made = NestedLoops(loaded.program, loaded.database).ground();
    const double per_term = seconds_since(start) / static_cast<double>(made);
    fmt::print("  nested loops x{:.1f}", per_term / (many / timings.terms));
  }
  fmt::print("\n");
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  Settings settings;
  std::vector<std::string> models;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--threads" && i + 1 < argc) {
      settings.threads = static_cast<unsigned>(std::atoi(argv[++i]));
    } else if (argument == "--no-yardstick") {
      settings.yardstick = false;
    } else if (argument == "--plans") {
      settings.plans = true;
    } else if (argument == "--once" && i + 1 < argc) {
      settings.plans = true;
      settings.once = argv[++i];
    } else {
      models.push_back(argument);
    }
  }
  for (const std::string& model : models) {
    // A process each, so that the peak is that of one model.
    if (const pid_t child = ::fork(); child == 0) {
      try {
        settings.plans ? compare_plans(model, settings) : measure(model, settings);
        std::_Exit(0);
      } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        std::_Exit(1);
      }
    } else {
      int status = 0;
      ::waitpid(child, &status, 0);
      if (WIFSIGNALED(status)) {
        fmt::print(stderr, "{}: stopped by signal {}\n", model, WTERMSIG(status));
      }
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) { return sorites::run(argc, argv); }
