// From any program to one that hinge-loss semantics grounds.
//
//   Diagnostics sink;
//   Program lowered = lower_to_hinge(program, database, sink);
//   if (sink.has_errors()) throw InputError(sink.take_sorted());
//   const Model model = ground(lowered, database);
//
// What a semantics of convex costs cannot mean is refused with its place: negative weights, unary
// potentials, several true classes of one thing, quantifiers that are no sums.
#pragma once

#include <stop_token>

#include "base/diagnostics.h"
#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

// Call it once for a program and its data, when all data is there: the unknown atoms of open-world
// predicates become targets, over the constants that the domains have then. Rules with weights per
// constant become one rule per combination; each has the id of its origin, and its combination as
// the only one of `constant_weights`. Rules of classes come last. If there are errors the program
// is returned as it was, and so is the database.
// Throws Interrupted.
Program lower_to_hinge(Program program,
                       Database& database,
                       Diagnostics& sink,
                       const std::stop_token& stop = {});

// Whether lowering makes atoms or rules of the constants and facts there are: other data makes
// others.
bool lowering_depends_on_data(const Program& program);

}  // namespace sorites
