#include "markov_phase.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "exit_code.h"
#include "modelfile/markov_kind.h"
#include "output.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

// Flags that are another name of an option.
std::vector<OptionSetting> flag_settings(const CommonFlags& flags, const MarkovInferFlags& own) {
  std::vector<OptionSetting> settings;
  if (own.max_iterations.value_or(0) != 0) {  // 0 is the method's own limit
    settings.push_back({"meanfield.iterations", std::to_string(*own.max_iterations), {}});
  }
  if (own.time_limit) {
    settings.push_back({"inference.time_limit", fmt::format("{}", *own.time_limit), {}});
  }
  if (flags.threads != 0) {
    settings.push_back({"parallel.numthreads", std::to_string(flags.threads), {}});
  }
  if (flags.seed != 0) settings.push_back({"random.seed", std::to_string(flags.seed), {}});
  return settings;
}

MarkovStatus status_of(double change, double tolerance, bool stopped, bool interrupted) {
  if (stopped) return interrupted ? MarkovStatus::kInterrupted : MarkovStatus::kTimeLimit;
  if (change <= tolerance) return MarkovStatus::kConverged;
  return tolerance > 0.0 ? MarkovStatus::kIterationLimit : MarkovStatus::kDone;
}

}  // namespace

void refuse_flags(const CommonFlags& flags,
                  const std::vector<std::pair<const char*, bool>>& given) {
  option_settings(flags);  // a malformed --set is a mistake of the command line: it comes first
  const auto refuse = [](const char* name) {
    throw CLI::ValidationError(name, "means nothing for a model of Markov logic");
  };
  const bool has_phases = !is_markov_text(flags.model);
  if (!has_phases && !flags.phase.empty() && flags.phase != "infer") refuse("--phase");
  for (const auto& [name, is_given] : given) {
    if (is_given) refuse(name);
  }
}

LoadedMarkov read_markov_phase(const CommonFlags& flags,
                               const RunContext& context,
                               NetworkUse networks,
                               const MarkovInferFlags& own) {
  ProgressLine progress("loading", !flags.quiet && !flags.json);
  MarkovLoadOptions options;
  options.run_networks = networks == NetworkUse::kRun;
  options.load.threads = flags.threads;
  options.load.stop = context.stop;
  options.load.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.update(done, total);
  };
  for (const Phase phase : kPhases) {
    if (flags.phase == name_of(phase)) options.phase = phase;
  }
  return load_markov(
      flags.model, flags.data, option_settings(flags), flag_settings(flags, own), options);
}

LoadedMarkov load_markov_phase(const CommonFlags& flags,
                               const RunContext& context,
                               NetworkUse networks,
                               const MarkovInferFlags& own) {
  LoadedMarkov loaded = read_markov_phase(flags, context, networks, own);
  print_diagnostics(loaded.warnings, flags);
  return loaded;
}

std::string_view name_of(MarkovStatus status) {
  switch (status) {
    case MarkovStatus::kConverged:
      return "converged";
    case MarkovStatus::kDone:
      return "done";
    case MarkovStatus::kIterationLimit:
      return "iteration_limit";
    case MarkovStatus::kTimeLimit:
      return "time_limit";
    case MarkovStatus::kInterrupted:
      return "interrupted";
  }
  return {};  // not reached: the switch is complete
}

template <class Real>
MarkovInferred<Real> infer_phase(const CommonFlags& flags,
                                 const LoadedMarkov& loaded,
                                 const RunContext& context,
                                 BasicMeanField<Real>& layer) {
  ProgressLine progress("inferring", !flags.quiet && !flags.json);
  std::stop_source stop;
  const std::stop_callback pass_on(context.stop, [&] { stop.request_stop(); });
  const auto start = Clock::now();
  MeanFieldOptions options = loaded.mean_field;
  options.stop = stop.get_token();
  options.on_iteration = [&](std::size_t iteration, double change) {
    progress.update(fmt::format(
        "iteration {} of at most {}, change {:.1e}", iteration, options.iterations, change));
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    if (elapsed.count() > loaded.time_limit_seconds) stop.request_stop();
  };
  layer.set_options(options);
  MarkovInferred<Real> inferred{layer.infer(unaries_of<Real>(loaded.model))};
  inferred.status = status_of(inferred.result.change,
                              options.tolerance,
                              inferred.result.stopped,
                              context.stop.stop_requested());
  return inferred;
}

template MarkovInferred<float> infer_phase(const CommonFlags&,
                                           const LoadedMarkov&,
                                           const RunContext&,
                                           BasicMeanField<float>&);
template MarkovInferred<double> infer_phase(const CommonFlags&,
                                            const LoadedMarkov&,
                                            const RunContext&,
                                            BasicMeanField<double>&);

int exit_code_of(MarkovStatus status) {
  return status == MarkovStatus::kConverged || status == MarkovStatus::kDone ? kDone : kRunFailed;
}

std::string rough_count_text(double count) {
  constexpr const char* kNames[] = {"thousand", "million", "billion", "trillion"};
  if (count < 1e4) return grouped(static_cast<std::uint64_t>(std::llround(count)));
  if (count >= 1e15) return fmt::format("{:.3g}", count);
  int name = -1;
  for (; count >= 999.5 && name < 3; count /= 1e3) ++name;
  return fmt::format("{:.3g} {}", count, kNames[name]);
}

std::string count_text(double count) {
  if (count >= 1e15) return fmt::format("{:.3g}", count);  // a double knows no more digits
  const std::string digits = grouped(static_cast<std::uint64_t>(std::llround(count)));
  return count < 1e6 ? digits : fmt::format("{} ({})", digits, rough_count_text(count));
}

}  // namespace sorites
