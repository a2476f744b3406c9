// What the options of a model say about inference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "options/option.h"
#include "sorites/database.h"
#include "sorites/ground.h"
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
std::string_view name_of(InitialValue value);    // "ZERO", ...: PSL's
std::string_view name_of(OnMissingTarget what);  // "error", "skip", "zero"

struct Relaxation {
  double multiplier = 100.0;  // weight, in units of the largest
  bool squared = false;
};

struct InferenceSettings {
  SolveOptions solve;  // solver, tolerances, limits, threads, seed
  bool normalize = true;
  bool skip = false;
  bool relax = false;     // hard rules become weighted ones
  Relaxation relaxation;  // and how
  InitialValue initial_value = InitialValue::kRandom;
  bool skip_missing_targets = false;  // PSL can leave out ground rules without a word
  std::optional<OnMissingTarget> on_missing_target;
  bool count_all = false;    // bindings, also those that grounding need not look at
  bool all_atoms = false;    // of open worlds, where they are not all inferred anyway
  bool guess_closed = true;  // worlds of a text of Markov logic that does not say which are
  bool write_results = true;
  std::string results_directory;  // empty: none is named

  OnMissingTarget missing_targets() const {
    return on_missing_target.value_or(skip_missing_targets ? OnMissingTarget::kSkip
                                                           : OnMissingTarget::kError);
  }
  std::optional<Relaxation> relaxed() const {
    return relax ? std::optional(relaxation) : std::nullopt;
  }
};

inline constexpr Option<InferenceSettings> kInferenceOptions[] = {
    {"inference.normalize",
     "",
     field<&InferenceSettings::normalize>,
     {},
     "divide all weights by the largest before inference",
     kHingeSemantics},
    {"inference.skip",
     "",
     field<&InferenceSettings::skip>,
     {},
     "ground and evaluate the initial values, without inference",
     kHingeSemantics},
    {"inference.relax",
     "",
     field<&InferenceSettings::relax>,
     {},
     "make hard rules weighted ones of large weight",
     kHingeSemantics},
    {"inference.relax.multiplier",
     "",
     field<&InferenceSettings::relaxation, &Relaxation::multiplier>,
     at_least(0),
     "weight of relaxed hard rules, in units of the largest weight",
     kHingeSemantics},
    {"inference.relax.squared",
     "",
     field<&InferenceSettings::relaxation, &Relaxation::squared>,
     {},
     "square the relaxed hard rules",
     kHingeSemantics},
    {"inference.initialvalue",
     "",
     field<&InferenceSettings::initial_value>,
     {},
     "value that targets start from (RANDOM: the solver chooses); ATOM is the value column of the "
     "data",
     kHingeSemantics},
    {"inference.on_missing_target",
     "",
     field<&InferenceSettings::on_missing_target>,
     {},
     "a ground rule needs an atom that is neither observed nor a target: stop, leave the ground "
     "rule "
     "out, or take the atom as zero; default: error; --on-missing-target is the same",
     kHingeSemantics},
    {"inference.count_all",
     "",
     field<&InferenceSettings::count_all>,
     {},
     "look at all ground rules, also those without targets and those that nothing can violate, and "
     "count them; --count-all of `sorites ground` is the same",
     kHingeSemantics},
    {"inference.all_atoms",
     "",
     field<&InferenceSettings::all_atoms>,
     {},
     "values of all unknown atoms of open worlds, not of the targets alone; --all is the same"},
    {"inference.guess_closed",
     "",
     field<&InferenceSettings::guess_closed>,
     {},
     "take predicates of a text of Markov logic that declares no world closed as told in full if "
     "all their facts are true and no query asks for them"},
    {"pam.throw",
     "persistedatommanager.throwaccessexception",
     negated_field<&InferenceSettings::skip_missing_targets>,
     {},
     "stop if a rule needs an atom that is neither observed nor a target",
     kHingeSemantics},
    {"runtime.inference.output.results",
     "",
     field<&InferenceSettings::write_results>,
     {},
     "write the inferred values"},
    {"runtime.inference.output.results.dir",
     "",
     path_field<&InferenceSettings::results_directory>,
     {},
     "folder for the inferred values"},
};

// Reports what an option does not take.
InferenceSettings inference_settings(const Settings& settings, Diagnostics& sink);
// The same. Throws InputError.
InferenceSettings inference_settings(const Settings& settings);

// One value per atom. kRandom depends on the seed alone.
std::vector<double> initial_truth(InitialValue what,
                                  const Model& model,
                                  const Database& database,
                                  std::uint64_t seed);

}  // namespace sorites
