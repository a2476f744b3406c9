// Predicates, facts, targets, labels and unary potentials of a model, from the columns of the data.
#pragma once

#include <stop_token>
#include <vector>

#include "base/diagnostics.h"
#include "meanfield/model.h"
#include "meanfield/narrow_domains.h"

namespace sorites::meanfield {

struct DataToLower {
  const Program& program;
  const Database& database;
  const NarrowedDomains& domains;
  const std::vector<bool>& has_classes;  // per predicate: open, and its last argument is a class
  const std::vector<Span>& class_rules;  // per predicate: the rule that says so, if one does
  const std::stop_token& stop;
};

// The model has its domains. Throws Interrupted.
void lower_data(const DataToLower& data, MeanFieldModel& model, Diagnostics& sink);

}  // namespace sorites::meanfield
