// Whether a value-based loss fell for nothing.
#pragma once

#include <optional>
#include <span>

#include "sorites/diagnostic.h"
#include "sorites/learn.h"

namespace sorites {

// A warning if learning by energies alone made no metric better, and lowered its loss for a worse
// metric (Dickens et al. 2022, section 3.3).
std::optional<Diagnostic> collapse_of(const LearnOptions& options,
                                      std::span<const LearnEpoch> history);

}  // namespace sorites
