#include "perception/check_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "perception/token_rows.h"

namespace sorites {
namespace {

// Sizes beyond it are slips, and would overflow products.
constexpr std::size_t kLargestSize = std::size_t{1} << 24U;

class OptionChecker {
 public:
  explicit OptionChecker(const NetworkOptions& options) : options_(options) {}

  void check() const {
    check_classes();
    check_sizes();
    check_shape();
    check_numbers();
    check_training();
    check_pretraining();
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw NetworkError(fmt::format("network `{}`: {}", options_.name, what));
  }
  void require(bool holds, std::string_view what) const {
    if (!holds) fail(what);
  }
  void require_in(std::string_view field, double value, double least, double most) const {
    if (value >= least && value <= most) return;
    fail(std::isinf(most)
             ? fmt::format("{} is {}, but must be finite and at least {}", field, value, least)
             : fmt::format("{} is {}, but must be between {} and {}", field, value, least, most));
  }
  void require_not_negative(std::string_view field, double value) const {
    require_in(field, std::isinf(value) ? -1.0 : value, 0.0, HUGE_VAL);
  }
  void require_above_zero(std::string_view field, double value) const {
    if (!(value > 0.0) || std::isinf(value)) {
      fail(fmt::format("{} is {}, but must be above 0", field, value));
    }
  }
  void require_sizes(std::string_view field, std::span<const std::size_t> sizes) const {
    for (const std::size_t size : sizes) {
      if (size == 0 || size > kLargestSize) {
        fail(fmt::format(
            "{} has the size {}, but sizes must be between 1 and {}", field, size, kLargestSize));
      }
    }
  }

  void check_classes() const {
    require_sizes("num_classes", {&options_.num_classes, 1});
    require(options_.output == OutputKind::kSigmoid || options_.num_classes > 1,
            "a softmax over one class is always 1; give it more classes, or use output `sigmoid`");
  }

  void check_sizes() const {
    require_sizes("hidden", options_.hidden);
    require_sizes("channels", options_.channels);
    require_sizes("embedding_size", {&options_.embedding_size, 1});
    require_sizes("num_parts", {&options_.num_parts, 1});
    require(options_.kernel_size % 2 == 1 && options_.kernel_size <= 31,
            "kernel_size must be odd, and at most 31");
    const bool has_module =
        options_.kind == NetworkKind::kTorchScript || options_.kind == NetworkKind::kRegistered;
    require(!has_module || !options_.module.empty(),
            options_.kind == NetworkKind::kTorchScript ? "module must name the TorchScript file"
                                                       : "module must name the registered network");
  }

  void check_shape() const {
    if (options_.kind == NetworkKind::kEmbedding) {
      require(!options_.vocabulary.empty(), "an embedding needs entities, but there are none");
      return;
    }
    require(!options_.input_shape.empty(), "the shape of its features is not known");
    require_sizes("input_shape", options_.input_shape);
    std::size_t size = 1;
    for (const std::size_t extent : options_.input_shape) {
      size *= extent;  // both factors are at most 2^24
      require(size <= kLargestSize, "its features have too many numbers per row");
    }
    const bool is_image = is_image_shape(options_.input_shape);
    const bool needs_image =
        options_.kind == NetworkKind::kCnn || options_.kind == NetworkKind::kResNet18;
    if (needs_image && !is_image) {
      fail(
          fmt::format("a {} needs images (channels, height, width), but its features have the "
                      "shape ({}); use `mlp`, or give the shape of the images",
                      name_of(options_.kind),
                      fmt::join(options_.input_shape, ", ")));
    }
    require(options_.kind != NetworkKind::kBilstm ||
                (size == kSizeOfTokenRow && options_.num_parts == 1),
            "a bilstm reads rows of tokens: its features are a column file");
    require(options_.kind != NetworkKind::kBilstm || !options_.hidden.empty(),
            "a bilstm needs a width: the first number of `hidden`");
    if (options_.kind == NetworkKind::kSiamese && options_.num_parts != 2) {
      fail(fmt::format("a siamese network compares 2 things, but its entities have {} arguments",
                       options_.num_parts));
    }
  }

  void check_numbers() const {
    if (!(options_.dropout >= 0.0 && options_.dropout < 1.0)) {
      fail(fmt::format("dropout is {}, but must be at least 0 and below 1", options_.dropout));
    }
    require_above_zero("temperature", options_.temperature);
    if (options_.final_temperature) {
      require_above_zero("final_temperature", *options_.final_temperature);
    }
  }

  void check_training() const {
    const NetworkTraining& training = options_.training;
    require_not_negative("learning_rate", training.learning_rate);
    require_not_negative("weight_decay", training.weight_decay);
    require_in("momentum", training.momentum, 0.0, 1.0);
    require(training.schedule_period > 0, "schedule_period must be at least 1");
    if (!(training.max_gradient_norm > 0.0)) {
      fail(fmt::format("max_gradient_norm is {}, but must be above 0", training.max_gradient_norm));
    }
    require_not_negative("supervised_loss", training.supervised_loss);
    require_not_negative("symbolic_loss", training.symbolic_loss);
    check_moves(training);
  }

  void check_pretraining() const {
    const NetworkPretraining& pretraining = options_.pretraining;
    if (pretraining.epochs == 0) return;
    require(is_image_shape(options_.input_shape) &&
                (options_.kind == NetworkKind::kCnn || options_.kind == NetworkKind::kResNet18 ||
                 options_.kind == NetworkKind::kSiamese),
            "contrastive pre-training is for images and the networks `cnn`, `resnet18` and "
            "`siamese`");
    require(pretraining.batch_size >= 2, "batch_size of the pre-training must be at least 2");
    require_above_zero("learning_rate of the pre-training", pretraining.learning_rate);
    require_above_zero("temperature of the pre-training", pretraining.temperature);
    require_sizes("projection_size", {&pretraining.projection_size, 1});
    check_moves(pretraining);
  }

  template <class Moves>
  void check_moves(const Moves& moves) const {
    require_not_negative("max_shift", moves.max_shift);
    require_in("max_rotation", moves.max_rotation, 0.0, 180.0);
    if (!(moves.max_scaling >= 0.0 && moves.max_scaling < 1.0)) {
      fail(fmt::format("max_scaling is {}, but must be at least 0 and below 1", moves.max_scaling));
    }
    require_in("max_shear", moves.max_shear, 0.0, 1.0);
    require_not_negative("max_warp", moves.max_warp);
    const bool any = moves.max_shift > 0.0 || moves.max_rotation > 0.0 || moves.max_scaling > 0.0 ||
                     moves.max_shear > 0.0 || moves.max_warp > 0.0;
    require(!any || is_image_shape(options_.input_shape),
            "only images can be moved, turned, scaled, slanted and warped: leave max_shift, "
            "max_rotation, max_scaling, max_shear and max_warp at 0");
  }

  const NetworkOptions& options_;
};

}  // namespace

bool is_image_shape(std::span<const std::size_t> shape) { return shape.size() == 3; }

void check_options(const NetworkOptions& options) { OptionChecker(options).check(); }

}  // namespace sorites
