#include "session/learning_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "base/diagnostics.h"
#include "base/whole_file.h"
#include "hinge/ground/fingerprint.h"
#include "session/learn_state_file.h"
#include "session/learned_networks.h"
#include "session/learning_batches.h"
#include "session/learning_plot.h"
#include "session/training_log.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Weights as learning sees them, and as they are written.
class WeightUnits {
 public:
  explicit WeightUnits(const LearningTask& task)
      : learnable_(task.learnable),
        on_simplex_(task.settings.learn.domain != WeightDomain::kNonNegative) {
    written_ = task.training.reasoner().weights();
    const bool learns = std::find(learnable_.begin(), learnable_.end(), true) != learnable_.end();
    if (learns && sum_of_learned(written_) == 0.0) {  // nothing to start from: all alike
      for_learned(written_, [](double& weight) { weight = 1.0; });
    } else {
      scale_ = task.training.reasoner().parameters(written_).weight_scale;
    }
    sum_of_written_ = std::min(sum_of_learned(written_), std::numeric_limits<double>::max());
    if (task.settings.random_weights && learns) randomize(task.settings.learn.seed);
    if (task.settings.start_deviation > 0.0) spread(task.settings);
  }

  std::vector<double> start() const {
    std::vector<double> weights = written_;
    for (double& weight : weights) weight /= scale_;
    return weights;
  }
  const std::vector<double>& written() const { return written_; }

  // What weights on a simplex, or divided by the largest, are to be multiplied by.
  double unit() const { return on_simplex_ && sum_of_written_ > 0.0 ? sum_of_written_ : scale_; }

  std::vector<double> as_written(const std::vector<double>& learned) const {
    std::vector<double> weights = written_;
    const double sum = sum_of_learned(learned);
    double factor = on_simplex_ && sum > 0.0 ? sum_of_written_ / sum : scale_;
    // Ratios count: what would be too large for a number takes the others with it.
    double largest = 0.0;
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (learnable_[r]) largest = std::max(largest, learned[r]);
    }
    constexpr double kLargest = std::numeric_limits<double>::max();
    if (largest > 0.0 && !(factor <= kLargest / std::max(largest, 1.0))) {
      factor = kLargest / std::max(largest, 1.0);
    }
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (learnable_[r]) weights[r] = learned[r] * factor;
    }
    return weights;
  }

 private:
  template <class Change>
  void for_learned(std::vector<double>& weights, const Change& change) const {
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (learnable_[r]) change(weights[r]);
    }
  }

  double sum_of_learned(const std::vector<double>& weights) const {
    double sum = 0.0;
    for (std::size_t r = 0; r < weights.size(); ++r) sum += learnable_[r] ? weights[r] : 0.0;
    return sum;
  }

  // Any point of the simplex is as likely as any other; the sum stays.
  void randomize(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for_learned(written_, [&](double& weight) {
      constexpr double kSteps = 1ULL << 53U;
      weight = -std::log((static_cast<double>(random() >> 11U) + 1.0) / (kSteps + 1.0));
    });
    const double factor = sum_of_written_ / sum_of_learned(written_);
    for_learned(written_, [&](double& weight) { weight *= factor; });
  }

  // Times normal numbers of mean 1; what would not be positive is drawn again.
  void spread(const LearnSettings& settings) {
    std::mt19937_64 random(settings.learn.seed);
    std::normal_distribution<> normal(1.0, settings.start_deviation);
    for_learned(written_, [&](double& weight) {
      double factor = 0.0;
      while (factor <= 0.0) factor = normal(random);
      weight *= factor;
    });
    sum_of_written_ = std::min(sum_of_learned(written_), std::numeric_limits<double>::max());
  }

  const std::vector<bool>& learnable_;
  bool on_simplex_;
  std::vector<double> written_;
  double scale_ = 1.0;
  double sum_of_written_ = 0.0;
};

// What an algorithm looks for.
std::string goal_of(const LearnOptions& options, const std::optional<Metric>& metric) {
  return is_search(options.algorithm) && metric ? metric->name : to_text(options.loss);
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
                         algorithm == LearnAlgorithm::kPolicy};
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
    if (const auto metric = primary_metric_of(task_.training)) {
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
  std::uint64_t sum =
      set.reasoner().fingerprint() * 31U + fingerprint(loaded.program, loaded.database);
  const auto add = [&](const std::string& text) {
    sum = sum * 31U + std::hash<std::string>{}(text);
  };
  for (const std::vector<Evaluation>& evaluations : loaded.evaluations) {
    for (const Evaluation& evaluation : evaluations) {
      add(evaluation.evaluator + (evaluation.primary ? "!" : ""));
      for (const OptionSetting& option : evaluation.options) add(option.name + "=" + option.value);
    }
  }
  return sum;
}

// Of the models that are learned from.
std::uint64_t structure_of(const LearningTask& task) {
  const std::uint64_t training = fingerprint_of(task.training);
  if (task.validation == nullptr) return training;
  return training ^ (0x9E3779B97F4A7C15U * fingerprint_of(*task.validation));
}

struct PreparedSets {
  std::unique_ptr<PreparedSet> training, validation;  // no validation: null
};

PreparedSets prepare_sets(LearningTask& task, double weight_unit) {
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
  options.loss = scaled_loss(options.loss, sets.training->samples.loss_scale);
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

void check_files(const LearningFiles& files) {
  if (!files.log.empty()) check_log_name(files.log);
  if (!files.plot.empty() && !files.plot.ends_with(".svg")) {
    Diagnostics sink;
    sink.error(DiagnosticCode::kUnknownLogFormat, Span{files.plot}, "plots are SVG pictures")
        .notes.push_back({"end the name in .svg", {}});
    throw InputError(sink.take_sorted());
  }
  for (const std::string& path : {files.output, files.save_state, files.log, files.plot}) {
    if (!path.empty()) check_can_write(path);
  }
}

LearningOutcome run_learning(LearningTask& task,
                             const std::function<void(const LearnEpoch&)>& progress) {
  check_files(task.files);
  const LearnOptions& options = task.settings.learn;
  const std::uint64_t fingerprint = learning_fingerprint(
      structure_of(task), task.training.labels, options, task.settings.batch_components);
  std::optional<LearnState> resumed;
  if (!task.files.resume.empty()) resumed = load_learn_state(task.files.resume, fingerprint);
  const WeightUnits scale(task);
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
  learn(task, sets, std::move(weights), hooks, outcome);
  recorder.finish();
  const auto metric = sets.training->set.metric ? primary_metric_of(task.training) : std::nullopt;
  outcome.goal = goal_of(options, metric);
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
