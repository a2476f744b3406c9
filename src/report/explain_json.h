// Explanations as a JSON document.
#pragma once

#include <string>
#include <vector>

#include "report/json.h"

namespace sorites {

Json to_json(const std::string& path,
             const ExplainResult& result,
             const std::vector<Diagnostic>& diagnostics);

}  // namespace sorites
