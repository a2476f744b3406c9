// What the options of a model say about inference.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sorites/database.h"
#include "sorites/model_file.h"
#include "sorites/solve.h"

namespace sorites {

// What targets start from (inference.initialvalue).
enum class InitialValue : std::uint8_t {
  kZero,
  kOne,
  kHalf,
  kRandom,
  kAtom,  // the value column of the targets
};

struct Relaxation {
  double multiplier = 100.0;  // weight, in units of the largest
  bool squared = false;
};

struct InferenceSettings {
  SolveOptions solve;  // solver, tolerances, limits, threads, seed
  bool normalize = true;
  bool skip = false;
  std::optional<Relaxation> relaxation;  // of hard rules
  InitialValue initial_value = InitialValue::kRandom;
  bool skip_missing_targets = false;  // pam.throw is false
  bool write_results = true;
  std::string results_directory;  // empty: none is named
};

// From options as of options_of(). Throws InputError if a number is out of range.
InferenceSettings inference_settings(const std::map<std::string, std::string>& options);

// The atoms of predicates that the model file calls `integer` or `categorical`.
std::vector<AtomRange> integer_atoms(const ModelFile& file,
                                     const Program& program,
                                     const Model& model);

// One value per atom. kRandom depends on the seed alone.
std::vector<double> initial_truth(InitialValue what,
                                  const Model& model,
                                  const Database& database,
                                  std::uint64_t seed);

// The weights that inference works with. Relaxes the hard rules of the model if the settings ask
// for it; their weight is in units of the largest of the others.
Parameters inference_parameters(const InferenceSettings& settings, Model& model);

}  // namespace sorites
