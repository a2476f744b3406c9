#include "torch/network_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "torch/outputs.h"

namespace sorites {
namespace {

// Adds the time it lives.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The mean over several batches.
class LossSum {
 public:
  void add(const CrossEntropy& batch) {
    sum_ += batch.sum.item<double>();
    count_ += batch.count;
  }
  double mean() const { return sum_ / static_cast<double>(std::max<std::int64_t>(count_, 1)); }

 private:
  double sum_ = 0.0;
  std::int64_t count_ = 0;
};

}  // namespace

NetworkSource::NetworkSource(std::span<const std::unique_ptr<Network>> networks,
                             std::vector<Entities> entities,
                             std::vector<std::vector<std::uint32_t>> outputs_of_sample)
    : networks_(networks),
      entities_(std::move(entities)),
      outputs_of_sample_(std::move(outputs_of_sample)),
      predictions_(networks.size()),
      batches_(networks.size()) {
  for (std::uint32_t k = 0; k < networks_.size(); ++k) {
    for (std::size_t i = 0; i < entities_[k].num_outputs(); ++i) {
      place_of_output_.push_back({k, entities_[k].entity_of(i), entities_[k].class_of(i)});
    }
    batches_[k].place.resize(entities_[k].size());
    batches_[k].is_in.resize(entities_[k].size());
  }
  if (outputs_of_sample_.empty()) {
    outputs_of_sample_.emplace_back(place_of_output_.size());
    std::iota(outputs_of_sample_[0].begin(), outputs_of_sample_[0].end(), 0U);
  }
  spread_labelled();
}

void NetworkSource::spread_labelled() {
  extra_.assign(outputs_of_sample_.size(),
                std::vector<std::vector<std::uint32_t>>(networks_.size()));
  std::vector<std::vector<bool>> in_sample;
  for (const Entities& entities : entities_) in_sample.emplace_back(entities.size(), false);
  for (const auto& outputs : outputs_of_sample_) {
    for (const std::uint32_t output : outputs) {
      const Place& place = place_of_output_[output];
      in_sample[place.network][place.entity] = true;
    }
  }
  for (std::size_t k = 0; k < networks_.size(); ++k) {
    std::size_t next = 0;
    for (std::uint32_t entity = 0; entity < entities_[k].size(); ++entity) {
      if (in_sample[k][entity] || !entities_[k].is_labelled(entity)) continue;
      extra_[next++ % extra_.size()][k].push_back(entity);
    }
  }
}

std::vector<double> NetworkSource::predict(std::size_t sample) {
  const Stopwatch watch(seconds_);
  for (std::size_t k = 0; k < networks_.size(); ++k) predict_all(k);
  std::vector<double> outputs;
  outputs.reserve(outputs_of_sample_.at(sample).size());
  for (const std::uint32_t output : outputs_of_sample_[sample]) {
    const Place& place = place_of_output_[output];
    const std::size_t classes = networks_[place.network]->options().num_classes;
    outputs.push_back(predictions_[place.network].values[place.entity * classes + place.in_row]);
  }
  return outputs;
}

// Large batches, and only if something has changed since the last time.
void NetworkSource::predict_all(std::size_t network) {
  constexpr std::size_t kEntitiesPerBatch = 256;
  Prediction& prediction = predictions_[network];
  if (prediction.known && prediction.version == networks_[network]->version()) return;
  Entities& entities = entities_[network];
  prediction.values.resize(entities.size() * networks_[network]->options().num_classes);
  float* out = prediction.values.data();
  LossSum loss;
  std::vector<std::uint32_t> batch;
  for (std::size_t begin = 0; begin < entities.size(); begin += kEntitiesPerBatch) {
    batch.resize(std::min(kEntitiesPerBatch, entities.size() - begin));
    std::iota(batch.begin(), batch.end(), static_cast<std::uint32_t>(begin));
    const Network::Result result = networks_[network]->predict(entities.batch(batch));
    out = std::copy_n(result.outputs.data_ptr<float>(), result.outputs.numel(), out);
    if (entities.has_labels()) {
      loss.add(cross_entropy(result.logits,
                             entities.labels(batch),
                             networks_[network]->options().output,
                             networks_[network]->temperature()));
    }
  }
  prediction.own_loss = networks_[network]->options().training.supervised_loss * loss.mean();
  prediction.version = networks_[network]->version();
  prediction.known = true;
}

std::vector<std::vector<double>> NetworkSource::forward(std::span<const std::size_t> samples) {
  const Stopwatch watch(seconds_);
  collect(samples);
  for (std::size_t k = 0; k < networks_.size(); ++k) run(k);
  std::vector<std::vector<double>> result(samples.size());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    result[s].reserve(outputs_of_sample_[samples[s]].size());
    for (const std::uint32_t output : outputs_of_sample_[samples[s]]) {
      const Place& place = place_of_output_[output];
      const std::size_t classes = networks_[place.network]->options().num_classes;
      const Batch& batch = batches_[place.network];
      const float* values =
          batch.trained.outputs.defined()
              ? batch.trained.outputs.data_ptr<float>() + batch.place[place.entity] * classes
              : predictions_[place.network].values.data() + place.entity * classes;
      result[s].push_back(values[place.in_row]);
    }
  }
  return result;
}

// The distinct entities of the samples, and the labelled ones that come with them.
void NetworkSource::collect(std::span<const std::size_t> samples) {
  const auto add = [](Batch& batch, std::uint32_t entity) {
    if (batch.is_in[entity] != 0) return;
    batch.is_in[entity] = 1;
    batch.place[entity] = static_cast<std::uint32_t>(batch.entities.size());
    batch.entities.push_back(entity);
  };
  for (Batch& batch : batches_) {
    for (const std::uint32_t entity : batch.entities) batch.is_in[entity] = 0;
    batch.entities.clear();
  }
  batch_samples_.assign(samples.begin(), samples.end());
  for (const std::size_t sample : samples) {
    for (const std::uint32_t output : outputs_of_sample_.at(sample)) {
      const Place& place = place_of_output_[output];
      add(batches_[place.network], place.entity);
    }
    for (std::size_t k = 0; k < networks_.size(); ++k) {
      if (networks_[k]->options().training.supervised_loss == 0.0) continue;
      for (const std::uint32_t entity : extra_[sample][k]) add(batches_[k], entity);
    }
  }
}

void NetworkSource::run(std::size_t network) {
  Batch& batch = batches_[network];
  batch.trained = {};
  if (!networks_[network]->learns()) return predict_all(network);
  if (batch.entities.empty()) return;
  batch.trained = networks_[network]->forward(entities_[network].batch(batch.entities));
}

double NetworkSource::step(std::span<const std::vector<double>> loss_in_outputs) {
  const Stopwatch watch(seconds_);
  if (loss_in_outputs.size() != batch_samples_.size()) {
    throw std::logic_error("step() needs slopes for the samples of the last forward()");
  }
  double own_loss = 0.0;
  for (std::size_t k = 0; k < networks_.size(); ++k) {
    if (!batches_[k].trained.outputs.defined()) continue;
    networks_[k]->find_gradients(loss_of(k, loss_in_outputs, own_loss));
  }
  // All of them are finite: now, and not before, parameters change.
  for (std::size_t k = 0; k < networks_.size(); ++k) {
    if (!batches_[k].trained.outputs.defined()) continue;
    networks_[k]->step();
    num_trained_ += batches_[k].entities.size();
    batches_[k].trained = {};
  }
  batch_samples_.clear();
  return own_loss;
}

// What one network is to make smaller: its own loss, and the slopes times its outputs, whose
// gradient is that of the loss behind them.
torch::Tensor NetworkSource::loss_of(std::size_t network,
                                     std::span<const std::vector<double>> loss_in_outputs,
                                     double& own_loss) {
  const Batch& batch = batches_[network];
  const NetworkOptions& options = networks_[network]->options();
  std::vector<double> slopes(batch.entities.size() * options.num_classes);
  for (std::size_t s = 0; s < batch_samples_.size(); ++s) {
    const auto& outputs = outputs_of_sample_[batch_samples_[s]];
    if (loss_in_outputs[s].size() != outputs.size()) {
      throw std::logic_error("step() needs one slope per output");
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Place& place = place_of_output_[outputs[i]];
      if (place.network != network) continue;
      slopes[batch.place[place.entity] * options.num_classes + place.in_row] +=
          options.training.symbolic_loss * loss_in_outputs[s][i];
    }
  }
  const torch::Tensor weights = torch::empty_like(batch.trained.outputs.detach());
  std::transform(slopes.begin(), slopes.end(), weights.data_ptr<float>(), [](double slope) {
    return static_cast<float>(slope);
  });
  torch::Tensor loss = (weights * batch.trained.outputs).sum();
  if (options.training.supervised_loss > 0.0 && entities_[network].has_labels()) {
    const torch::Tensor own =
        options.training.supervised_loss * cross_entropy(batch.trained.logits,
                                                         entities_[network].labels(batch.entities),
                                                         options.output,
                                                         networks_[network]->temperature())
                                               .mean();
    own_loss += own.item<double>();
    loss = loss + own;
  }
  return loss;
}

double NetworkSource::own_loss() {
  const Stopwatch watch(seconds_);
  double sum = 0.0;
  for (std::size_t k = 0; k < networks_.size(); ++k) {
    predict_all(k);
    sum += predictions_[k].own_loss;
  }
  return sum;
}

void NetworkSource::begin_epoch(std::uint64_t epoch, std::uint64_t max_epochs) {
  for (const auto& network : networks_) network->begin_epoch(epoch, max_epochs);
}

std::vector<NetworkState> NetworkSource::memory() const {
  std::vector<NetworkState> states;
  for (const auto& network : networks_) states.push_back(network->state());
  return states;
}

void NetworkSource::restore(std::span<const NetworkState> memory) {
  if (memory.size() != networks_.size()) throw NetworkError("the state is that of other networks");
  for (std::size_t k = 0; k < memory.size(); ++k) networks_[k]->restore(memory[k]);
}

// Without what came of pre-training, which is a part of where they got stuck.
bool NetworkSource::start_anew(std::uint64_t seed) {
  bool any = false;
  for (const std::unique_ptr<Network>& network : networks_) {
    if (!network->learns()) continue;
    network->restore(Network(network->options(), ++seed << 32U).state());
    any = true;
  }
  return any;
}

}  // namespace sorites
