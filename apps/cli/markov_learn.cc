// sorites learn on a model of Markov logic: weights of formulas and an encoder, from the facts.
#include "markov_learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "base/diagnostics.h"
#include "exit_code.h"
#include "markov_commands.h"
#include "markov_layer_learn.h"
#include "session/markov_targets.h"
#include "session/training_log.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One line per epoch, on disk as soon as the epoch is over: *.csv, or JSON lines.
class EpochLog {
 public:
  explicit EpochLog(const std::string& path) : path_(path) {
    if (path.empty()) return;
    check_log_name(path);
    file_.reset(std::fopen(path.c_str(), "wb"));
    if (!file_) fail();
    is_csv_ = std::filesystem::path(path).extension() == ".csv";
    if (is_csv_) write("epoch,loss,distillation,seconds\n");
  }

  void add(const MarkovEpoch& epoch) {
    if (!file_) return;
    constexpr const char* kCsv = "{},{},{},{:.6f}\n";
    constexpr const char* kJson =
        R"({{"epoch": {}, "loss": {}, "distillation": {}, "seconds": {:.6f}}})"
        "\n";
    write(fmt::format(fmt::runtime(is_csv_ ? kCsv : kJson),
                      epoch.epoch,
                      epoch.loss,
                      epoch.distillation,
                      epoch.seconds));
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }  // NOLINT: owned here
  };
  [[noreturn]] void fail() const {
    throw IoError(
        fmt::format("cannot write {}: {}", path_, std::generic_category().message(errno)));
  }
  void write(const std::string& text) {
    if (std::fputs(text.c_str(), file_.get()) < 0 || std::fflush(file_.get()) != 0) fail();
  }

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  bool is_csv_ = false;
};

void refuse_other_flags(const LearnFlags& flags) {
  refuse_flags(flags,
               {{"--method", is_set(flags, "runtime.learn.method")},
                {"--loss", is_set(flags, "learn.loss")},
                {"--algorithm", is_set(flags, "learn.algorithm")},
                {"--domain", is_set(flags, "learn.domain")},
                {"--step-size", is_set(flags, "learn.step_size")},
                {"--schedule", is_set(flags, "learn.schedule")},
                {"--patience", is_set(flags, "learn.patience")},
                {"--solver", is_set(flags, "learn.solver")},
                {"--gap", is_set(flags, "learn.gap")},
                {"--save-state", !flags.files.save_state.empty()},
                {"--resume", !flags.files.resume.empty()},
                {"--plot", !flags.files.plot.empty()}});
}

// Options of the model, and the flags over them.
MarkovLearnSettings settings_of(const LearnFlags& flags, const LoadedMarkov& loaded) {
  std::map<std::string, std::string> options = loaded.options;
  const auto take = [&](const char* flag, const char* option) {
    if (is_set(flags, flag)) options[option] = flags.options.at(flag);
  };
  take("learn.max_epochs", "markov.epochs");
  take("learn.time_limit", "learn.time_limit");
  if (flags.seed != 0) options["random.seed"] = std::to_string(flags.seed);
  return markov_learn_settings(options);
}

[[noreturn]] void fail_to_learn(const std::string& path, const std::string& why) {
  Diagnostics sink;
  sink.error(DiagnosticCode::kNothingToLearn, Span{path}, why);
  throw InputError(sink.take_sorted());
}

std::string progress_text(const MarkovEpoch& epoch, const MarkovLearnSettings& settings) {
  std::string text =
      fmt::format("epoch {} of {}, loss {:.4g}", epoch.epoch, settings.learn.epochs, epoch.loss);
  if (settings.learn.dimension > 0)
    text += fmt::format(", distillation {:.4g}", epoch.distillation);
  const auto left = static_cast<double>(settings.learn.epochs - epoch.epoch);
  const double seconds = std::min(epoch.seconds / static_cast<double>(epoch.epoch) * left,
                                  settings.time_limit_seconds - epoch.seconds);
  return text + ", " + duration_text(std::max(seconds, 0.0)) + " left";
}

void learn(const LearnFlags& flags, const RunContext& context, EpochLog& log, MarkovLearnRun& run) {
  const auto start = Clock::now();
  ProgressLine progress("learning", !flags.quiet && !flags.json);
  std::stop_source stop;
  const std::stop_callback pass_on(context.stop, [&] { stop.request_stop(); });
  MarkovLearnOptions options = run.settings.learn;
  options.inference = run.loaded.mean_field;
  options.inference.track_free_energy = false;
  options.stop = stop.get_token();
  try {
    run.learned = learn_markov(run.loaded.model, options, [&](const MarkovEpoch& epoch) {
      log.add(epoch);
      progress.update(progress_text(epoch, run.settings));
      if (epoch.seconds > run.settings.time_limit_seconds) stop.request_stop();
    });
  } catch (const std::invalid_argument& error) {
    fail_to_learn(run.path, error.what());
  }
  run.interrupted = run.learned.stopped && context.stop.stop_requested();
  run.out_of_time = run.learned.stopped && !run.interrupted;
  run.learn_seconds = seconds_since(start);
}

void evaluate(const LearnFlags& flags, const RunContext& context, MarkovLearnRun& run) {
  const auto start = Clock::now();
  LoadedMarkov learned = run.loaded;
  learned.model = with_learned(std::move(learned.model), run.learned);
  learned.mean_field.track_free_energy = false;
  const MarkovTargets targets = markov_targets(learned, TargetChoice::kQueries);
  MeanField layer(learned.model, learned.mean_field);
  const MarkovInferred<float> inferred = infer_phase(flags, learned, context, layer);
  std::vector<Diagnostic> warnings;
  run.metrics = evaluate_model(targets.loaded,
                               targets.ranges,
                               target_values(learned.model, targets, inferred.result.marginals),
                               &warnings);
  run.predicates = targets.loaded.program.predicates;
  print_diagnostics(warnings, flags);
  run.diagnostics.insert(run.diagnostics.end(), warnings.begin(), warnings.end());
  run.evaluate_seconds = seconds_since(start);
}

bool has_queries(const MarkovModel& model) {
  return std::any_of(model.queries.begin(), model.queries.end(), [](const MarkovAtoms& atoms) {
    return atoms.size() > 0;
  });
}

// The learned formulas are the output, unless they are in a folder.
void present(const MarkovLearnRun& run, const LearnFlags& flags) {
  if (flags.json) return print_json(to_json(run));
  const bool print_formulas = run.output.empty();
  if (print_formulas) {
    fmt::print("{}", learned_formulas_text(run));
    if (is_terminal(stdout)) fmt::print("\n");
    std::fflush(stdout);  // before the summary, on the other stream
  }
  std::FILE* stream = print_formulas ? stderr : stdout;
  if (!flags.quiet) fmt::print(stream, "{}", summary_text(run, use_color(flags.color, stream)));
  if (run.learned.diverged && flags.quiet) {
    fmt::print(stderr, "sorites: learning failed: the loss is no number any more\n");
  }
}

}  // namespace

int learn_markov(const LearnFlags& flags, const RunContext& context) {
  if (has_logic_layer(flags)) return learn_logic_layer(flags, context);
  const auto start = Clock::now();
  refuse_other_flags(flags);
  MarkovLearnRun run;
  run.path = flags.model;
  run.loaded = load_markov_phase(flags, context, NetworkUse::kRun);
  run.diagnostics = run.loaded.warnings;
  run.settings = settings_of(flags, run.loaded);
  run.load_seconds = seconds_since(start);
  EpochLog log(flags.files.log);
  learn(flags, context, log, run);
  run.output = flags.files.output;
  if (!run.output.empty()) write_markov(with_learned(run.loaded.model, run.learned), run.output);
  const bool stopped = run.interrupted || run.learned.diverged;
  if (!flags.no_eval && !stopped && has_queries(run.loaded.model)) evaluate(flags, context, run);
  run.total_seconds = seconds_since(start);
  present(run, flags);
  return stopped ? kRunFailed : kDone;
}

}  // namespace sorites
