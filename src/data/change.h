// Changes of observed atoms and targets.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sorites/database.h"

namespace sorites {

// The changed atoms by predicate, each once. New constants enter the dictionaries, nothing else
// changes. Throws std::invalid_argument, and changes nothing, if a change cannot be applied.
std::map<PredicateId, Relation> changed_atoms(Database& database,
                                              std::span<const RowChange> changes);

// Applies changes that changed_atoms has accepted: removals first, in place; added rows go to the
// end of their tables.
void apply_changes(Database& database, std::span<const RowChange> changes);

}  // namespace sorites
