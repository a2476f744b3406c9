#include "session/learning_batches.h"

#include <algorithm>
#include <cmath>

namespace sorites {
namespace {

// What some of the outputs of a set say of all of them.
class OutputCover {
 public:
  OutputCover(const std::vector<ModelPart>& parts, std::size_t num_outputs)
      : covered_(num_outputs, false) {
    for (const ModelPart& part : parts) {
      for (const std::uint32_t output : part.outputs) covered_[output] = true;
    }
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

// Rules say nothing of these entities, but their labels, or metrics, do: every batch gets a share.
void share_out(const std::vector<std::vector<std::uint32_t>>& entities,
               std::vector<ModelPart>& parts) {
  for (std::size_t e = 0; e < entities.size(); ++e) {
    ModelPart& part = parts[e % parts.size()];
    part.outputs.insert(part.outputs.end(), entities[e].begin(), entities[e].end());
    part.model.num_outputs = part.outputs.size();
  }
}

bool evaluates_outputs(const LearningSet& data) {
  for (PredicateId p = 0; p < data.loaded.evaluations.size(); ++p) {
    const bool has_truth = data.loaded.database.relation(p).table(Partition::kTruth).num_rows > 0;
    if (data.loaded.program.predicates[p].neural && has_truth &&
        !data.loaded.evaluations[p].empty()) {
      return true;
    }
  }
  return false;
}

void add_batches(const LearningSet& data, HingeEnergyOptions options, PreparedSet& prepared) {
  options.solve.threads = 1;  // batches are small, and each has threads of its own
  for (const ModelPart& part : prepared.parts) {
    std::vector<double> labels;
    for (const AtomId atom : part.atoms) labels.push_back(data.labels[atom]);
    prepared.energies.push_back(make_hinge_energy(part.model, std::move(labels), options));
  }
}

// Values of the parts, put together.
template <class Numbers>
std::vector<double> joined(const std::vector<ModelPart>& parts,
                           std::span<const std::vector<double>> values,
                           Numbers ModelPart::*numbers,
                           std::size_t size) {
  if (parts.empty()) return values.front();
  std::vector<double> whole(size, 0.0);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Numbers& of_part = parts[p].*numbers;
    for (std::size_t i = 0; i < of_part.size(); ++i) whole[of_part[i]] = values[p][i];
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
  HingeEnergyOptions options = settings.energy;
  options.solve.stop = settings.learn.stop;
  const auto metric = learning_metric(data);
  if (settings.batch_components > 0) {
    prepared->parts = split_by_components(data.model, settings.components_per_sample);
    if (networks != nullptr) {
      const OutputCover cover(prepared->parts, data.model.num_outputs);
      share_out(cover.left(inputs, networks->options, metric && evaluates_outputs(data)),
                prepared->parts);
    }
    add_batches(data, options, *prepared);
  } else {
    prepared->energies.push_back(make_hinge_energy(data.model, data.labels, options));
  }
  for (const auto& energy : prepared->energies) {
    prepared->set.samples.push_back({energy.get(), {}});
  }
  if (networks != nullptr) {
    std::vector<std::vector<std::uint32_t>> outputs_of_sample;
    for (const ModelPart& part : prepared->parts) outputs_of_sample.push_back(part.outputs);
    prepared->source =
        bind_networks(file, *networks, std::move(inputs), std::move(outputs_of_sample));
    prepared->set.networks = prepared->source.get();
  }
  if (!metric) return prepared;
  prepared->set.metric = [metric, &data, &parts = prepared->parts](const auto& states,
                                                                   const auto& outputs) {
    return metric(joined(parts, states, &ModelPart::atoms, data.model.num_atoms),
                  joined(parts, outputs, &ModelPart::outputs, data.model.num_outputs));
  };
  return prepared;
}

}  // namespace sorites
