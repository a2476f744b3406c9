// Predicates with classes: of the atoms that differ in the last argument alone, one is true.
#pragma once

#include "base/diagnostics.h"
#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

// Reports things that have more than one class by observation.
void check_classes(const Program& program, const Database& database, Diagnostics& sink);

// Makes the other classes of things whose class is observed observed too, as false ones: nobody
// lists them.
void add_false_classes(const Program& program, Database& database);

// Adds `Label(X, +C) = 1 .` for every predicate with classes that has targets. Observed classes
// count in the sum; things whose classes are all observed make no ground rule. Their ids count on
// from `first_id`.
void add_class_rules(Program& program, RuleId first_id);

}  // namespace sorites
