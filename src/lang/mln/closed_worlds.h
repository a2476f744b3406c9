// Which worlds a text of Markov logic means to be closed, where it does not say.
#pragma once

#include "base/diagnostics.h"
#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites::markov {

// Data that others publish seldom says that a predicate is told in full. Where no predicate is
// declared closed and there are queries, those whose facts are all true, and of which nothing is
// asked, are evidence: their world is closed, as in Alchemy that of all but the queries is.
//
// But an attribute, of which each constant has at most one value that others have too, as in
// phase(student, phase), and which is told of some constants alone, is not false of the others: it
// is missing. Such a predicate stays open, and gets facts that those constants that have a value
// have no other. Those without facts stay open as well.
//
// A warning says what was guessed.
void guess_closed_worlds(Program& program, Database& database, Diagnostics& sink);

}  // namespace sorites::markov
