// Atoms that were read to rows of a database.
#pragma once

#include "lang/mln/atoms.h"
#include "sorites/database.h"

namespace sorites::markov {

// Adds the facts and queries of all predicates, each atom once, and reports those that contradict
// each other. Queries that are facts as well are dropped. A query of an atom with classes is a
// target for each of them.
void settle_rows(const AtomData& data, Database& database, Diagnostics& sink);

// Adds the unary potentials, and reports those of closed predicates and those that stand twice.
void settle_potentials(const AtomData& data, Database& database, Diagnostics& sink);

}  // namespace sorites::markov
