#include "torch/network_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include "base/framed_file.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

constexpr FrameFormat kFormat = {.magic = "SORITnet",
                                 .version = 1,
                                 .what = "file of network parameters",
                                 .remedy = "learn it again",
                                 .foreign = "it is of another network"};

// A choice that shapes the parameters, as text.
struct Trait {
  std::string name, value;
};

std::string joined(const std::vector<std::size_t>& sizes) {
  std::string text;
  for (const std::size_t size : sizes) text += fmt::format("{}{}", text.empty() ? "" : ", ", size);
  return "(" + text + ")";
}

std::vector<Trait> traits_of(const NetworkOptions& options) {
  std::vector<Trait> traits = {
      {"network", std::string(name_of(options.kind))},
      {"number of classes", std::to_string(options.num_classes)},
      {"shape of features", joined(options.input_shape)},
      {"entities per atom", std::to_string(options.num_parts)},
      {"output", std::string(name_of(options.output))},
  };
  const bool described =
      options.kind != NetworkKind::kTorchScript && options.kind != NetworkKind::kRegistered;
  if (!described) return traits;
  traits.push_back({"hidden", joined(options.hidden)});
  traits.push_back({"channels", joined(options.channels)});
  traits.push_back({"kernel_size", std::to_string(options.kernel_size)});
  traits.push_back({"activation", std::string(name_of(options.activation))});
  traits.push_back({"normalization", std::string(name_of(options.normalization))});
  traits.push_back({"embedding_size", std::to_string(options.embedding_size)});
  return traits;
}

void write_text(FrameWriter& writer, std::string_view text) {
  writer.number<std::uint64_t>(text.size());
  writer.bytes(text.data(), text.size());
}

[[noreturn]] void fail(const Network& network, const std::string& path, std::string_view why) {
  throw NetworkError(
      fmt::format("network `{}`: cannot use `{}`: {}", network.options().name, path, why));
}

void check_traits(const Network& network, const std::string& path, FrameCursor& cursor) {
  const std::vector<Trait> expected = traits_of(network.options());
  const auto count = cursor.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string name = cursor.text();
    const std::string value = cursor.text();
    const auto own = std::find_if(
        expected.begin(), expected.end(), [&](const Trait& trait) { return trait.name == name; });
    if (own != expected.end() && own->value != value) {
      fail(network,
           path,
           fmt::format("its {} is {}, but that of the model is {}", name, value, own->value));
    }
  }
}

void check_vocabulary(const Network& network, const std::string& path, FrameCursor& cursor) {
  const auto& expected = network.options().vocabulary;
  const auto count = cursor.number<std::uint64_t>();
  if (count != expected.size()) {
    fail(network,
         path,
         fmt::format("it has vectors of {} entities, but the data has {}; an embedding knows only "
                     "what it was trained on",
                     count,
                     expected.size()));
  }
  for (const std::string& entity : expected) {
    const std::string own = cursor.text();
    if (own == entity) continue;
    fail(network,
         path,
         fmt::format("it has a vector of `{}` where the data has `{}`; an embedding knows only "
                     "what it was trained on",
                     own,
                     entity));
  }
}

void read_body(Network& network, const std::string& path, std::span<const char> body) {
  FrameCursor cursor(body);
  check_traits(network, path, cursor);
  check_vocabulary(network, path, cursor);
  const auto temperature = cursor.number<double>();
  std::vector<std::byte> parameters;
  cursor.array(parameters);
  if (cursor.left() > 0 || !(temperature > 0.0))
    throw DamagedFrame("it does not end where it should");
  network.set_parameter_bytes(parameters);
  // Without a schedule, the model's own temperature holds.
  if (network.options().final_temperature) network.set_temperature(temperature);
}

}  // namespace

void save_network(const Network& network, const std::string& path) {
  try {
    FrameWriter writer(path);
    const std::vector<Trait> traits = traits_of(network.options());
    writer.number<std::uint64_t>(traits.size());
    for (const Trait& trait : traits) {
      write_text(writer, trait.name);
      write_text(writer, trait.value);
    }
    writer.number<std::uint64_t>(network.options().vocabulary.size());
    for (const std::string& entity : network.options().vocabulary) write_text(writer, entity);
    writer.number(network.temperature());
    writer.array(network.parameter_bytes());
    writer.finish(kFormat, 0);
  } catch (const IoError& error) {
    throw NetworkError(fmt::format("network `{}`: {}", network.options().name, error.what()));
  }
}

void load_network(Network& network, const std::string& path) {
  try {
    const FileMapping file(path);
    const auto body = body_of(file.bytes(), kFormat, 0);
    if (const auto* problem = std::get_if<std::string>(&body)) fail(network, path, *problem);
    read_body(network, path, std::get<std::span<const char>>(body));
  } catch (const IoError& error) {
    throw NetworkError(fmt::format("network `{}`: {}", network.options().name, error.what()));
  } catch (const DamagedFrame& error) {
    fail(network, path, fmt::format("it is damaged: {}", error.what()));
  }
}

}  // namespace sorites
