#include "semantics/inference_settings.h"

#include <algorithm>
#include <random>

#include "base/name_table.h"
#include "base/uniform.h"
#include "hinge/solve/solve_option_table.h"

namespace sorites {
namespace {

constexpr std::array<std::string_view, 5> kInitialValueNames = {
    "ZERO", "ONE", "HALF", "RANDOM", "ATOM"};

constexpr std::array<std::string_view, 3> kOnMissingTargetNames = {"error", "skip", "zero"};

}  // namespace

std::string_view name_of(OnMissingTarget what) { return name_in(kOnMissingTargetNames, what); }

std::string_view name_of(InitialValue value) { return name_in(kInitialValueNames, value); }

InferenceSettings inference_settings(const Settings& settings, Diagnostics& sink) {
  InferenceSettings result;
  read_options(kSolveOptions, settings, result.solve, sink);
  read_options(kInferenceOptions, settings, result, sink);
  return result;
}

InferenceSettings inference_settings(const Settings& settings) {
  Diagnostics sink;
  InferenceSettings result = inference_settings(settings, sink);
  if (sink.has_errors()) throw InputError(sink.take_sorted());
  return result;
}

std::vector<double> initial_truth(InitialValue what,
                                  const Model& model,
                                  const Database& database,
                                  std::uint64_t seed) {
  std::vector<double> truth(model.num_atoms,
                            what == InitialValue::kOne    ? 1.0
                            : what == InitialValue::kHalf ? 0.5
                                                          : 0.0);
  if (what == InitialValue::kRandom) {
    std::mt19937_64 random(seed);
    for (double& value : truth) value = draw_uniform(random);
  }
  if (what == InitialValue::kAtom) {
    for (const AtomRange& range : model.atom_ranges) {
      const Table& targets = database.relation(range.predicate).table(Partition::kTarget);
      for (std::size_t i = 0; i < range.count; ++i) truth[range.first + i] = targets.value(i);
    }
  }
  return truth;
}

}  // namespace sorites
