// What inference costs inside learning, where the same model is solved again and again with weights
// that have changed a little.
//
//   learn_benchmark [--threads N] [--gap G] [--violation V] [--updates N] [--samples N] [--step S]
//                   [--constant-step] [--multipliers] [--no-textbook] MODEL...
//
// Learns the weights of every model by mirror descent on the structured perceptron, with the steps
// and gradient limits that are the defaults of PSL. After every update the model is
// solved from the solution before (warm; with multipliers per term only if asked for); for a sample
// of the updates, spread evenly, also from nothing (cold): grounding is not part of it, presolve
// is. One line per model: seconds of a cold solve by the solver that is chosen, by ADMM on the same
// presolved problem and by textbook ADMM on the ground model (textbook_admm.h); of a warm one
// (median and mean over all updates); how many times cheaper warm is; the largest certified gap of
// the warm and of the cold solves.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "hinge/energy/hinge_energy.h"
#include "hinge/energy/potentials.h"
#include "hinge/solve/inference.h"
#include "modelfile/model_file.h"
#include "sorites/ground.h"
#include "sorites/solve.h"
#include "textbook_admm.h"

namespace sorites {
namespace {

struct Settings {
  SolveOptions options{.gap = 1e-3, .violation = 1e-4, .time_limit_seconds = 60, .threads = 2};
  std::vector<std::string> models;
  int updates = 500;
  int samples = 5;
  double step = 0.1;
  bool step_shrinks = true;
  bool textbook = true;
  bool multipliers = false;
};

// Times of one kind of solve.
struct Times {
  std::vector<double> seconds;
  double iterations = 0.0;
  double largest_gap = 0.0;
  int unfinished = 0;

  void add(const Solution& solution) {
    seconds.push_back(solution.seconds);
    iterations += static_cast<double>(solution.iterations);
    largest_gap = std::max(largest_gap, std::abs(solution.relative_gap));
    if (solution.status != SolveStatus::kOptimal) ++unfinished;
  }
  double mean() const {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0) /
           std::max(1.0, static_cast<double>(seconds.size()));
  }
  double median() const {
    if (seconds.empty()) return 0.0;
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

struct Measured {
  Times cold, admm, textbook, warm;
};

std::string short_name(std::string path) {
  path = path.substr(path.rfind('/') + 1);
  return path.substr(0, path.rfind(".json"));
}

// Weights on the unit simplex, and how an epoch moves them (PSL's mirror descent).
class MirrorDescent {
 public:
  explicit MirrorDescent(const Model& model) : model_(model) {}

  void normalise(std::vector<double>& weights) const {
    double total = 0.0;
    for (std::size_t r = 0; r < weights.size(); ++r) total += learned(r) ? weights[r] : 0.0;
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (learned(r)) weights[r] /= total;
    }
  }

  void update(std::vector<double> gradient, double step, std::vector<double>& weights) const {
    constexpr double kLargestEntry = 25.0, kLeastWeight = 1e-8;
    double largest = 0.0;
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (!learned(r)) continue;
      gradient[r] -= 1.0 / std::max(weights[r], kLeastWeight);  // of the regulariser -log w
      largest = std::max(largest, std::abs(gradient[r]));
    }
    const double scale = largest > kLargestEntry ? kLargestEntry / largest : 1.0;
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (learned(r)) {
        weights[r] = std::max(kLeastWeight, weights[r] * std::exp(-step * scale * gradient[r]));
      }
    }
    normalise(weights);
  }

 private:
  bool learned(std::size_t rule) const { return !model_.rules[rule].hard; }

  const Model& model_;
};

void solve_cold(const Model& model,
                const Parameters& parameters,
                const Settings& settings,
                Measured& measured) {
  measured.cold.add(solve(model, parameters, settings.options));
  SolveOptions admm = settings.options;
  admm.solver = Solver::kAdmm;
  measured.admm.add(solve(model, parameters, admm));
  if (!settings.textbook) return;
  ThreadPool pool(settings.options.threads);
  measured.textbook.add(TextbookAdmm(model, parameters, pool).solve(settings.options));
}

Measured measure(const Model& model, std::vector<double> labels, const Settings& settings) {
  const MirrorDescent descent(model);
  ThreadPool pool(settings.options.threads);
  const auto energy = make_hinge_energy(model, std::move(labels), {.solve = settings.options});
  Inference inference(model, settings.options.threads);
  Parameters parameters = parameters_of(model);
  descent.normalise(parameters.weights);
  Solution solution = inference.solve(parameters, settings.options);
  Measured measured;
  SolveOptions warm = settings.options;
  warm.multipliers = settings.multipliers;
  const int period = std::max(1, settings.updates / std::max(1, settings.samples));
  for (int update = 1; update <= settings.updates; ++update) {
    std::vector<double> gradient = energy->latent(parameters).in_weights;
    const std::vector<double> map =
        potentials_by_rule(model, solution.truth, parameters.outputs, pool);
    for (std::size_t r = 0; r < gradient.size(); ++r) gradient[r] -= map[r];
    const double step = settings.step_shrinks ? settings.step / update : settings.step;
    descent.update(std::move(gradient), step, parameters.weights);
    solution = inference.resolve(parameters, warm);
    measured.warm.add(solution);
    if ((update - 1) % period == 0) solve_cold(model, parameters, settings, measured);
  }
  return measured;
}

std::string times_of(double slow, double fast) { return fmt::format("{:.1f} x", slow / fast); }

std::string seconds_of(const Times& times) {
  if (times.seconds.empty()) return "";
  return fmt::format("{:.5f}{}",
                     times.median(),
                     times.unfinished > 0 ? fmt::format(" ({} unfinished)", times.unfinished) : "");
}

void print_row(const std::string& name, const Measured& m) {
  const double cold_count = static_cast<double>(m.cold.seconds.size());
  const double warm_count = static_cast<double>(m.warm.seconds.size());
  fmt::print(
      "| {} | {} | {} | {} | {} | {:.5f} | {} | {} | {} | {:.0f} / {:.1f} | {:.0e} / {:.0e} |\n",
      name,
      seconds_of(m.cold),
      seconds_of(m.admm),
      seconds_of(m.textbook),
      seconds_of(m.warm),
      m.warm.mean(),
      times_of(m.cold.median(), m.warm.median()),
      times_of(m.admm.mean(), m.warm.mean()),
      m.textbook.seconds.empty() ? "" : times_of(m.textbook.mean(), m.warm.mean()),
      m.cold.iterations / cold_count,
      m.warm.iterations / warm_count,
      m.cold.largest_gap,
      m.warm.largest_gap);
  std::fflush(stdout);
}

void measure(const std::string& path, const Settings& settings) {
  const LoadedModel loaded =
      load_model(read_model(path), Phase::kLearn, {.threads = settings.options.threads});
  const Model model =
      ground(loaded.program,
             loaded.database,
             {.threads = settings.options.threads, .on_missing_target = OnMissingTarget::kSkip});
  print_row(fmt::format("{} ({} terms)", short_name(path), model.num_terms()),
            measure(model, labels_of(model, loaded.database), settings));
}

void parse(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto number = [&] { return i + 1 < argc ? std::atof(argv[++i]) : 0.0; };
    if (argument == "--threads") {
      settings.options.threads = static_cast<unsigned>(number());
    } else if (argument == "--gap") {
      settings.options.gap = number();
    } else if (argument == "--violation") {
      settings.options.violation = number();
    } else if (argument == "--updates") {
      settings.updates = std::max(1, static_cast<int>(number()));
    } else if (argument == "--samples") {
      settings.samples = std::max(1, static_cast<int>(number()));
    } else if (argument == "--step") {
      settings.step = number();
    } else if (argument == "--constant-step") {
      settings.step_shrinks = false;
    } else if (argument == "--multipliers") {
      settings.multipliers = true;
    } else if (argument == "--no-textbook") {
      settings.textbook = false;
    } else {
      settings.models.push_back(argument);
    }
  }
}

int run(int argc, char** argv) {
  Settings settings;
  parse(argc, argv, settings);
  fmt::print(
      "| model | cold | cold ADMM | textbook ADMM | warm, median | warm, mean | cold / warm | "
      "ADMM / warm, all updates | textbook / warm, all updates | iterations cold / warm | "
      "gap cold / warm |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  std::fflush(stdout);
  int failures = 0;
  for (const std::string& model : settings.models) {
    if (const pid_t child = ::fork(); child == 0) {  // a process each: memory starts anew
      try {
        measure(model, settings);
        std::_Exit(0);
      } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", model, error.what());
        std::_Exit(1);
      }
    } else {
      int status = 0;
      ::waitpid(child, &status, 0);
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) ++failures;
    }
  }
  return failures > 0 ? 1 : 0;
}

}  // namespace
}  // namespace sorites

int main(int argc, char** argv) { return sorites::run(argc, argv); }
