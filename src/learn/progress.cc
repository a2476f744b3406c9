#include "learn/progress.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/thread_pool.h"
#include "learn/descent.h"
#include "learn/losses.h"

namespace sorites {

LearnProgress::LearnProgress(const LearnSet& training,
                             const LearnSet* validation,
                             const LearnOptions& options,
                             const LearnHooks& hooks)
    : training_(training),
      validation_(validation),
      options_(options),
      hooks_(hooks),
      began_(std::chrono::steady_clock::now()) {
  if (hooks.resume == nullptr) return;
  state_ = *hooks.resume;
  const std::vector<Energy*> all = energies();
  if (state_.energies.size() != all.size()) {
    throw std::invalid_argument("learn: the state to resume is of other samples");
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->restore(state_.energies[i]);
  std::erase_if(state_.history, [&](const LearnEpoch& e) { return e.epoch >= state_.epoch; });
  if (!state_.history.empty()) before_ = state_.history.back();
  if (training_.networks != nullptr) training_.networks->restore(state_.networks);
}

std::vector<Energy*> LearnProgress::energies() const {
  std::vector<Energy*> all;
  for (const LearnSet* set : {&training_, validation_}) {
    if (set == nullptr) continue;
    for (const LearnSample& sample : set->samples) all.push_back(sample.energy);
  }
  return all;
}

void LearnProgress::begin(std::uint64_t epoch, std::span<const double> weights) {
  state_.epoch = epoch;
  state_.weights.assign(weights.begin(), weights.end());
  if (!state_.best_metric) state_.best_weights = state_.weights;
  if (training_.networks != nullptr) state_.networks = training_.networks->memory();
  state_.energies.clear();
  if (!hooks_.keep_memory) return;
  for (Energy* energy : energies()) state_.energies.push_back(energy->memory());
}

// Samples with the outputs of networks as they are now.
std::vector<LearnSample> LearnProgress::predicted(const LearnSet& set) const {
  std::vector<LearnSample> samples = set.samples;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    if (set.networks != nullptr) samples[s].outputs = set.networks->predict(s);
  }
  return samples;
}

// The mean over the labels, with coefficients that sum up to 1. Losses of energies are none that
// could judge: they fall where all weights do.
std::optional<double> LearnProgress::validation_loss() const {
  const LossMix& loss = options_.loss;
  if (validation_ == nullptr || !loss.has_minimiser_based()) return std::nullopt;
  const double sum = loss.squared_error + loss.cross_entropy;
  const LossMix shares{.squared_error = loss.squared_error / sum,
                       .cross_entropy = loss.cross_entropy / sum};
  double value = 0.0;
  std::size_t count = 0;
  for (const LearnSample& sample : predicted(*validation_)) {
    const EnergyValue found = sample.energy->full(parameters_of(sample, state_.weights));
    const auto labels = sample.energy->labels();
    value += state_loss(shares, found, labels).value;
    for (const double label : labels) count += std::isnan(label) ? 0 : 1;
  }
  return count > 0 ? std::optional(value / static_cast<double>(count)) : std::nullopt;
}

double LearnProgress::metric_of(const LearnSet& set,
                                std::vector<std::vector<double>>& states,
                                double effort) const {
  std::vector<LearnSample> samples = predicted(set);
  states.resize(samples.size());
  ThreadPool pool(options_.threads);
  pool.for_each(samples.size(), [&](std::size_t s) {
    if (!states[s].empty()) return;
    Energy& energy = *samples[s].energy;
    const Parameters parameters = parameters_of(samples[s], state_.weights);
    states[s] = energy.full(parameters, sufficient_gap(energy, effort)).state;
  });
  std::vector<std::vector<double>> outputs;
  outputs.reserve(samples.size());
  for (LearnSample& sample : samples) outputs.push_back(std::move(sample.outputs));
  return set.metric(states, outputs);
}

void LearnProgress::measure(std::vector<std::vector<double>>& states,
                            LearnEpoch& record,
                            double effort) {
  const bool validates = validation_ != nullptr && validation_->metric;
  // Networks see training data with noise: its metric takes inferences that nothing else needs.
  const bool needs_training =
      training_.networks == nullptr || !validates || options_.training_patience > 0;
  if (training_.metric && needs_training) {
    record.training_metric = metric_of(training_, states, effort);
  }
  if (!validates) {
    record.validation_loss = validation_loss();
    return;
  }
  std::vector<std::vector<double>> validation_states;
  record.validation_metric = metric_of(*validation_, validation_states, 1.0);
}

void LearnProgress::note_best(const LearnEpoch& record) {
  auto metric = record.validation_metric;
  if (!metric && record.validation_loss) metric = -*record.validation_loss;
  if (!metric) metric = record.training_metric;
  // The loss is that of the weights of the epoch, unless it was summed up while they moved.
  const bool is_known = training_.networks == nullptr && options_.samples_per_step == 0;
  if (!metric && is_known) metric = -record.loss;
  if (!metric) return;
  const bool better = !state_.best_metric || *metric > *state_.best_metric ||
                      (*metric == *state_.best_metric && record.loss < state_.best_loss);
  if (!better) return;
  state_.best_metric = metric;
  state_.best_loss = record.loss;
  state_.best_weights = state_.weights;
  state_.best_networks = state_.networks;
  state_.best_epoch = record.epoch;
}

double LearnProgress::seconds_in_solves() const {
  double seconds = 0.0;
  for (const Energy* energy : energies()) seconds += energy->statistics().seconds;
  return seconds;
}

void LearnProgress::finish(LearnEpoch record, bool may_be_best) {
  record.epoch = state_.epoch;
  record.seconds = before_.seconds +
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  record.inference_seconds = before_.inference_seconds + seconds_in_solves();
  if (training_.networks != nullptr) {
    record.network_seconds = before_.network_seconds + training_.networks->seconds();
    record.num_trained = before_.num_trained + training_.networks->num_trained();
  }
  for (const Energy* energy : energies()) {
    record.relative_gap = std::max(record.relative_gap, energy->statistics().relative_gap);
  }
  if (may_be_best) note_best(record);
  state_.history.push_back(record);
  if (hooks_.epoch) hooks_.epoch(record, state_);
}

namespace {

using EpochMetric = std::optional<double> (*)(const LearnEpoch& epoch);

std::optional<double> of_training(const LearnEpoch& epoch) { return epoch.training_metric; }
std::optional<double> of_validation(const LearnEpoch& epoch) {
  if (epoch.validation_metric || !epoch.validation_loss) return epoch.validation_metric;
  return -*epoch.validation_loss;
}

// Epochs since the metric was last better than ever before.
std::uint64_t epochs_without_gain(const std::vector<LearnEpoch>& history, EpochMetric metric) {
  std::optional<double> best;
  std::uint64_t when = 0;
  for (const LearnEpoch& epoch : history) {
    const std::optional<double> now = metric(epoch);
    if (!now || (best && *now <= *best)) continue;
    best = now;
    when = epoch.epoch;
  }
  return best ? history.back().epoch - when : 0;
}

}  // namespace

std::optional<LearnStop> LearnProgress::stop() const {
  if (interrupted()) return LearnStop::kInterrupted;
  if (state_.history.empty()) return std::nullopt;
  const LearnEpoch& last = state_.history.back();
  const auto patience = [&](std::uint64_t most, EpochMetric metric) {
    return most > 0 && epochs_without_gain(state_.history, metric) >= most;
  };
  if (patience(options_.validation_patience, of_validation)) {
    return LearnStop::kValidationMetric;
  }
  if (patience(options_.training_patience, of_training)) {
    return LearnStop::kTrainingMetric;
  }
  if (last.seconds - before_.seconds > options_.time_limit_seconds) return LearnStop::kTime;
  return std::nullopt;
}

LearnResult LearnProgress::result(LearnStop why) {
  LearnResult result;
  result.stop = why;
  result.weights = keeps_best() ? state_.best_weights : state_.weights;
  restore_networks();
  result.state = std::move(state_);
  return result;
}

void LearnProgress::restore_networks() {
  if (training_.networks == nullptr || state_.networks.empty()) return;
  training_.networks->restore(keeps_best() ? state_.best_networks : state_.networks);
}

}  // namespace sorites
