// Atoms as the rule language writes them.
#pragma once

#include <span>
#include <string>

#include "sorites/database.h"

namespace sorites {

// Knows('ann', 'bob')
std::string atom_text(const Predicate& predicate, std::span<const std::string> constants);

}  // namespace sorites
