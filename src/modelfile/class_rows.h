// Rows of predicates with classes, once the data is loaded.
#pragma once

#include "base/diagnostics.h"
#include "sorites/database.h"

namespace sorites {

// Reports atoms that are observed to have two classes. A target of one class asks for the atom, so
// it becomes a target of each class that no row mentions.
void settle_class_rows(Database& database, Diagnostics& diagnostics);

}  // namespace sorites
