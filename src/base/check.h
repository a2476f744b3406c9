// SORITES_CHECK(condition, "why it must hold"): a broken invariant is a bug of ours, in every
// build.
#pragma once

#include <cstdio>
#include <cstdlib>

#define SORITES_CHECK(condition, why)                                                       \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      std::fprintf(                                                                         \
          stderr, "sorites: bug at %s:%d: %s (%s)\n", __FILE__, __LINE__, why, #condition); \
      std::abort();                                                                         \
    }                                                                                       \
  } while (false)
