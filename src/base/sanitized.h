// For tests of time and memory.
#pragma once

namespace sorites {

// Whether this build looks for mistakes in memory or between threads, and so is slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace sorites
