#include "torch/augment.h"

#include <numbers>
#include <vector>

namespace sorites {
namespace {

torch::Tensor uniform(std::int64_t count, double most) {
  return torch::empty({count}).uniform_(-most, most);
}

// Per image the linear map [2, 3] from where a pixel is to where it comes from. Coordinates go from
// -1 to 1, so turns and slants must know the proportions.
torch::Tensor random_maps(const torch::Tensor& images, const ImageMoves& moves) {
  const std::int64_t count = images.size(0);
  const auto height = static_cast<double>(images.size(2));
  const auto width = static_cast<double>(images.size(3));
  const torch::Tensor angle = uniform(count, moves.max_rotation * std::numbers::pi / 180.0);
  const torch::Tensor cosine = torch::cos(angle), sine = torch::sin(angle);
  const torch::Tensor scale_x = 1.0 + uniform(count, moves.max_scaling);
  const torch::Tensor scale_y = 1.0 + uniform(count, moves.max_scaling);
  const torch::Tensor shear = uniform(count, moves.max_shear);
  // A turn of what was slanted by [[1, shear], [0, 1]], each axis then divided by its scale.
  const torch::Tensor entries[] = {cosine / scale_x,
                                   (cosine * shear - sine) * (height / width) / scale_x,
                                   uniform(count, 2.0 * moves.max_shift / width),
                                   sine * (width / height) / scale_y,
                                   (sine * shear + cosine) / scale_y,
                                   uniform(count, 2.0 * moves.max_shift / height)};
  return torch::stack(entries, 1).view({count, 2, 3});
}

// Smooth fields [n, height, width, 2] of displacements: random at 5 x 5 points, bicubic between.
torch::Tensor random_warps(const torch::Tensor& images, double max_warp) {
  constexpr std::int64_t kPoints = 5;
  const torch::Tensor points =
      torch::empty({images.size(0), 2, kPoints, kPoints}).uniform_(-max_warp, max_warp);
  const torch::Tensor pixels =
      torch::upsample_bicubic2d(points, {images.size(2), images.size(3)}, /*align_corners=*/true);
  const torch::Tensor extent =
      torch::tensor({static_cast<float>(images.size(3)), static_cast<float>(images.size(2))});
  return pixels.permute({0, 2, 3, 1}) * (2.0 / extent);
}

}  // namespace

torch::Tensor moved_at_random(const torch::Tensor& images, const ImageMoves& moves) {
  if (!moves.has_map() && moves.max_warp == 0.0) return images;
  const torch::NoGradGuard no_gradients;
  torch::Tensor from =
      torch::affine_grid_generator(random_maps(images, moves), images.sizes(), false);
  if (moves.max_warp > 0.0) from = from + random_warps(images, moves.max_warp);
  constexpr std::int64_t kBilinear = 0, kZeros = 0;  // torch's numbers of both
  return torch::grid_sampler(images, from, kBilinear, kZeros, false);
}

}  // namespace sorites
