#include "perception/model_networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/framed_file.h"
#include "base/zip_archive.h"
#include "modelfile/finish_diagnostics.h"
#include "perception/check_options.h"
#include "perception/network_call.h"
#include "perception/network_inputs.h"

namespace sorites {
namespace {

void throw_if_wrong(const ModelFile& file, Diagnostics& sink) {
  if (sink.has_errors()) throw InputError(finish_diagnostics(file, sink));
}

// A network says what is wrong in its own words; the place is that of the predicate it names.
[[noreturn]] void throw_input_error(const ModelFile& file, const NetworkError& error) {
  Span place{file.path};
  for (const PredicateDeclaration& predicate : file.predicates) {
    const bool named = std::string_view(error.what()).find(fmt::format("`{}`", predicate.name)) !=
                       std::string_view::npos;
    if (predicate.neural && named) place = predicate.declared_at;
  }
  Diagnostics sink;
  sink.error(DiagnosticCode::kBadNetwork, place, error.what());
  throw InputError(finish_diagnostics(file, sink));
}

std::string problem_of_module(const std::string& path) {
  try {
    return problem_of_zip(FileMapping(path).bytes());
  } catch (const IoError& error) {
    return error.what();
  }
}

void check_shape(const PredicateDeclaration& predicate,
                 Phase phase,
                 const NetworkOptions& made,
                 const DataOfNetwork& data,
                 Diagnostics& sink) {
  if (data.input_shape == made.input_shape || data.inputs.rows.empty()) return;
  sink.error(DiagnosticCode::kBadNetwork,
             option_place(predicate, phase, "features"),
             fmt::format("the features of `{}` have the shape ({}) in the phase `{}`, but its "
                         "network was made for ({})",
                         predicate.name,
                         fmt::join(data.input_shape, ", "),
                         name_of(phase),
                         fmt::join(made.input_shape, ", ")));
}

void warn_of_untrained_network(const PredicateDeclaration& predicate, Diagnostics& sink) {
  sink.warning(DiagnosticCode::kUntrainedNetwork,
               predicate.declared_at,
               fmt::format("the network of `{}` is not trained: its outputs are those of random "
                           "parameters",
                           predicate.name))
      .notes.push_back({"train it with `sorites learn --output learned.json` and infer that model, "
                        "or give its parameters as `load`",
                        {}});
}

}  // namespace

bool has_networks(const ModelFile& file) {
  return std::any_of(file.predicates.begin(), file.predicates.end(), [](const auto& predicate) {
    return predicate.neural;
  });
}

std::size_t ModelNetworks::num_outputs() const {
  std::size_t sum = 0;
  for (const NetworkInputs& one : inputs) sum += one.num_outputs();
  return sum;
}

ModelNetworks describe_networks(const ModelFile& file,
                                const LoadedModel& loaded,
                                Phase phase,
                                bool warn_of_untrained,
                                std::vector<Diagnostic>& warnings) {
  ModelNetworks result;
  Diagnostics sink;
  for (PredicateId p = 0; p < file.predicates.size(); ++p) {
    const PredicateDeclaration& predicate = file.predicates[p];
    if (!predicate.neural) continue;
    const std::size_t errors = sink.num_errors();
    NetworkSettings settings = network_settings(file, predicate, phase, sink);
    if (sink.num_errors() > errors) continue;
    DataOfNetwork data = read_network_inputs(file, loaded, p, phase, settings, sink);
    const bool trained =
        !settings.network.load.empty() || settings.network.kind == NetworkKind::kTorchScript;
    if (warn_of_untrained && !trained && sink.num_errors() == errors) {
      warn_of_untrained_network(predicate, sink);
    }
    settings.network.input_shape = std::move(data.input_shape);
    settings.network.vocabulary = std::move(data.vocabulary);
    result.predicates.push_back(p);
    result.options.push_back(std::move(settings.network));
    result.inputs.push_back(std::move(data.inputs));
  }
  throw_if_wrong(file, sink);
  const auto found = finish_diagnostics(file, sink);
  warnings.insert(warnings.end(), found.begin(), found.end());
  return result;
}

void check_networks(const ModelFile& file, Phase phase, const ModelNetworks& networks) {
  Diagnostics sink;
  // Inference makes none where there is nothing to say.
  const bool are_made = phase == Phase::kLearn || networks.num_outputs() > 0;
  for (std::size_t n = 0; n < networks.options.size(); ++n) {
    const NetworkOptions& options = networks.options[n];
    const PredicateDeclaration& predicate = file.predicates[networks.predicates[n]];
    try {
      if (are_made) check_options(options);
    } catch (const NetworkError& error) {
      sink.error(DiagnosticCode::kBadNetwork, predicate.declared_at, error.what());
    }
    if (options.kind != NetworkKind::kTorchScript) continue;
    const std::string problem = problem_of_module(options.module);
    if (problem.empty()) continue;
    sink.error(DiagnosticCode::kBadNetwork,
               option_place(predicate, phase, "module"),
               fmt::format("`{}`: cannot use the TorchScript file `{}`: {}",
                           options.name,
                           options.module,
                           problem));
  }
  throw_if_wrong(file, sink);
}

void make_described(const ModelFile& file,
                    std::uint64_t seed,
                    ModelNetworks& networks,
                    const MakeNetworks& make) {
  if (networks.predicates.empty()) return;
  try {
    networks.networks = make(networks.options, seed);
  } catch (const NetworkError& error) {
    throw_input_error(file, error);
  }
}

ModelNetworks make_model_networks(const ModelFile& file,
                                  const LoadedModel& loaded,
                                  Phase phase,
                                  std::uint64_t seed,
                                  bool warn_of_untrained,
                                  std::vector<Diagnostic>& warnings) {
  ModelNetworks networks = describe_networks(file, loaded, phase, warn_of_untrained, warnings);
  make_described(file, seed, networks);
  return networks;
}

void go_on_from(const ModelFile& file, const ModelNetworks& learned, ModelNetworks& networks) {
  try {
    networks.networks->go_on_from(*learned.networks);
  } catch (const NetworkError& error) {
    throw_input_error(file, error);
  }
}

std::vector<NetworkInputs> read_inputs(const ModelFile& file,
                                       const LoadedModel& loaded,
                                       Phase phase,
                                       const ModelNetworks& networks) {
  std::vector<NetworkInputs> inputs;
  Diagnostics sink;
  for (std::size_t n = 0; n < networks.predicates.size(); ++n) {
    const PredicateId p = networks.predicates[n];
    const NetworkOptions& made = networks.options[n];
    const NetworkSettings settings{made, network_data(file, file.predicates[p], phase, sink)};
    if (settings.data.num_classes() != made.num_classes) {
      sink.error(DiagnosticCode::kBadNetwork,
                 option_place(file.predicates[p], phase, "classes"),
                 fmt::format("`{}` has {} classes in the phase `{}`, but its network has {}",
                             made.name,
                             settings.data.num_classes(),
                             name_of(phase),
                             made.num_classes));
    }
    DataOfNetwork data = read_network_inputs(file, loaded, p, phase, settings, sink);
    check_shape(file.predicates[p], phase, made, data, sink);
    inputs.push_back(std::move(data.inputs));
  }
  throw_if_wrong(file, sink);
  return inputs;
}

std::unique_ptr<OutputSource> bind_networks(
    const ModelFile& file,
    const ModelNetworks& networks,
    std::vector<NetworkInputs> inputs,
    std::vector<std::vector<std::uint32_t>> outputs_of_sample) {
  try {
    return with_calls_seen(
        networks.networks->bind(std::move(inputs), std::move(outputs_of_sample)));
  } catch (const NetworkError& error) {
    throw_input_error(file, error);
  }
}

std::vector<NetworkSummary> summarise(const ModelNetworks& networks,
                                      std::span<const NetworkInputs> inputs) {
  std::vector<NetworkSummary> summaries;
  for (std::size_t n = 0; n < networks.options.size(); ++n) {
    const NetworkOptions& options = networks.options[n];
    NetworkSummary& summary = summaries.emplace_back();
    summary.name = options.name;
    summary.kind = name_of(options.kind);
    summary.parameters = networks.networks->num_parameters(n);
    summary.entities = inputs[n].rows.size() / options.num_parts;
    summary.classes = options.num_classes;
    summary.loaded = !options.load.empty();
    const auto& labels = inputs[n].labels;
    for (std::size_t first = 0; first < labels.size(); first += options.num_classes) {
      const auto begin = labels.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = begin + static_cast<std::ptrdiff_t>(options.num_classes);
      summary.labelled += std::any_of(begin, end, [](float v) { return !std::isnan(v); }) ? 1 : 0;
    }
  }
  return summaries;
}

}  // namespace sorites
