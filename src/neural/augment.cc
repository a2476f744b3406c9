#include "neural/augment.h"

#include <numbers>

namespace sorites {
namespace {

torch::Tensor uniform(std::int64_t count, double most) {
  return torch::empty({count}).uniform_(-most, most);
}

}  // namespace

torch::Tensor moved_at_random(const torch::Tensor& images,
                              double max_shift,
                              double max_rotation,
                              double max_scaling) {
  if (max_shift == 0.0 && max_rotation == 0.0 && max_scaling == 0.0) return images;
  const torch::NoGradGuard no_gradients;
  const std::int64_t count = images.size(0);
  const auto height = static_cast<double>(images.size(2));
  const auto width = static_cast<double>(images.size(3));
  const torch::Tensor angle = uniform(count, max_rotation * std::numbers::pi / 180.0);
  const torch::Tensor scale = 1.0 + uniform(count, max_scaling);
  const torch::Tensor cosine = torch::cos(angle) / scale, sine = torch::sin(angle) / scale;
  // From where each pixel comes; coordinates go from -1 to 1, so a turn must know the proportions.
  torch::Tensor maps = torch::empty({count, 2, 3});
  maps.select(1, 0).select(1, 0).copy_(cosine);
  maps.select(1, 0).select(1, 1).copy_(sine * (-height / width));
  maps.select(1, 0).select(1, 2).copy_(uniform(count, 2.0 * max_shift / width));
  maps.select(1, 1).select(1, 0).copy_(sine * (width / height));
  maps.select(1, 1).select(1, 1).copy_(cosine);
  maps.select(1, 1).select(1, 2).copy_(uniform(count, 2.0 * max_shift / height));
  constexpr std::int64_t kBilinear = 0, kZeros = 0;
  return torch::grid_sampler(
      images, torch::affine_grid_generator(maps, images.sizes(), false), kBilinear, kZeros, false);
}

}  // namespace sorites
