// Loops that the compiler vectorises, compiled twice: for all processors, and for those with AVX2.
#pragma once

namespace sorites {

#if defined(__x86_64__) && defined(__GNUC__)
#define SORITES_WITH_AVX2 [[gnu::target("avx2,fma")]]
inline bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
#else
#define SORITES_WITH_AVX2
inline bool has_avx2() { return false; }
#endif

}  // namespace sorites
