// States of learning on disk, to go on from later bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "base/framed_file.h"
#include "learn/learning.h"

namespace sorites {

inline constexpr FrameFormat kLearnStateFormat{
    .magic = {"SorLern\x1a", 8},
    .version = 4,
    .name = "state of learning",
    .what = "state of learning",
    .remedy = "make it again with `sorites learn --save-state`",
    .foreign =
        "it belongs to a model with other rules, weights, data or evaluations, or to "
        "another way of learning",
};

// Changes with the models (`structure`: their rules, weights, data and evaluations), the labels,
// and with algorithm, loss, domain and batches: a state goes on only if all of them are the same.
// Limits and step sizes may differ.
std::uint64_t learning_fingerprint(std::uint64_t structure,
                                   std::span<const double> labels,
                                   const LearnOptions& options,
                                   std::uint64_t batch_components = 0);

// The file is there whole or not at all. Throws IoError.
void save_learn_state(const LearnState& state, std::uint64_t fingerprint, const std::string& path);

// The state, or what is wrong with the file.
std::variant<LearnState, std::string> read_learn_state(std::span<const char> file,
                                                       std::uint64_t fingerprint);

// Throws IoError if the file cannot be read, InputError if it is no whole state of this version or
// belongs to something else.
LearnState load_learn_state(const std::string& path, std::uint64_t fingerprint);

}  // namespace sorites
