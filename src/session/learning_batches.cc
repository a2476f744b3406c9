#include "session/learning_batches.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "session/policy_samples.h"

namespace sorites {
namespace {

// What some of the outputs of a set say of all of them.
class OutputCover {
 public:
  OutputCover(const std::vector<std::vector<std::uint32_t>>& samples, std::size_t num_outputs)
      : covered_(num_outputs, false) {
    for (const auto& outputs : samples) {
      for (const std::uint32_t output : outputs) covered_[output] = true;
    }
  }

  // The other outputs of entities some of whose outputs are covered, with one of these.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> others(
      std::span<const NetworkInputs> inputs) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
    std::uint32_t first = 0;
    for (const NetworkInputs& network : inputs) {
      std::map<std::uint32_t, std::uint32_t> covered;  // per entity
      const auto count = static_cast<std::uint32_t>(network.num_outputs());
      for (std::uint32_t i = 0; i < count; ++i) {
        if (covered_[first + i]) covered.emplace(network.entity_of[i], first + i);
      }
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto own = covered.find(network.entity_of[i]);
        if (!covered_[first + i] && own != covered.end()) {
          result.emplace_back(first + i, own->second);
        }
      }
      first += count;
    }
    return result;
  }

  // The outputs, entity by entity, of entities none of whose outputs is covered. Without `all`,
  // those only that have labels.
  std::vector<std::vector<std::uint32_t>> left(std::span<const NetworkInputs> inputs,
                                               std::span<const NetworkOptions> options,
                                               bool all) const {
    std::vector<std::vector<std::uint32_t>> result;
    std::uint32_t first = 0;
    for (std::size_t n = 0; n < inputs.size(); ++n) {
      const NetworkInputs& network = inputs[n];
      std::vector<std::vector<std::uint32_t>> of_entity(network.rows.size() / options[n].num_parts);
      std::vector<bool> wanted(of_entity.size(), true);
      for (std::size_t i = 0; i < network.num_outputs(); ++i) {
        const std::uint32_t entity = network.entity_of[i];
        of_entity[entity].push_back(first + static_cast<std::uint32_t>(i));
        if (covered_[first + i] || !(all || is_labelled(network, options[n], entity))) {
          wanted[entity] = false;
        }
      }
      for (std::size_t e = 0; e < of_entity.size(); ++e) {
        if (wanted[e] && !of_entity[e].empty()) result.push_back(std::move(of_entity[e]));
      }
      first += static_cast<std::uint32_t>(network.num_outputs());
    }
    return result;
  }

 private:
  static bool is_labelled(const NetworkInputs& inputs,
                          const NetworkOptions& options,
                          std::size_t entity) {
    if (inputs.labels.empty()) return false;
    const auto begin =
        inputs.labels.begin() + static_cast<std::ptrdiff_t>(entity * options.num_classes);
    return std::any_of(begin,
                       begin + static_cast<std::ptrdiff_t>(options.num_classes),
                       [](float label) { return !std::isnan(label); });
  }

  std::vector<bool> covered_;
};

// Rules look at some classes of an entity, but metrics at all of them.
void add_others(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& others,
                std::size_t num_outputs,
                std::vector<std::vector<std::uint32_t>>& samples) {
  std::vector<std::uint32_t> sample_of(num_outputs, 0);
  for (std::uint32_t s = 0; s < samples.size(); ++s) {
    for (const std::uint32_t output : samples[s]) sample_of[output] = s;
  }
  for (const auto& [output, of_same_entity] : others) {
    samples[sample_of[of_same_entity]].push_back(output);
  }
}

// Rules say nothing of these entities, but their labels, or metrics, do: every sample gets a share.
void share_out(const std::vector<std::vector<std::uint32_t>>& entities,
               std::vector<std::vector<std::uint32_t>>& samples) {
  for (std::size_t e = 0; e < entities.size(); ++e) {
    std::vector<std::uint32_t>& sample = samples[e % samples.size()];
    sample.insert(sample.end(), entities[e].begin(), entities[e].end());
  }
}

bool evaluates_outputs(const LearningSet& data) {
  for (PredicateId p = 0; p < data.loaded().evaluations.size(); ++p) {
    const bool has_truth = data.loaded().database.relation(p).table(Partition::kTruth).num_rows > 0;
    if (data.loaded().program.predicates[p].neural && has_truth &&
        !data.loaded().evaluations[p].empty()) {
      return true;
    }
  }
  return false;
}

std::size_t num_outputs(const Reasoner& reasoner) {
  std::size_t count = 0;
  for (const AtomRange& range : reasoner.outputs()) count += range.count;
  return count;
}

// Values of the samples, put together.
std::vector<double> joined(const std::vector<std::vector<std::uint32_t>>& samples,
                           std::span<const std::vector<double>> values,
                           std::size_t size) {
  if (samples.empty()) return values.front();
  std::vector<double> whole(size, 0.0);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    for (std::size_t i = 0; i < samples[s].size(); ++i) whole[samples[s][i]] = values[s][i];
  }
  return whole;
}

}  // namespace

std::unique_ptr<PreparedSet> prepare_set(const ModelFile& file,
                                         LearningSet& data,
                                         const LearnSettings& settings,
                                         const ModelNetworks* networks,
                                         std::vector<NetworkInputs> inputs) {
  auto prepared = std::make_unique<PreparedSet>();
  const auto metric = learning_metric(data);
  const std::size_t outputs = num_outputs(data.reasoner());
  SampleOptions options;
  if (settings.batch.components > 0) {
    options.components_per_sample = settings.components_per_sample;
  }
  options.energy = settings.energy;
  options.energy.solve.stop = settings.learn.stop;
  std::vector<std::size_t> num_used;  // per sample: outputs in rules
  if (networks != nullptr) {
    options.share_outputs = [&](std::vector<std::vector<std::uint32_t>>& samples) {
      for (const auto& sample : samples) num_used.push_back(sample.size());
      const OutputCover cover(samples, outputs);
      const bool all = metric && evaluates_outputs(data);
      if (all) add_others(cover.others(inputs), outputs, samples);
      share_out(cover.left(inputs, networks->options, all), samples);
    };
  }
  prepared->samples = data.reasoner().samples(data.labels, options);
  for (const auto& energy : prepared->samples.energies) {
    prepared->set.samples.push_back({energy.get(), {}});
  }
  if (settings.learn.algorithm == LearnAlgorithm::kPolicy) {
    if (metric) add_sample_metric(data, *prepared);
    if (networks != nullptr) add_choices(file, *networks, inputs, num_used, *prepared);
  }
  if (networks != nullptr) {
    prepared->source = bind_networks(file, *networks, std::move(inputs), prepared->samples.outputs);
    prepared->set.networks = prepared->source.get();
  }
  if (!metric) return prepared;
  prepared->set.metric = [metric, &data, outputs, &samples = prepared->samples](
                             const auto& states, const auto& network_outputs) {
    return metric(joined(samples.targets, states, data.labels.size()),
                  joined(samples.outputs, network_outputs, outputs));
  };
  return prepared;
}

}  // namespace sorites
