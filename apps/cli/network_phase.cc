#include "network_phase.h"

#include <fmt/format.h>

#include <chrono>

#include "terminal.h"

namespace sorites {

Phase phase_of(const CommonFlags& flags) {
  for (const Phase candidate : kPhases) {
    if (flags.phase == name_of(candidate)) return candidate;
  }
  return Phase::kInfer;
}

NetworkOutputs network_phase(const CommonFlags& common,
                             const InferenceSettings& settings,
                             const ModelFile& file,
                             const LoadedModel& loaded,
                             const Model& model) {
  NetworkOutputs result;
  if (model.num_outputs == 0) return result;
  const auto start = std::chrono::steady_clock::now();
  const ProgressLine line("networks", !common.quiet && !common.json);
  ModelNetworks networks = make_model_networks(
      file, loaded, phase_of(common), settings.solve.seed, true, result.warnings);
  print_diagnostics(result.warnings, common);
  result.networks = summarise(networks, networks.inputs);
  result.values = bind_networks(file, networks, std::move(networks.inputs))->predict(0);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string network_text(const NetworkSummary& network) {
  std::string text = fmt::format("{}: {}, {} parameters{}, {} entities",
                                 network.name,
                                 network.kind,
                                 grouped(network.parameters),
                                 network.loaded ? " from a file" : "",
                                 grouped(network.entities));
  if (network.classes > 1) text += fmt::format(" of {} classes", grouped(network.classes));
  if (network.labelled > 0) text += fmt::format(", {} labelled", grouped(network.labelled));
  return text;
}

Json to_json(const NetworkSummary& network) {
  return {{"predicate", network.name},
          {"network", network.kind},
          {"parameters", network.parameters},
          {"loaded", network.loaded},
          {"entities", network.entities},
          {"labelled", network.labelled},
          {"classes", network.classes}};
}

}  // namespace sorites
