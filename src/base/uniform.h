// Numbers drawn from [0, 1), the same on every machine: those of <random> are each library's own.
#pragma once

#include <random>

namespace sorites {

inline constexpr double kUniformSteps = 1ULL << 53U;  // doubles of [0, 1) equally far apart

inline double draw_uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) / kUniformSteps;
}

}  // namespace sorites
