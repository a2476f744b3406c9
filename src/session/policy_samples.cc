#include "session/policy_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/diagnostics.h"
#include "modelfile/finish_diagnostics.h"
#include "session/model_evaluation.h"

namespace sorites {
namespace {

// Where an output of a data set comes from.
struct OutputOrigin {
  std::uint32_t network = 0, entity = 0;
};

std::vector<OutputOrigin> origins_of(std::span<const NetworkInputs> inputs) {
  std::vector<OutputOrigin> origins;
  for (std::uint32_t n = 0; n < inputs.size(); ++n) {
    for (const std::uint32_t entity : inputs[n].entity_of) origins.push_back({n, entity});
  }
  return origins;
}

void refuse_roots(const ModelFile& file, const ModelNetworks& networks) {
  Diagnostics sink;
  for (const NetworkOptions& network : networks.options) {
    if (network.output != OutputKind::kRootSoftmax) continue;
    sink.error(DiagnosticCode::kBadOptionValue,
               Span{file.path},
               fmt::format("the outputs of `{}` are roots of probabilities, which a policy cannot "
                           "draw from",
                           network.name))
        .notes.push_back({"`\"output\": \"softmax\"` or `\"sigmoid\"` are probabilities", {}});
  }
  if (sink.has_errors()) throw InputError(finish_diagnostics(file, sink));
}

// The numbers of the outputs of a sample in the whole.
std::vector<std::uint32_t> outputs_in(const Samples& samples,
                                      std::size_t sample,
                                      std::size_t num_outputs) {
  if (!samples.outputs.empty()) return samples.outputs[sample];
  std::vector<std::uint32_t> all(num_outputs);
  for (std::uint32_t j = 0; j < num_outputs; ++j) all[j] = j;
  return all;
}

// Atoms of the evaluated predicate in one sample, and what it needs to be evaluated.
struct EvaluatedSample {
  LoadedModel model;
  std::vector<std::uint32_t> places;  // per target of the small model: in the state, or in outputs
};

// The domains of a program, whose constants come with the atoms.
std::vector<Domain> without_constants(const std::vector<Domain>& domains) {
  std::vector<Domain> result;
  result.reserve(domains.size());
  for (const Domain& domain : domains) result.push_back({domain.name, domain.type, {}, false});
  return result;
}

// Copies a target and its truth.
void copy_atom(const Database& from, PredicateId predicate, std::uint32_t row, Database& to) {
  const std::vector<std::string> texts = from.arguments(predicate, {Partition::kTarget, row});
  const std::vector<std::string_view> arguments(texts.begin(), texts.end());
  const std::string& name = from.predicates()[predicate].name;
  to.add(Partition::kTarget, name, arguments);
  const Relation& relation = from.relation(predicate);
  std::vector<Code> codes;
  for (const auto& column : relation.table(Partition::kTarget).columns)
    codes.push_back(column[row]);
  const auto truth = relation.find_truth(codes);
  if (!truth) return;
  to.add(Partition::kTruth, name, arguments, relation.table(Partition::kTruth).value(*truth));
}

const AtomRange* range_of(std::span<const AtomRange> ranges, PredicateId predicate) {
  for (const AtomRange& range : ranges) {
    if (range.predicate == predicate) return &range;
  }
  return nullptr;
}

// The metrics of all samples.
class SampleMetrics {
 public:
  SampleMetrics(const LearningSet& data, const Samples& samples, PredicateId predicate)
      : predicate_(predicate) {
    const LoadedModel& whole = data.loaded();
    const AtomRange* range = range_of(data.reasoner().targets(), predicate);
    of_state_ = range != nullptr;
    if (!of_state_) range = range_of(data.reasoner().outputs(), predicate);
    const auto& parts = of_state_ ? samples.targets : samples.outputs;
    const std::vector<Domain> domains = without_constants(whole.program.domains);
    for (std::size_t s = 0; s < samples.energies.size(); ++s) {
      EvaluatedSample one{LoadedModel{Program{whole.program.predicates, {}, domains},
                                      Database(whole.database.predicates(), domains),
                                      whole.evaluations,
                                      whole.options,
                                      {}},
                          {}};
      const std::size_t count = parts.empty() ? range->first + range->count : parts[s].size();
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t number = parts.empty() ? i : parts[s][i];
        if (number < range->first || number - range->first >= range->count) continue;
        copy_atom(whole.database, predicate, number - range->first, one.model.database);
        one.places.push_back(i);
      }
      samples_.push_back(std::move(one));
    }
  }

  double operator()(std::size_t sample,
                    std::span<const double> state,
                    std::span<const double> outputs) const {
    const EvaluatedSample& one = samples_[sample];
    const Relation& relation = one.model.database.relation(predicate_);
    if (relation.table(Partition::kTruth).num_rows == 0) return 0.0;
    std::vector<double> values;
    for (const std::uint32_t place : one.places) {
      values.push_back((of_state_ ? state : outputs)[place]);
    }
    const AtomRange range{predicate_, 0, static_cast<std::uint32_t>(values.size())};
    const auto found = primary_metric(evaluate_model(one.model, {&range, 1}, values));
    if (!found) return 0.0;
    return found->metric.higher_is_better ? found->metric.value : -found->metric.value;
  }

 private:
  PredicateId predicate_;
  bool of_state_ = true;
  std::vector<EvaluatedSample> samples_;
};

}  // namespace

void add_choices(const ModelFile& file,
                 const ModelNetworks& networks,
                 std::span<const NetworkInputs> inputs,
                 std::span<const std::size_t> num_used,
                 PreparedSet& prepared) {
  refuse_roots(file, networks);
  const std::vector<OutputOrigin> origins = origins_of(inputs);
  for (std::size_t s = 0; s < prepared.set.samples.size(); ++s) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, OutputChoice> by_entity;
    std::vector<OutputChoice>& choices = prepared.set.samples[s].choices;
    std::vector<std::uint32_t> outputs = outputs_in(prepared.samples, s, origins.size());
    if (s < num_used.size()) outputs.resize(num_used[s]);
    for (std::uint32_t i = 0; i < outputs.size(); ++i) {
      const OutputOrigin& origin = origins[outputs[i]];
      const NetworkOptions& network = networks.options[origin.network];
      if (network.training.frozen) continue;
      if (network.output == OutputKind::kSigmoid) {
        choices.push_back({{i}, true});
      } else {
        by_entity[{origin.network, origin.entity}].outputs.push_back(i);
      }
    }
    for (auto& [entity, choice] : by_entity) {
      choice.may_be_none = choice.outputs.size() < networks.options[entity.first].num_classes;
      choices.push_back(std::move(choice));
    }
  }
}

void add_sample_metric(const LearningSet& data, PreparedSet& prepared) {
  for (PredicateId p = 0; p < data.loaded().evaluations.size(); ++p) {
    const auto& evaluations = data.loaded().evaluations[p];
    const bool is_primary = std::any_of(
        evaluations.begin(), evaluations.end(), [](const Evaluation& one) { return one.primary; });
    const bool has_truth = data.loaded().database.relation(p).table(Partition::kTruth).num_rows > 0;
    if (!is_primary || !has_truth) continue;
    const auto metrics = std::make_shared<SampleMetrics>(data, prepared.samples, p);
    prepared.set.sample_metric = [metrics](std::size_t sample,
                                           std::span<const double> state,
                                           std::span<const double> outputs) {
      return (*metrics)(sample, state, outputs);
    };
    return;
  }
}

}  // namespace sorites
