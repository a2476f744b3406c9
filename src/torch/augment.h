// Random views of images.
#pragma once

#include "sorites/network.h"
#include "torch/torch_headers.h"

namespace sorites {

// How far images go, as in NetworkTraining.
struct ImageMoves {
  double max_shift = 0.0, max_rotation = 0.0, max_scaling = 0.0, max_shear = 0.0, max_warp = 0.0;

  bool has_map() const {
    return max_shift > 0.0 || max_rotation > 0.0 || max_scaling > 0.0 || max_shear > 0.0;
  }
};
template <class Options>  // NetworkTraining, NetworkPretraining
ImageMoves moves_of(const Options& options) {
  return {options.max_shift,
          options.max_rotation,
          options.max_scaling,
          options.max_shear,
          options.max_warp};
}

// Moves every image [n, channels, height, width] by itself; what comes in from outside is 0.
torch::Tensor moved_at_random(const torch::Tensor& images, const ImageMoves& moves);

}  // namespace sorites
