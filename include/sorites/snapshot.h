// Ground models on disk: loading one is faster than grounding again.
//
// A snapshot belongs to the program and the data it was made from; loading it for others is an
// error. The file has a version and a checksum; a file that is cut off, damaged or something else
// is told apart.
#pragma once

#include <cstdint>
#include <string>

#include "sorites/database.h"
#include "sorites/model.h"
#include "sorites/program.h"

namespace sorites {

// Changes with any rule, weight, predicate, atom or value.
std::uint64_t fingerprint(const Program& program, const Database& database);

// Writes to a temporary file beside `path` and renames it at the end, so that a snapshot is there
// whole or not at all. Throws IoError.
void save_snapshot(const Model& model, std::uint64_t fingerprint, const std::string& path);

// Throws IoError if the file cannot be read, InputError if it is no whole snapshot of this version
// or has another fingerprint.
Model load_snapshot(const std::string& path, std::uint64_t fingerprint);

}  // namespace sorites
