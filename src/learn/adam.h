#pragma once

namespace sorites {

// How much of the mean of the slopes stays at a step of Adam (Kingma and Ba, "Adam: A Method for
// Stochastic Optimization", 2015).
inline constexpr double kAdamMean = 0.9;

}  // namespace sorites
