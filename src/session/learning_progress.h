// What is told while learning runs.
#pragma once

#include <cstdint>
#include <string>

#include "sorites/learn.h"

namespace sorites {

// One line about an epoch. `before` is the epoch before, or the same one; `first` the first of the
// run, from which the time that is left is guessed.
std::string progress_text(const LearnEpoch& epoch,
                          const LearnEpoch& before,
                          std::uint64_t first,
                          const LearnOptions& options);

}  // namespace sorites
