// Options of PSL that are accepted, so that its models run unchanged, and do nothing.
#pragma once

#include <span>

#include "options/option_catalog.h"

namespace sorites {

std::span<const IgnoredOptions> ignored_options();

}  // namespace sorites
