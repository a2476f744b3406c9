#include "learn_phase.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "options/option_table.h"
#include "output.h"
#include "solve_phase.h"
#include "terminal.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

// Adds the time until it ends.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  Clock::time_point start_ = Clock::now();
};

// A flag that sets an option: it takes what the option takes.
void add_option_flag(CLI::App& command,
                     LearnFlags& flags,
                     const std::string& flag,
                     const std::string& option,
                     const std::string& type,
                     const std::string& help) {
  command.add_option(flag, flags.options[option], help)
      ->type_name(type)
      ->check([option](const std::string& text) {
        return why_bad(*find_option(option), text).value_or("");
      });
}

bool same(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.span == b.span && a.message == b.message;
}

// One phase after the other: what is said of both is said once.
class Loader {
 public:
  Loader(const LearnFlags& flags, const RunContext& context, LearnRun& run)
      : flags_(flags), context_(context), run_(run) {}

  LoadedModel load(Phase phase) {
    const Stopwatch watch(run_.seconds.load);
    ProgressLine progress(fmt::format("loading ({})", name_of(phase)),
                          !flags_.quiet && !flags_.json);
    LoadOptions options;
    options.threads = flags_.threads;
    options.stop = context_.stop;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
      progress.update(done, total);
    };
    LoadedModel loaded = load_model(run_.file, phase, options, run_.overrides);
    tell(loaded.warnings);
    return loaded;
  }

  Model ground(const LoadedModel& loaded) {
    const Stopwatch watch(run_.seconds.ground);
    return ground_phase(flags_, flags_.ground, loaded, context_).model;
  }

  void tell(std::span<const Diagnostic> diagnostics) {
    for (const Diagnostic& one : diagnostics) {
      const auto& known = run_.diagnostics;
      if (std::any_of(known.begin(), known.end(), [&](const auto& d) { return same(d, one); })) {
        continue;
      }
      print_diagnostics({&one, 1}, flags_);
      run_.diagnostics.push_back(one);
    }
  }

 private:
  const LearnFlags& flags_;
  const RunContext& context_;
  LearnRun& run_;
};

bool has_phase(const LearnRun& run, Phase phase) {
  const std::vector<Phase> phases = phases_of(run.file, run.overrides);
  return std::find(phases.begin(), phases.end(), phase) != phases.end();
}

LearningSet make_set(LoadedModel loaded, Model model) {
  std::vector<double> labels = labels_of(model, loaded.database);
  return {std::move(loaded), std::move(model), std::move(labels)};
}

void load_training(Loader& loader, LearnRun& run) {
  LoadedModel training = loader.load(Phase::kLearn);
  loader.tell(check_learning_data(run.file, training, run.settings.learn.loss));
  Model model = loader.ground(training);
  std::vector<Diagnostic> warnings;
  run.learnable = learnable_rules(run.file, model, warnings);
  if (!run.settings.weights) run.learnable.assign(model.rules.size(), false);
  loader.tell(warnings);
  for (const GroundRule& rule : model.rules) run.old_weights.push_back(rule.weight);
  if (has_phase(run, Phase::kValidation)) {
    LoadedModel validation = loader.load(Phase::kValidation);
    warnings.clear();
    validation.program = validation_program(run.file, training, validation, warnings);
    loader.tell(warnings);
    Model ground = loader.ground(validation);
    run.validation = make_set(std::move(validation), std::move(ground));
  }
  run.training = make_set(std::move(training), std::move(model));
  warnings.clear();
  warn_of_broken_rules(run.file, *run.training, warnings);
  loader.tell(warnings);
}

// Nothing, if there is nothing to infer.
void load_evaluation(Loader& loader, LearnRun& run) {
  LoadedModel loaded = loader.load(Phase::kInfer);
  Model model = loader.ground(loaded);
  if (model.num_atoms + model.num_outputs == 0) return;
  run.evaluation = make_set(std::move(loaded), std::move(model));
}

// After all data is there: networks see the training set first.
void load_networks(Loader& loader, LearnRun& run) {
  if (!has_networks(run.file)) return;
  const Stopwatch watch(run.seconds.load);
  std::vector<Diagnostic> warnings;
  const std::uint64_t seed = run.settings.learn.seed;
  run.networks =
      make_model_networks(run.file, run.training->loaded, Phase::kLearn, seed, false, warnings);
  loader.tell(warnings);
  run.network_summaries = summarise(run.networks, run.networks.inputs);
  if (run.validation) {
    run.validation_inputs =
        read_inputs(run.file, run.validation->loaded, Phase::kValidation, run.networks);
  }
  if (!run.evaluation) return;
  run.evaluation_source =
      bind_networks(run.file,
                    run.networks,
                    read_inputs(run.file, run.evaluation->loaded, Phase::kInfer, run.networks));
}

bool pretrains(const LearnRun& run) {
  const auto& options = run.networks.options;
  return std::any_of(options.begin(), options.end(), [](const NetworkOptions& network) {
    return network.pretraining.epochs > 0;
  });
}

void pretrain(const LearnFlags& flags, const RunContext& context, LearnRun& run) {
  if (!pretrains(run) || !flags.files.resume.empty()) return;  // a state knows what came of it
  const Stopwatch watch(run.seconds.pretrain);
  ProgressLine line("pretraining", !flags.quiet && !flags.json);
  run.networks.networks->pretrain(
      run.networks.inputs,
      [&](std::size_t network, std::uint64_t epoch, double loss) {
        const NetworkOptions& options = run.networks.options[network];
        line.update(fmt::format("{}, epoch {} of {}, loss {:.4g}",
                                options.name,
                                epoch,
                                options.pretraining.epochs,
                                loss));
      },
      context.stop);
  if (context.stop.stop_requested()) throw Interrupted();
}

std::string time_left(const LearnEpoch& epoch, std::uint64_t first, const LearnOptions& options) {
  const double done = static_cast<double>(epoch.epoch - first);
  double seconds = options.time_limit_seconds - epoch.seconds;
  if (!is_search(options.algorithm) && done > 0) {
    const double left = static_cast<double>(options.max_epochs) - static_cast<double>(epoch.epoch);
    seconds = std::min(seconds, left * epoch.seconds / done);
  }
  return std::isfinite(seconds) ? ", " + duration_text(std::max(seconds, 0.0)) + " left" : "";
}

// `before` is the epoch before, or the same one.
std::string progress_text(const LearnEpoch& epoch,
                          const LearnEpoch& before,
                          std::uint64_t first,
                          const LearnOptions& options) {
  std::string text = fmt::format("epoch {}, loss {:.6g}", epoch.epoch, epoch.loss);
  const auto metric = [&](const char* name, const std::optional<double>& value) {
    if (value) text += fmt::format(", {} {:.4g}", name, std::abs(*value));
  };
  metric("train", epoch.training_metric);
  metric("valid", epoch.validation_metric);
  const auto trained = static_cast<double>(epoch.num_trained - before.num_trained);
  const double seconds = epoch.seconds - before.seconds;
  if (trained > 0.0 && seconds > 0.0) text += fmt::format(", {:.0f} entities/s", trained / seconds);
  return text + fmt::format(", gap {:.0e}", epoch.relative_gap) + time_left(epoch, first, options);
}

void learn_weights(const LearnFlags& flags, const RunContext& context, LearnRun& run) {
  const Stopwatch watch(run.seconds.learn);
  const InferenceSettings inference = inference_settings(run.training->loaded.options);
  LearningTask task{run.file,
                    run.overrides,
                    run.rules,
                    *run.training,
                    run.validation ? &*run.validation : nullptr,
                    run.learnable,
                    run.settings,
                    flags.files,
                    inference.normalize,
                    inference.relaxation,
                    run.networks ? &run.networks : nullptr,
                    std::move(run.validation_inputs)};
  task.settings.learn.stop = context.stop;
  if (task.files.output.empty()) task.files.output = run.settings.output;
  ProgressLine line("learning", !flags.quiet && !flags.json);
  std::optional<LearnEpoch> first, before;
  run.outcome = run_learning(task, [&](const LearnEpoch& epoch) {
    if (!first) first = epoch;
    line.update(progress_text(epoch, before.value_or(epoch), first->epoch, task.settings.learn));
    before = epoch;
  });
  run.seconds.inference = run.outcome.inference_seconds;
  run.seconds.networks = run.outcome.network_seconds;
}

EvaluatedWeights evaluate(WeightEvaluation& evaluation,
                          const std::vector<double>& weights,
                          const LearnFlags& flags,
                          const RunContext& context,
                          Loader& loader,
                          LearnRun& run) {
  const Stopwatch watch(run.seconds.evaluate);
  const ProgressLine line("evaluating", !flags.quiet && !flags.json);
  std::vector<Diagnostic> warnings;
  std::vector<double> outputs;
  if (run.evaluation_source) outputs = run.evaluation_source->predict(0);
  EvaluatedWeights result = evaluation.evaluate(
      weights, run.rules.of(Section::kAll).size(), outputs, context.stop, &warnings);
  loader.tell(warnings);
  return result;
}

InferenceSettings evaluation_settings(const LearnFlags& flags, const LearnRun& run) {
  InferenceSettings settings = inference_settings(run.evaluation->loaded.options);
  if (flags.threads != 0) settings.solve.threads = flags.threads;
  if (flags.seed != 0) settings.solve.seed = flags.seed;
  return settings;
}

}  // namespace

void add_learn_flags(CLI::App& command, LearnFlags& flags) {
  const auto add = [&](const char* flag, const char* option, const char* type, const char* help) {
    add_option_flag(command, flags, flag, option, type, help);
  };
  add("--method",
      "runtime.learn.method",
      "NAME",
      "a loss and an algorithm in one, by the names of PSL: StructuredPerceptron (the default),\n"
      "Energy, SquaredError, BinaryCrossEntropy, GridSearch, ...");
  add("--loss",
      "learn.loss",
      "LOSSES",
      "what is wrong with weights: energy, structured_perceptron, squared_error, cross_entropy,\n"
      "or several with coefficients, as in squared_error:1,energy:0.1");
  add("--algorithm",
      "learn.algorithm",
      "NAME",
      "how weights are changed: gradient, bilevel, or a search: grid-search, random-grid,\n"
      "random-search, guided-search, hyperband, gaussian-process");
  add("--domain",
      "learn.domain",
      "NAME",
      "where weights live: softmax-simplex (the default), mirror-simplex, projected-simplex or\n"
      "non-negative");
  add("--step-size", "learn.step_size", "NUMBER", "how far a step goes; default 0.1");
  add("--schedule",
      "learn.schedule",
      "NAME",
      "how steps shrink: constant (the default), inverse or inverse-root");
  add("--epochs", "learn.max_epochs", "N", "stop after so many steps; default 100");
  add("--patience",
      "learn.patience",
      "N",
      "stop after so many epochs without a better metric, of validation if there is data for it");
  add("--time-limit", "learn.time_limit", "SECONDS", "stop after so many seconds of learning");
  add("--solver", "learn.solver", "NAME", "method of the inferences; `auto` chooses");
  add("--gap",
      "learn.gap",
      "NUMBER",
      "relative gap of inference, where no rougher one will do; default 1e-4");
  command
      .add_option("--output",
                  flags.files.output,
                  "write the learned model: *.json is a model file that runs as it is, anything\n"
                  "else the rules alone")
      ->type_name("FILE");
  command
      .add_option("--save-state",
                  flags.files.save_state,
                  "keep the state of learning while it runs, for --resume later")
      ->type_name("FILE");
  command.add_option("--resume", flags.files.resume, "go on from a state that --save-state wrote")
      ->type_name("FILE");
  command.add_option("--log", flags.files.log, "a line per epoch: *.csv, or *.json for JSON lines")
      ->type_name("FILE");
  command.add_option("--plot", flags.files.plot, "curves of loss and metrics, as an SVG picture")
      ->type_name("FILE");
  command.add_flag(
      "--no-eval", flags.no_eval, "do not evaluate on the data of the inference phase");
}

bool is_set(const LearnFlags& flags, const std::string& option) {
  const auto found = flags.options.find(option);
  return found != flags.options.end() && !found->second.empty();
}

std::vector<OptionSetting> flag_options(const LearnFlags& flags) {
  std::vector<OptionSetting> options;
  if (is_set(flags, "runtime.learn.method")) {
    options.push_back({"learn.algorithm", "", {}});  // of the model
    options.push_back({"learn.loss", "", {}});
  }
  for (const auto& [name, value] : flags.options) {
    if (!value.empty()) options.push_back({name, value, {}});
  }
  if (flags.threads != 0) {
    options.push_back({"parallel.numthreads", std::to_string(flags.threads), {}});
  }
  if (flags.seed != 0) options.push_back({"random.seed", std::to_string(flags.seed), {}});
  return options;
}

void run_learn(const LearnFlags& flags, const RunContext& context, LearnRun& run) {
  const Stopwatch watch(run.seconds.total);
  run.overrides = option_settings(flags);  // a mistake of the command line comes first
  check_files(flags.files);
  run.file = read_model(flags.model, flags.data);
  run.settings = learn_settings(run.file, run.overrides, flag_options(flags));
  Loader loader(flags, context, run);
  load_training(loader, run);
  run.rules = compile_sections(run.file, run.overrides);
  if (!flags.no_eval) load_evaluation(loader, run);
  load_networks(loader, run);
  std::optional<WeightEvaluation> evaluation;
  if (run.evaluation) {
    evaluation.emplace(run.file, *run.evaluation, evaluation_settings(flags, run));
    run.untrained = evaluate(*evaluation, run.old_weights, flags, context, loader, run);
  }
  pretrain(flags, context, run);
  learn_weights(flags, context, run);
  if (evaluation && !context.stop.stop_requested()) {
    run.learned = evaluate(*evaluation, run.outcome.weights, flags, context, loader, run);
  }
}

}  // namespace sorites
