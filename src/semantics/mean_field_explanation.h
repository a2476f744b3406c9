// Pushes of formulas as explanations that all semantics share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "meanfield/model.h"
#include "sorites/explain.h"

namespace sorites {

// What is explained, and at which marginals. Views: all must outlive the call.
struct MeanFieldQuestion {
  const Program& program;
  const Database& database;
  const MeanFieldModel& model;
  const MeanFieldOptions& options;
  const AtomValues<double>& marginals;
  AtomValues<double> unaries;
};

// Of an atom that is not known; if it has classes, of one of them.
AtomExplanation explain_mean_field_atom(const MeanFieldQuestion& question,
                                        const MeanFieldAtom& atom,
                                        std::size_t limit);

// All but its statistics.
RuleExplanation explain_mean_field_rule(const MeanFieldQuestion& question,
                                        std::uint32_t rule,
                                        std::size_t limit);

}  // namespace sorites
