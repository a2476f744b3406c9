// Ground rules, counted, as a JSON document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/json.h"

namespace sorites {

struct Grounded {
  std::string path;  // of the model
  std::string_view semantics;
};

Json to_json(const Grounded& what,
             const GroundResult& grounded,
             const std::vector<Diagnostic>& diagnostics);

}  // namespace sorites
