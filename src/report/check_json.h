// What a model has, and what is wrong with it, as a JSON document.
#pragma once

#include <cstddef>

#include "report/json.h"

namespace sorites {

bool is_logical(const Rule& rule);
std::size_t num_rows(const PhaseSummary& phase);           // of all predicates and partitions
std::size_t most_memory_bytes(const CheckResult& report);  // that the data of a phase takes

Json to_json(const CheckResult& report);

}  // namespace sorites
