#pragma once

#include <cstdint>

namespace sorites {

// Steps between two looks at a stop token: of some nanoseconds each, so that a stop is seen far
// within a millisecond, and a look (of a lock, at worst) costs next to nothing beside them.
inline constexpr std::uint32_t kBetweenLooks = 4096;

}  // namespace sorites
