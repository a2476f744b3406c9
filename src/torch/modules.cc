// Networks that somebody else made: TorchScript files, and C++ modules that are registered by name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "base/framed_file.h"
#include "base/zip_archive.h"
#include "sorites/torch.h"
#include "torch/architecture.h"

namespace sorites {
namespace {

// The parameters are trained; what its maker froze is kept as it is. Numbers become
// single-precision.
void add_tensors(std::vector<torch::Tensor> parameters,
                 std::vector<torch::Tensor> buffers,
                 Architecture& result) {
  const auto convert = [](torch::Tensor& tensor) {
    if (tensor.is_floating_point()) tensor.set_data(tensor.detach().to(torch::kFloat));
  };
  for (torch::Tensor& tensor : parameters) {
    convert(tensor);
    (tensor.requires_grad() ? result.parameters : result.buffers).push_back(tensor);
  }
  for (torch::Tensor& tensor : buffers) {
    convert(tensor);
    result.buffers.push_back(tensor);
  }
}

// Runs it on zeros to see whether it takes the features and has an output per class.
void try_out(const NetworkOptions& options, const Architecture& architecture) {
  constexpr std::int64_t kEntities = 2;
  std::vector<std::int64_t> extents = {kEntities * static_cast<std::int64_t>(options.num_parts)};
  for (const std::size_t extent : options.input_shape) {
    extents.push_back(static_cast<std::int64_t>(extent));
  }
  BatchInput input{torch::zeros(extents), {}};
  if (options.num_parts > 1) {
    input.index = torch::arange(extents[0]).view({kEntities, -1});
  }
  const torch::NoGradGuard no_gradients;
  architecture.set_training(false);
  check_shape(options, architecture.logits(input), kEntities);
}

std::map<std::string, NetworkFactory>& factories() {
  static std::map<std::string, NetworkFactory> by_name;
  return by_name;
}

std::mutex& factories_mutex() {
  static std::mutex mutex;
  return mutex;
}

NetworkFactory factory_named(const NetworkOptions& options) {
  const std::lock_guard lock(factories_mutex());
  const auto found = factories().find(options.module);
  if (found != factories().end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, factory] : factories()) known.push_back(name);
  throw NetworkError(fmt::format(
      "network `{}`: no module is registered as `{}`; {}",
      options.name,
      options.module,
      known.empty() ? std::string("a program registers its modules by register_network()")
                    : fmt::format("there are: {}", fmt::join(known, ", "))));
}

}  // namespace

torch::Tensor single_precision(const torch::Tensor& outputs) {
  if (!outputs.defined()) throw std::runtime_error("it gives no tensor");
  if (outputs.is_complex()) throw std::runtime_error("its outputs are complex numbers");
  if (outputs.layout() != torch::kStrided) {
    throw std::runtime_error("its outputs are a sparse tensor: let forward() end with .to_dense()");
  }
  if (outputs.is_quantized()) {
    throw std::runtime_error("its outputs are quantized: let forward() end with .dequantize()");
  }
  return outputs.to(torch::kCPU, torch::kFloat);
}

void check_shape(const NetworkOptions& options,
                 const torch::Tensor& logits,
                 std::int64_t num_entities) {
  const std::vector<std::int64_t> expected = {num_entities,
                                              static_cast<std::int64_t>(options.num_classes)};
  if (logits.sizes() == torch::IntArrayRef(expected)) return;
  throw NetworkError(
      fmt::format("network `{}`: for {} entities `{}` gives a tensor of the shape ({}), but it "
                  "must be ({}): one number per class",
                  options.name,
                  num_entities,
                  options.module,
                  fmt::join(logits.sizes().begin(), logits.sizes().end(), ", "),
                  fmt::join(expected, ", ")));
}

torch::jit::Module load_script(const std::string& path) {
  {
    const FileMapping file(path);
    if (const std::string problem = problem_of_zip(file.bytes()); !problem.empty()) {
      throw std::runtime_error(problem);
    }
  }
  return torch::jit::load(path, torch::kCPU);
}

Architecture make_scripted(const NetworkOptions& options) {
  if (!std::filesystem::is_regular_file(options.module)) {
    throw NetworkError(
        fmt::format("network `{}`: there is no file `{}`", options.name, options.module));
  }
  try {
    auto module = std::make_shared<torch::jit::Module>(load_script(options.module));
    Architecture result;
    std::vector<torch::Tensor> parameters, buffers;
    for (const torch::Tensor& tensor : module->parameters()) parameters.push_back(tensor);
    for (const torch::Tensor& tensor : module->buffers()) buffers.push_back(tensor);
    add_tensors(std::move(parameters), std::move(buffers), result);
    result.set_training = [module](bool on) { module->train(on); };
    result.logits = [module](const BatchInput& input) {
      // Optimised code is made after some calls, and rounds otherwise: a run that is resumed would
      // not be the same.
      const torch::jit::GraphOptimizerEnabledGuard plain(false);
      return single_precision(module->forward({rows_of_entities(input)}).toTensor());
    };
    try_out(options, result);
    return result;
  } catch (const NetworkError&) {
    throw;
  } catch (const std::exception& error) {
    throw NetworkError(
        fmt::format("network `{}`: cannot use the TorchScript file `{}`: {}; save it again by "
                    "torch.jit.script(module).save(path), for features of the shape ({})",
                    options.name,
                    options.module,
                    short_message(error),
                    fmt::join(options.input_shape, ", ")));
  }
}

Architecture make_registered(const NetworkOptions& options) {
  const NetworkFactory factory = factory_named(options);
  try {
    auto module = std::make_shared<torch::nn::AnyModule>(factory(options));
    if (module->is_empty()) throw std::runtime_error("its factory made nothing");
    Architecture result;
    add_tensors(module->ptr()->parameters(), module->ptr()->buffers(), result);
    result.set_training = [module](bool on) { module->ptr()->train(on); };
    result.logits = [module](const BatchInput& input) {
      return single_precision(module->forward(rows_of_entities(input)));
    };
    try_out(options, result);
    return result;
  } catch (const NetworkError&) {
    throw;
  } catch (const std::exception& error) {
    throw NetworkError(fmt::format("network `{}`: the module `{}` does not work: {}",
                                   options.name,
                                   options.module,
                                   short_message(error)));
  }
}

void register_network(std::string name, NetworkFactory factory) {
  const std::lock_guard lock(factories_mutex());
  factories()[std::move(name)] = std::move(factory);
}

}  // namespace sorites
