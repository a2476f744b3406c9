// YAML 1.1 through libyaml, into the same tree as JSON.
#pragma once

#include <optional>
#include <stop_token>

#include "base/diagnostics.h"
#include "config/config_node.h"

namespace sorites {

// Plain scalars are null (`~`, `null`, nothing), booleans (`true`, `false`), decimal numbers or
// texts; quoted and block scalars are texts. An alias is a copy of what its anchor marks.
// Reports syntax errors, keys that stand twice or are no scalars, several documents.
// Throws Interrupted.
std::optional<ConfigNode> read_yaml(const Source& source,
                                    Diagnostics& diagnostics,
                                    const std::stop_token& stop = {});

}  // namespace sorites
