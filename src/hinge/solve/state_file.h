// Reads the bytes of a state.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "base/framed_file.h"
#include "sorites/solve.h"

namespace sorites {

inline constexpr FrameFormat kStateFormat{
    .magic = {"SorStat\x1a", 8},
    .version = 1,
    .what = "state of inference",
    .remedy = "make it again with `sorites infer --save-state`",
    .foreign = "it belongs to a model with other atoms or ground rules",
};

// Changes with the atoms and ground rules of a model, not with weights and offsets.
std::uint64_t structure_fingerprint(const Model& model);

// Truth and multipliers, or what is wrong with the file.
std::variant<Solution, std::string> read_state(std::span<const char> file,
                                               std::uint64_t fingerprint,
                                               std::size_t num_atoms,
                                               std::size_t num_terms);

}  // namespace sorites
