// What a compiled model takes, in work and memory; and refusals of models that would take too much.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "meanfield/compile.h"

namespace sorites {

// Of evidence that is a list: the share of its atoms that are true. Of all else 1.
double density_of(const CompiledModel& compiled, const MeanFieldPlanOptions& options, NodeId node);

struct PlanInput {
  const MeanFieldModel& model;
  const MeanFieldPlanOptions& options;
  std::size_t bytes_per_number = 0;
  std::span<const std::size_t> first_node;  // per formula, and of the messages
};

// Fills in the plan of a compiled model: steps, sums, bytes. Throws InputError if it takes more
// than it may.
void finish_plan(const PlanInput& input, CompiledModel& compiled);

// `what` takes more memory than it may.
[[noreturn]] void refuse_size(const std::string& what, const Span& place, std::size_t max_bytes);
// A formula that would take too long, however small the domains.
[[noreturn]] void refuse_form(const MeanFieldFormula& formula, const std::string& why);

}  // namespace sorites
