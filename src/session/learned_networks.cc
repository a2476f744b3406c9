#include "session/learned_networks.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/whole_file.h"

namespace sorites {
namespace {

void save_parameters(const Networks& networks, std::size_t network, const std::string& path) {
  try {
    networks.save(network, path);
  } catch (const NetworkError& error) {
    throw IoError(fmt::format("cannot write `{}`: {}", path, error.what()));
  }
}

}  // namespace

std::vector<LearnedNetwork> write_networks(const ModelNetworks& networks,
                                           const std::string& model_path) {
  const std::filesystem::path model(model_path);
  const std::string stem = (model.parent_path() / model.stem()).string();
  std::vector<LearnedNetwork> written;
  for (std::size_t n = 0; n < networks.options.size(); ++n) {
    const NetworkOptions& options = networks.options[n];
    LearnedNetwork& network = written.emplace_back();
    network.predicate = options.name;
    const std::string parameters = fmt::format("{}.{}.pt", stem, options.name);
    save_parameters(*networks.networks, n, parameters);
    network.load = std::filesystem::path(parameters).filename().string();
    if (options.kind != NetworkKind::kEmbedding) continue;
    const std::string entities = fmt::format("{}.{}.entities.tsv", stem, options.name);
    std::string text;
    for (const std::string& entity : options.vocabulary) text += entity + "\n";
    write_whole_file(entities, text);
    network.entities = std::filesystem::path(entities).filename().string();
  }
  return written;
}

}  // namespace sorites
