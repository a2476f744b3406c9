// Rows of predicates with classes, once the data is loaded.
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostics.h"
#include "sorites/database.h"

namespace sorites {

// A target of one class asks for the atom, so it becomes a target of each class that no row
// mentions. Updates change the targets that were given: before them the others are taken out, and
// found anew after them.
class ClassTargets {
 public:
  void complete(Database& database);
  // Takes out those that complete() has added, which it did at the end of their tables. Networks,
  // whose targets come after that, have theirs from their features: they keep all.
  void take_out(Database& database) const;

 private:
  std::vector<std::uint32_t> given_;  // per predicate: the number of targets before complete()
};

// Reports atoms that are observed to have two classes, and completes the targets.
ClassTargets settle_class_rows(Database& database, Diagnostics& diagnostics);

}  // namespace sorites
