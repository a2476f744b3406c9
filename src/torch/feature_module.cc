// Features that a TorchScript file makes of others, or of the numbers of entities.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "perception/torch_library.h"
#include "torch/architecture.h"
#include "torch/random_scope.h"

namespace sorites {
namespace {

constexpr std::size_t kRowsPerBatch =
    256;  // what is in memory at a time; rows do not depend on each other

class FeatureModule {
 public:
  explicit FeatureModule(const std::string& path) : path_(path), module_(load_script(path)) {
    module_.to(torch::kFloat);  // features are single-precision
    module_.eval();
  }

  // Appends what it makes of a batch.
  void run(const torch::Tensor& batch, FeatureArray& features) {
    const torch::NoGradGuard no_gradients;
    // As for networks: optimised code rounds otherwise after some calls.
    const torch::jit::GraphOptimizerEnabledGuard plain(false);
    const c10::IValue result = module_.forward({batch});
    if (!result.isTensor()) fail(fmt::format("it gives {}", result.tagKind()), batch);
    const torch::Tensor& rows = result.toTensor();
    if (rows.dim() == 0 || rows.size(0) != batch.size(0) || rows.is_complex()) {
      fail(fmt::format("for {} entities it gives {} of the shape ({})",
                       batch.size(0),
                       rows.is_complex() ? "complex numbers" : "a tensor",
                       fmt::join(rows.sizes().begin(), rows.sizes().end(), ", ")),
           batch);
    }
    check_shape(rows, batch, features.shape);
    const torch::Tensor numbers = single_precision(rows).contiguous();
    const float* begin = numbers.data_ptr<float>();
    features.values.insert(features.values.end(), begin, begin + numbers.numel());
  }

 private:
  // Every entity has the same shape, that of the first batch. One number is a row of one.
  void check_shape(const torch::Tensor& rows,
                   const torch::Tensor& batch,
                   std::vector<std::size_t>& shape) const {
    std::vector<std::size_t> own;
    for (const std::int64_t extent : rows.sizes().slice(1)) {
      own.push_back(static_cast<std::size_t>(extent));
    }
    if (own.empty()) own.push_back(1);
    if (std::find(own.begin(), own.end(), 0U) != own.end()) {
      fail("its features have no numbers", batch);
    }
    if (shape.empty()) shape = own;
    if (own == shape) return;
    fail(fmt::format("its features have the shape ({}) for some entities and ({}) for others",
                     fmt::join(shape, ", "),
                     fmt::join(own, ", ")),
         batch);
  }

  [[noreturn]] void fail(std::string_view what, const torch::Tensor& batch) const {
    throw NetworkError(
        fmt::format("the TorchScript file `{}` cannot give features: {}; of a tensor of the shape "
                    "({}) it must make one with a row per entity, ({}, ...)",
                    path_,
                    what,
                    fmt::join(batch.sizes().begin(), batch.sizes().end(), ", "),
                    batch.size(0)));
  }

  const std::string& path_;
  torch::jit::Module module_;
};

// Rows [first, last) of what the module is to see.
torch::Tensor batch_of(const FeatureModuleInput& input, std::size_t first, std::size_t last) {
  const auto count = static_cast<std::int64_t>(last - first);
  if (input.raw == nullptr) {
    return torch::tensor(at::ArrayRef<std::int64_t>(input.numbers.data() + first, last - first),
                         torch::kLong);
  }
  std::vector<std::int64_t> extents = {count};
  for (const std::size_t extent : input.raw->shape) {
    extents.push_back(static_cast<std::int64_t>(extent));
  }
  torch::Tensor rows = torch::empty(extents);
  const float* begin = input.raw->values.data() + first * input.raw->row_size();
  std::copy_n(begin, rows.numel(), rows.data_ptr<float>());
  return rows;
}

FeatureArray run_module(const std::string& path, const FeatureModuleInput& input) {
  FeatureModule module(path);
  torch::Tensor random_state = seeded_random_state(0);  // the same features in every run
  const RandomScope random(random_state);
  FeatureArray features;
  const std::size_t count = input.num_rows();
  for (std::size_t first = 0; first < count; first += kRowsPerBatch) {
    module.run(batch_of(input, first, std::min(first + kRowsPerBatch, count)), features);
  }
  if (count > 0) return features;
  // No entity, but networks must know the shape: that of what it makes of zeros.
  const FeatureArray zeros{input.raw == nullptr ? std::vector<std::size_t>{} : input.raw->shape,
                           std::vector<float>(input.raw == nullptr ? 1 : input.raw->row_size())};
  const std::int64_t zero = 0;
  module.run(
      input.raw == nullptr ? batch_of({nullptr, {&zero, 1}}, 0, 1) : batch_of({&zeros, {}}, 0, 1),
      features);
  features.values.clear();
  return features;
}

}  // namespace
}  // namespace sorites

extern "C" __attribute__((visibility("default"))) sorites::FeatureArray*
sorites_torch_run_feature_module(const std::string& path,
                                 const sorites::FeatureModuleInput& input) {
  using sorites::NetworkError;
  try {
    return std::make_unique<sorites::FeatureArray>(sorites::run_module(path, input)).release();
  } catch (const NetworkError&) {
    throw;
  } catch (const std::exception& error) {
    throw NetworkError(fmt::format(
        "cannot use the TorchScript file `{}`: {}; save it again by "
        "torch.jit.script(module).save(path), for {}",
        path,
        sorites::short_message(error),
        input.raw == nullptr
            ? "a tensor of the numbers of entities"
            : fmt::format("raw features of the shape ({})", fmt::join(input.raw->shape, ", "))));
  }
}
