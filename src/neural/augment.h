// Random views of images.
#pragma once

#include "neural/torch_headers.h"

namespace sorites {

// Moves every image [n, channels, height, width] by up to `max_shift` pixels, turns it by up to
// `max_rotation` degrees and scales it by up to 1 +- `max_scaling`; what comes in from outside is
// 0.
torch::Tensor moved_at_random(const torch::Tensor& images,
                              double max_shift,
                              double max_rotation,
                              double max_scaling);

}  // namespace sorites
