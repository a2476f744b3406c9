// States of inference on disk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/framed_file.h"
#include "sorites/solve.h"

namespace sorites {

inline constexpr FrameFormat kStateFormat{
    .magic = {"SorStat\x1a", 8},
    .version = 2,
    .name = "state",
    .what = "state of inference",
    .remedy = "make it again with `sorites infer --save-state`",
    .foreign = "it belongs to a model with other atoms or ground rules",
};

// Changes with the atoms and ground rules of a model, not with weights and offsets.
std::uint64_t structure_fingerprint(const Model& model);

// What is kept of a solution.
struct SolveState {
  std::vector<double> truth;        // per atom
  std::vector<double> multipliers;  // per term
};

// The state, or what is wrong with the file.
std::variant<SolveState, std::string> read_state(std::span<const char> file,
                                                 std::uint64_t fingerprint,
                                                 std::size_t num_atoms,
                                                 std::size_t num_terms);

// States are solutions on disk, to start from later:
//
//   save_state(solution, model, "model.state");
//   const Solution start = load_state("model.state", model);
//   const Solution next = solve(model, other_parameters, {}, &start);
//
// A state belongs to the structure of its model: atoms and ground rules. Other weights, other
// values of observed atoms (as long as the same ground rules come out) do not matter.

// Writes truth and multipliers. The file is there whole or not at all. Throws IoError;
// std::logic_error if the solution is none of the model, as before the first inference: nothing
// could start from it.
void save_state(const Solution& solution, const Model& model, const std::string& path);

// A solution with truth and multipliers, nothing else. Throws IoError if the file cannot be read,
// InputError if it is no whole state of this version or belongs to another model.
Solution load_state(const std::string& path, const Model& model);

}  // namespace sorites
