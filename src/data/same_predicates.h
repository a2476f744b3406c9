// Rules are about the rows of a database by the numbers of predicates and domains: both must mean
// the same by them.
#pragma once

#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

// Predicates are equal in number, name, arity and domains, domains in number and type. Throws
// std::invalid_argument with the first difference.
void require_same_predicates(const Program& program, const Database& database);

}  // namespace sorites
