// Predicates all of whose atoms are unknown unless they are observed.
#pragma once

#include <cstdint>
#include <stop_token>

#include "sorites/database.h"

namespace sorites {

// How many atoms a predicate has over its domains as they are now; a double, since these are many.
double num_atoms(const Database& database, PredicateId predicate);

// Makes a target of every atom over the domains of a predicate that is neither observed nor a
// target, in the order of the codes, unless it is another class of an atom whose class is observed.
// How many they are. Throws Interrupted, and then has added some.
std::uint64_t add_unknown_atoms(Database& database,
                                PredicateId predicate,
                                const std::stop_token& stop = {});

}  // namespace sorites
