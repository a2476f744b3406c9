// What must hold of networks before anything is computed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perception/networks.h"

namespace sorites {

bool is_image_shape(std::span<const std::size_t> shape);  // channels, height, width

// Throw NetworkError that names the network and the field.
void check_options(const NetworkOptions& options);
void check_inputs(const NetworkOptions& options, const NetworkInputs& inputs);
void check_samples(std::size_t num_outputs,
                   std::span<const std::vector<std::uint32_t>> outputs_of_sample);

}  // namespace sorites
