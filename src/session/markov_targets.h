// The queries of a Markov logic model as targets with truth: results are then printed, written,
// read and evaluated as those of all other models.
//
// A predicate with classes becomes one with the class as its last argument: label(P1) with the
// classes RL and ML becomes the targets label(P1, RL) and label(P1, ML).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "session/markov_loader.h"
#include "sorites/meanfield_energy.h"
#include "sorites/model.h"
#include "sorites/model_file.h"

namespace sorites {

enum class TargetChoice : std::uint8_t {
  kQueries,     // or all unknown atoms, if there are no queries
  kAllUnknown,  // atoms of open predicates that are no facts
};

struct MarkovTargets {
  LoadedModel loaded;                     // predicates that have targets; no rules
  std::vector<std::uint32_t> predicates;  // per predicate of `loaded`: which of the model
  std::vector<AtomRange> ranges;          // of the targets, per predicate of `loaded`
  std::vector<MarkovAtom> atoms;          // per target
};

// With evaluators for all predicates of which some truth is known: those of the model file, or
// those that suit. Names that differ by case alone get numbers, since result files do not tell them
// apart. Throws InputError if there are more targets than can be numbered.
MarkovTargets markov_targets(const LoadedMarkov& loaded, TargetChoice choice);

// The probability of every target.
template <class Real>
std::vector<double> target_values(const MarkovModel& model,
                                  const MarkovTargets& targets,
                                  const AtomValues<Real>& marginals);

// "advisedBy(A, B)", "label(P1) = RL"
std::string target_text(const MarkovModel& model, const MarkovAtom& atom);

}  // namespace sorites
