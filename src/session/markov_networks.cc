#include "session/markov_networks.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "lang/mln/atom_index.h"

namespace sorites {
namespace {

// The constants of each type, and classes, by name.
class ConstantNumbers {
 public:
  explicit ConstantNumbers(const std::vector<std::string>& names) {
    for (std::uint32_t i = 0; i < names.size(); ++i) numbers_.emplace(names[i], i);
  }
  std::uint32_t operator[](const std::string& name) const { return numbers_.at(name); }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// The atoms of all target rows of a predicate, which are the outputs of its network.
void add_outputs(const LoadedMarkovModel& loaded, PredicateId p, std::vector<MarkovAtom>& outputs) {
  const MarkovPredicate& predicate = loaded.model.predicates[p];
  std::vector<ConstantNumbers> numbers;
  for (const std::uint32_t type : predicate.arguments) {
    numbers.emplace_back(loaded.model.types[type].constants);
  }
  const ConstantNumbers classes(predicate.classes);
  const Database& database = loaded.data.database;
  const std::size_t num_rows = database.relation(p).table(Partition::kTarget).num_rows;
  for (std::uint32_t row = 0; row < num_rows; ++row) {
    const std::vector<std::string> texts = database.arguments(p, {Partition::kTarget, row});
    std::vector<std::uint32_t> constants;
    for (std::size_t k = 0; k < numbers.size(); ++k) constants.push_back(numbers[k][texts[k]]);
    outputs.push_back({p,
                       markov::atom_number(loaded.model, p, constants),
                       predicate.classes.empty() ? 1 : classes[texts.back()]});
  }
}

}  // namespace

MarkovNetworks make_markov_networks(const LoadedMarkovModel& loaded,
                                    Phase phase,
                                    std::uint64_t seed,
                                    bool warn_of_untrained,
                                    std::vector<Diagnostic>& warnings,
                                    const MakeNetworks& make) {
  MarkovNetworks result;
  result.networks =
      make_model_networks(loaded.file, loaded.data, phase, seed, warn_of_untrained, warnings, make);
  for (const PredicateId p : result.networks.predicates) add_outputs(loaded, p, result.outputs);
  return result;
}

void use_data_of(const LoadedMarkovModel& loaded, Phase phase, MarkovNetworks& networks) {
  networks.networks.inputs = read_inputs(loaded.file, loaded.data, phase, networks.networks);
  networks.outputs.clear();
  for (const PredicateId p : networks.networks.predicates) add_outputs(loaded, p, networks.outputs);
}

void add_network_unaries(const ModelFile& file,
                         const MarkovNetworks& networks,
                         MarkovModel& model) {
  if (!networks.networks) return;
  const std::vector<double> outputs =
      bind_networks(file, networks.networks, networks.networks.inputs)->predict(0);
  model.unaries.resize(model.predicates.size());
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const MarkovAtom& atom = networks.outputs[k];
    std::vector<float>& unaries = model.unaries[atom.predicate];
    const std::size_t classes = model.predicates[atom.predicate].classes.size();
    const std::size_t size =
        markov::num_atoms(model, atom.predicate) * std::max<std::size_t>(1, classes);
    if (unaries.empty()) unaries.assign(size, 0.0F);
    const std::size_t place = classes == 0 ? atom.atom : atom.atom * classes + atom.value;
    unaries[place] += static_cast<float>(unary_of_output(outputs[k], classes > 0));
  }
}

LearnResult learn_markov_networks(LoadedMarkovModel& loaded,
                                  MarkovNetworks& networks,
                                  const MeanFieldOptions& inference,
                                  LearnOptions options,
                                  const std::function<void(const LearnEpoch&)>& on_epoch) {
  MarkovTask task = task_of(loaded.model);
  task.outputs = networks.outputs;
  const auto energy = make_mean_field_energy(loaded.model, std::move(task), inference);
  const auto source = bind_networks(loaded.file, networks.networks, networks.networks.inputs);
  LearnSet training;
  training.samples.push_back({energy.get(), {}});
  training.networks = source.get();
  std::vector<bool> fixed;
  for (const MarkovFormula& formula : loaded.model.formulas) {
    fixed.insert(fixed.end(), formula.hard ? 1 : formula.weights.size(), formula.hard);
  }
  // Means over labels: neither steps nor weights depend on how many there are.
  const std::span<const double> labels = energy->labels();
  const auto known =
      std::count_if(labels.begin(), labels.end(), [](double label) { return !std::isnan(label); });
  if (known == 0) throw LearnError("no query has a known truth to learn from");
  for (double* part : {&options.loss.energy,
                       &options.loss.structured_perceptron,
                       &options.loss.squared_error,
                       &options.loss.cross_entropy}) {
    *part /= static_cast<double>(known);
  }
  // Weights of Markov logic mean what they are: no simplex, nothing that pulls them up.
  options.domain = WeightDomain::kNonNegative;
  options.regularizers.relative_log = 0.0;
  LearnHooks hooks;
  hooks.epoch = [&](const LearnEpoch& epoch, const LearnState&) {
    if (on_epoch) on_epoch(epoch);
  };
  LearnResult result = learn(training, nullptr, weights_of(loaded.model), fixed, options, hooks);
  auto weight = result.weights.begin();
  for (MarkovFormula& formula : loaded.model.formulas) {
    if (formula.hard) {
      ++weight;
      continue;
    }
    for (double& place : formula.weights) place = *weight++;
  }
  return result;
}

}  // namespace sorites
