// How fast grounding is, and what it costs in memory.
//
//   ground_benchmark [--threads N] [--no-yardstick] MODEL...
//
// Prints, for each model, terms per second with 1 and with N threads (median of 5 runs each,
// alternating), bytes per term in the model and at the peak, and the ratio to nested loops
// (nested_loops.h) in the same process.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "nested_loops.h"
#include "sorites/ground.h"
#include "sorites/model_file.h"

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
};

void measure(const std::string& path, const Settings& settings) {
  const auto load_start = Clock::now();
  const LoadedModel loaded =
      load_model(read_model(path), Phase::kInfer, {.threads = settings.threads});
  const double load_seconds = seconds_since(load_start);
  const double before = resident_bytes();
  std::vector<double> one, many;
  std::size_t terms = 0, bytes = 0;
  double peak = 0, plan = 0;
  constexpr int kRuns = 5;
  for (int run = 0; run < kRuns; ++run) {
    for (const bool parallel : {true, false}) {
      GroundReport report;
      const Model model = ground(
          loaded.program,
          loaded.database,
          {.threads = parallel ? settings.threads : 1, .on_missing_target = OnMissingTarget::kSkip},
          &report);
      if (run == 0 && parallel) peak = peak_bytes() - before;
      terms = model.num_terms();
      bytes = model.memory_bytes();
      (parallel ? many : one).push_back(report.seconds);
      if (parallel) plan = report.plan_seconds;
    }
  }
  const auto count = static_cast<double>(terms);
  fmt::print(
      "{:40} {:>11} terms  {:6.1f} M/s  1 thread {:6.1f} M/s  speed-up {:4.2f}  {:5.1f} B/term  "
      "peak {:5.1f} "
      "B/term  load {:.2f} s  plan {:.3f} s",
      path.size() > 40 ? path.substr(path.size() - 40) : path,
      terms,
      count / median(many) / 1e6,
      count / median(one) / 1e6,
      median(one) / median(many),
      static_cast<double>(bytes) / count,
      peak / count,
      load_seconds,
      plan);
  if (settings.yardstick) {
    const auto start = Clock::now();
    const std::size_t made = NestedLoops(loaded.program, loaded.database).ground();
    const double per_term = seconds_since(start) / static_cast<double>(made);
    fmt::print("  nested loops x{:.1f}", per_term / (median(many) / count));
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
    } else {
      models.push_back(argument);
    }
  }
  for (const std::string& model : models) {
    // A process each, so that the peak is that of one model.
    if (const pid_t child = ::fork(); child == 0) {
      try {
        measure(model, settings);
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
  }
  return 0;
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) { return sorites::run(argc, argv); }
