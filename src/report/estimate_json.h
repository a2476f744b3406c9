// What a model will cost, as a JSON document.
#pragma once

#include <string>
#include <vector>

#include "report/json.h"

namespace sorites {

double machine_memory_bytes();

Json to_json(const std::string& path,
             const EstimateResult& estimate,
             const std::vector<Diagnostic>& diagnostics);

}  // namespace sorites
