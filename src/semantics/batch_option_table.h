// How learning cuts data into batches: parts of it that no rule connects.
#pragma once

#include <cstdint>

#include "options/option.h"

namespace sorites {

struct BatchOptions {
  std::uint64_t components = 0;  // connected components per step; 0: all of them
};

inline constexpr Option<BatchOptions> kBatchOptions[] = {
    {"learn.batch_components",
     "",
     field<&BatchOptions::components>,
     at_least(0),
     "take a step for every batch of so many connected components of the data; 0 is one step for "
     "all of it; default: 32 with networks, else 0"},
};

}  // namespace sorites
