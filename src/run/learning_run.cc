#include "run/learning_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "base/diagnostics.h"
#include "model/relax.h"
#include "run/inference_settings.h"
#include "run/learn_state_file.h"
#include "run/learning_plot.h"
#include "run/training_log.h"
#include "run/whole_file.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Weights as learning sees them, and as they are written.
class WeightScale {
 public:
  WeightScale(const LearningTask& task)
      : learnable_(task.learnable),
        on_simplex_(task.settings.learn.domain != WeightDomain::kNonNegative) {
    for (const GroundRule& rule : task.training.model.rules) written_.push_back(rule.weight);
    const double largest = *std::max_element(written_.begin(), written_.end());
    if (sum_of_learned(written_) == 0.0) {  // nothing to start from: all alike
      for_learned(written_, [](double& weight) { weight = 1.0; });
    } else if (task.normalize && largest > 0.0) {
      scale_ = largest;
    }
    if (task.settings.random_weights) randomize(task.settings.learn.seed);
  }

  std::vector<double> start() const {
    std::vector<double> weights = written_;
    for (double& weight : weights) weight /= scale_;
    return weights;
  }

  std::vector<double> as_written(const std::vector<double>& learned) const {
    std::vector<double> weights = written_;
    const double sum = sum_of_learned(learned);
    const double factor = on_simplex_ && sum > 0.0 ? sum_of_learned(written_) / sum : scale_;
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
    const double before = sum_of_learned(written_);
    std::mt19937_64 random(seed);
    for_learned(written_, [&](double& weight) {
      constexpr double kSteps = 1ULL << 53U;
      weight = -std::log((static_cast<double>(random() >> 11U) + 1.0) / (kSteps + 1.0));
    });
    const double factor = before / sum_of_learned(written_);
    for_learned(written_, [&](double& weight) { weight *= factor; });
  }

  const std::vector<bool>& learnable_;
  bool on_simplex_;
  std::vector<double> written_;
  double scale_ = 1.0;
};

// Writes while learning runs, so that little is lost if it is killed.
class Recorder {
 public:
  Recorder(const LearningTask& task, const WeightScale& scale, std::uint64_t fingerprint)
      : task_(task), scale_(scale), fingerprint_(fingerprint) {}

  void begin(std::span<const LearnEpoch> history) {
    if (task_.files.log.empty()) return;
    log_.emplace(task_.files.log, task_.training.model.rules.size(), history);
  }

  void record(const LearnEpoch& epoch, const LearnState& state) {
    if (log_) log_->add(epoch, scale_.as_written(state.weights));
    history_ = &state.history;
    best_ = task_.settings.learn.keep_best && !state.best_weights.empty() ? state.best_weights
                                                                          : state.weights;
    best_epoch_ = best_ == state.weights ? state.epoch : state.best_epoch;
    const bool due = seconds_since(last_) > std::max(kPeriodSeconds, 20.0 * cost_);
    if (due) {
      save(state);
    } else if (!task_.files.save_state.empty()) {
      unsaved_ = state;
    }
  }

  // After the last epoch that went well.
  void save_unsaved() {
    if (unsaved_) save(*std::exchange(unsaved_, std::nullopt));
  }

  void save(const LearnState& state) {
    const auto start = Clock::now();
    unsaved_.reset();
    if (!task_.files.save_state.empty()) {
      save_learn_state(state, fingerprint_, task_.files.save_state);
    }
    if (!best_.empty()) write_model(scale_.as_written(best_));
    last_ = Clock::now();
    cost_ = seconds_since(start);
  }

  void write_model(const std::vector<double>& weights) const {
    const std::string& path = task_.files.output;
    if (path.empty()) return;
    write_whole_file(path,
                     path.ends_with(".json")
                         ? learned_model_text(task_.file, task_.overrides, task_.rules, weights, path)
                         : learned_rules_text(task_.rules, weights));
  }

  const std::vector<double>& best() const { return best_; }
  std::uint64_t best_epoch() const { return best_epoch_; }

 private:
  static constexpr double kPeriodSeconds = 2.0;

  const LearningTask& task_;
  const WeightScale& scale_;
  std::uint64_t fingerprint_;
  std::optional<TrainingLog> log_;
  std::optional<LearnState> unsaved_;
  const std::vector<LearnEpoch>* history_ = nullptr;
  std::vector<double> best_;
  std::uint64_t best_epoch_ = 0;
  Clock::time_point last_ = Clock::now();
  double cost_ = 0.0;
};

}  // namespace
}  // namespace sorites
