// Reads the bytes of a snapshot.
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
    .version = 1,
    .what = "snapshot of a ground model",
    .remedy = "make it again with `sorites ground`",
    .foreign = "it was made from other rules or data",
};

// The model, or what is wrong with the file.
std::variant<Model, std::string> read_snapshot(std::span<const char> file,
                                               std::uint64_t fingerprint);

}  // namespace sorites
