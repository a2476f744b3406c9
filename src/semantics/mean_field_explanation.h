// Pushes of formulas as explanations that all semantics share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "explain/find_target.h"
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

// `number` is that of the target among those of the model's task.
AtomExplanation explain_mean_field_atom(const MeanFieldQuestion& question,
                                        TargetRow target,
                                        std::size_t number,
                                        std::size_t limit);

// All but its statistics.
RuleExplanation explain_mean_field_rule(const MeanFieldQuestion& question,
                                        std::uint32_t rule,
                                        std::size_t limit);

}  // namespace sorites
