// To which program and data a snapshot belongs.
#pragma once

#include <cstdint>

#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

// Changes with any rule, weight, predicate, atom or value.
std::uint64_t fingerprint(const Program& program, const Database& database);

}  // namespace sorites
