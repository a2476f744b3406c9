#include "session/learning_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "base/diagnostics.h"
#include "base/stable_hash.h"
#include "base/whole_file.h"
#include "hinge/ground/fingerprint.h"
#include "session/learn_state_file.h"
#include "session/learned_networks.h"
#include "session/learning_batches.h"
#include "session/learning_files.h"
#include "session/learning_plot.h"
#include "session/training_log.h"
#include "session/weight_units.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What an algorithm looks for.
std::string goal_of(const LearnSettings& settings, const std::optional<Metric>& metric) {
  if (is_search(settings.learn.algorithm) && metric) return metric->name;
  return to_text(settings.learn.loss) + (settings.from_facts ? " of hidden facts" : "");
}

// Writes while learning runs, so that little is lost if it is killed.
class Recorder {
 public:
  // `source` are the networks that learn; null if there are none.
  Recorder(const LearningTask& task,
           const WeightUnits& scale,
           std::uint64_t fingerprint,
           OutputSource* source)
      : task_(task), scale_(scale), fingerprint_(fingerprint), source_(source) {}

  void begin(const std::optional<LearnState>& resumed) {
    if (resumed) {
      history_ = resumed->history;
      // The epoch that a state is of is gone through again.
      std::erase_if(history_, [&](const auto& epoch) { return epoch.epoch >= resumed->epoch; });
      keep(*resumed);
    }
    if (task_.files.log.empty()) return;
    const LearnAlgorithm algorithm = task_.settings.learn.algorithm;
    const LogShape shape{task_.learnable.size(),
                         source_ != nullptr,
                         algorithm == LearnAlgorithm::kBilevel,
                         algorithm == LearnAlgorithm::kPolicy,
                         task_.facts != nullptr};
    log_.emplace(task_.files.log, shape, history_);
  }

  void record(const LearnEpoch& epoch, const LearnState& state) {
    history_.push_back(epoch);
    if (log_) log_->add(epoch, scale_.as_written(state.weights));
    keep(state);
    if (seconds_since(last_) > std::max(kPeriodSeconds, 20.0 * cost_)) {
      save(state);
    } else if (!task_.files.save_state.empty()) {
      unsaved_ = state;
    }
  }

  // State and model of the last epoch that was recorded. Learning leaves networks as they go with
  // the weights that are kept.
  void finish() {
    if (unsaved_) save_state(*std::exchange(unsaved_, std::nullopt));
    write_model();
    if (!task_.files.plot.empty()) write_plot();
  }

  std::vector<double> weights() const {
    return weights_.empty() ? scale_.as_written(scale_.start()) : scale_.as_written(weights_);
  }
  std::uint64_t kept_epoch() const { return kept_epoch_; }
  const std::vector<LearnEpoch>& history() const { return history_; }

 private:
  // What a run that is killed may lose; longer if writing takes more than a twentieth of the time.
  static constexpr double kPeriodSeconds = 2.0;

  void keep(const LearnState& state) {
    const bool best = task_.settings.learn.keep_best && state.best_metric;
    weights_ = best ? state.best_weights : state.weights;
    kept_epoch_ = best ? state.best_epoch : state.epoch;
  }

  void save(const LearnState& state) {
    const auto start = Clock::now();
    save_state(state);
    unsaved_.reset();
    if (source_ != nullptr && kept_epoch_ != state.epoch) {
      source_->restore(state.best_networks);
      write_model();
      source_->restore(state.networks);  // nothing has moved them since the state was taken
    } else {
      write_model();
    }
    last_ = Clock::now();
    cost_ = seconds_since(start);
  }

  void save_state(const LearnState& state) const {
    if (task_.files.save_state.empty()) return;
    save_learn_state(state, fingerprint_, task_.files.save_state);
  }

  void write_model() const {
    const std::string& path = task_.files.output;
    if (path.empty()) return;
    std::vector<LearnedNetwork> networks;
    if (task_.networks != nullptr) networks = write_networks(*task_.networks, path);
    task_.write_model(weights(), networks);
  }

  void write_plot() const {
    const LearnOptions& learn = task_.settings.learn;
    LearningPlot plot;
    plot.title =
        fmt::format("{}: {}, {}", task_.file.path, to_text(learn.loss), name_of(learn.algorithm));
    const auto metric = task_.facts == nullptr ? primary_metric_of(task_.training) : std::nullopt;
    if (metric) {
      plot.metric = metric->name;
      plot.metric_is_negated = !metric->higher_is_better;
    }
    plot.history = history_;
    plot.kept_epoch = kept_epoch_;
    write_whole_file(task_.files.plot, learning_plot_svg(plot));
  }

  const LearningTask& task_;
  const WeightUnits& scale_;
  std::uint64_t fingerprint_;
  OutputSource* source_;
  std::optional<TrainingLog> log_;
  std::optional<LearnState> unsaved_;
  std::vector<LearnEpoch> history_;
  std::vector<double> weights_;  // the best so far, as learning sees them
  std::uint64_t kept_epoch_ = 0;
  Clock::time_point last_ = Clock::now();
  double cost_ = 0.0;
};

// Hard rules that inference relaxes have weights too, which are not learned.
std::vector<double> start_weights(const LearningTask& task, const WeightUnits& scale) {
  std::vector<double> weights = scale.start();
  const std::vector<double> relaxed = task.training.reasoner().parameters(weights).weights;
  const std::vector<WeightSlot> slots = task.training.reasoner().weight_slots();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (task.training.reasoner().rules()[slots[i].rule].hard) weights[i] = relaxed[i];
  }
  return weights;
}

// `relative_log` is in units of the loss, which is scaled.
WeightRegularizers scaled_regularizers(WeightRegularizers regularizers, double factor) {
  regularizers.negative_log *= factor;
  regularizers.l2 *= factor;
  regularizers.entropy *= factor;
  regularizers.pull_to_start *= factor;
  return regularizers;
}

LossMix scaled_loss(LossMix loss, double factor) {
  for (double* part : {&loss.energy,
                       &loss.structured_perceptron,
                       &loss.squared_error,
                       &loss.cross_entropy,
                       &loss.metric}) {
    *part *= factor;
  }
  return loss;
}

// Of a data set: rules with their weights, all atoms, and what the metrics are.
std::uint64_t fingerprint_of(const LearningSet& set) {
  const LoadedModel& loaded = set.loaded();
  StableHash hash;
  hash.add(set.reasoner().fingerprint());
  hash.add(fingerprint(loaded.program, loaded.database));
  for (const std::vector<Evaluation>& evaluations : loaded.evaluations) {
    for (const Evaluation& evaluation : evaluations) {
      hash.add(evaluation.evaluator);
      hash.add(std::uint64_t{evaluation.primary ? 1U : 0U});
      for (const OptionSetting& option : evaluation.options) {
        hash.add(option.name);
        hash.add(option.value);
      }
    }
  }
  return hash.value();
}

// Of the models that are learned from.
std::uint64_t structure_of(const LearningTask& task) {
  StableHash hash;
  hash.add(fingerprint_of(task.training));
  if (task.validation != nullptr) hash.add(fingerprint_of(*task.validation));
  return hash.value();
}

struct PreparedSets {
  std::unique_ptr<PreparedSet> training, validation;  // no validation: null
};

PreparedSets fact_sets(FactSamples& facts) {
  const auto set_of = [&](Samples& samples) {
    auto prepared = std::make_unique<PreparedSet>();
    prepared->samples = std::move(samples);
    for (const auto& energy : prepared->samples.energies) {
      prepared->set.samples.push_back({energy.get(), {}});
    }
    prepared->set.networks = facts.encoder.get();
    return prepared;
  };
  PreparedSets sets{set_of(facts.training), nullptr};
  if (!facts.validation.energies.empty()) sets.validation = set_of(facts.validation);
  return sets;
}

PreparedSets labelled_sets(LearningTask& task) {
  PreparedSets sets;
  std::vector<NetworkInputs> inputs;
  if (task.networks != nullptr) inputs = std::exchange(task.networks->inputs, {});
  sets.training =
      prepare_set(task.file, task.training, task.settings, task.networks, std::move(inputs));
  if (task.validation != nullptr) {
    sets.validation = prepare_set(task.file,
                                  *task.validation,
                                  task.settings,
                                  task.networks,
                                  std::exchange(task.validation_inputs, {}));
  }
  return sets;
}

PreparedSets prepare_sets(LearningTask& task, double weight_unit) {
  PreparedSets sets = task.facts != nullptr ? fact_sets(*task.facts) : labelled_sets(task);
  for (PreparedSet* set : {sets.training.get(), sets.validation.get()}) {
    if (set == nullptr) continue;
    for (LearnSample& sample : set->set.samples) sample.weight_scale = weight_unit;
  }
  return sets;
}

// Sets how it ended, or why it failed.
void learn(const LearningTask& task,
           const PreparedSets& sets,
           std::vector<double> weights,
           const LearnHooks& hooks,
           LearningOutcome& outcome) {
  LearnOptions options = task.settings.learn;
  const Samples& samples = sets.training->samples;
  options.loss = scaled_loss(options.loss, samples.loss_scale);
  options.regularizers = scaled_regularizers(options.regularizers, samples.regularizer_scale);
  std::vector<bool> fixed = task.learnable;
  fixed.flip();
  try {
    outcome.stop = sorites::learn(sets.training->set,
                                  sets.validation ? &sets.validation->set : nullptr,
                                  std::move(weights),
                                  fixed,
                                  options,
                                  hooks)
                       .stop;
  } catch (const LearnError& error) {
    outcome.error = error.what();
  } catch (const NetworkError& error) {
    outcome.error = error.what();
  }
}

}  // namespace

LearningOutcome run_learning(LearningTask& task,
                             const std::function<void(const LearnEpoch&)>& progress) {
  check_files(task.files);
  const LearnOptions& options = task.settings.learn;
  const std::uint64_t fingerprint = learning_fingerprint(
      structure_of(task), task.training.labels, options, task.settings.batch.components);
  std::optional<LearnState> resumed;
  if (!task.files.resume.empty()) resumed = load_learn_state(task.files.resume, fingerprint);
  const WeightUnits scale(task.training.reasoner(), task.learnable, task.settings);
  std::vector<double> weights = start_weights(task, scale);
  const PreparedSets sets = prepare_sets(task, scale.unit());
  Recorder recorder(task, scale, fingerprint, sets.training->set.networks);
  recorder.begin(resumed);
  const LearnHooks hooks{[&](const LearnEpoch& epoch, const LearnState& state) {
                           recorder.record(epoch, state);
                           if (progress) progress(epoch);
                         },
                         !task.files.save_state.empty(),
                         resumed ? &*resumed : nullptr};
  LearningOutcome outcome;
  outcome.undivided = sets.training->samples.undivided;
  learn(task, sets, std::move(weights), hooks, outcome);
  recorder.finish();
  const auto metric = sets.training->set.metric ? primary_metric_of(task.training) : std::nullopt;
  outcome.goal = goal_of(task.settings, metric);
  outcome.by_metric = is_search(options.algorithm) && metric.has_value();
  outcome.weights = recorder.weights();
  outcome.history = recorder.history();
  outcome.kept_epoch = recorder.kept_epoch();
  if (!outcome.history.empty()) {
    const LearnEpoch& last = outcome.history.back();
    const LearnEpoch before =
        resumed && !resumed->history.empty() ? resumed->history.back() : LearnEpoch{};
    outcome.inference_seconds = last.inference_seconds - before.inference_seconds;
    outcome.network_seconds = last.network_seconds - before.network_seconds;
    outcome.num_trained = last.num_trained;
  }
  return outcome;
}

}  // namespace sorites
