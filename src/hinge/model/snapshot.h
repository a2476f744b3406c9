// The format of snapshots (sorites/ground.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "base/framed_file.h"
#include "sorites/model.h"

namespace sorites {

inline constexpr FrameFormat kSnapshotFormat{
    .magic = {"Sorites\x1a", 8},
    .version = 2,
    .name = "snapshot",
    .what = "snapshot of a ground model",
    .remedy = "make it again with `sorites ground`",
    .foreign = "it was made from other rules or data, or with another --on-missing-target",
    .code = DiagnosticCode::kBadSnapshot,
};

// The model, or what is wrong with the file.
std::variant<Model, std::string> read_snapshot(std::span<const char> file,
                                               std::uint64_t fingerprint);

// Snapshots are ground models on disk: loading one is faster than grounding again. A snapshot
// belongs to the program and the data it was made from; loading it for others is an error. The file
// has a version and a checksum; a file that is cut off, damaged or something else is told apart.

// Writes to a temporary file beside `path` and renames it at the end, so that a snapshot is there
// whole or not at all. Throws IoError.
void save_snapshot(const Model& model, std::uint64_t fingerprint, const std::string& path);

// Throws IoError if the file cannot be read, InputError if it is no whole snapshot of this version
// or has another fingerprint.
Model load_snapshot(const std::string& path, std::uint64_t fingerprint);

}  // namespace sorites
