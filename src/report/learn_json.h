// What came of learning, as a JSON document.
#pragma once

#include <string>
#include <vector>

#include "report/json.h"

namespace sorites {

// Whether some weight of the rule was learned.
bool is_learned(const LearnReport& report, std::size_t rule);

Json to_json(const std::string& path,
             const LearnReport& report,
             const std::vector<Diagnostic>& diagnostics);

}  // namespace sorites
