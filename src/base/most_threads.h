#pragma once

namespace sorites {

inline constexpr unsigned kMostThreads = 256;  // of a pool; more would only wait for each other

}  // namespace sorites
