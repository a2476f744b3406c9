// Metrics as a JSON document.
#pragma once

#include <string>
#include <vector>

#include "report/json.h"

namespace sorites {

struct Evaluated {
  std::string path;     // of the model
  std::string results;  // the folder of the values; empty: there is none
};

Json to_json(const Evaluated& what,
             Session& session,
             const EvaluateResult& result,
             const std::vector<Diagnostic>& diagnostics);

}  // namespace sorites
