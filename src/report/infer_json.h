// What inference found out, as a JSON document.
#pragma once

#include "report/json.h"

namespace sorites {

struct InferReport {
  std::string path;  // of the model
  const Database& database;
  const InferResult& result;
  const std::vector<Diagnostic>& diagnostics;
  std::string results_directory;  // where the results were written; empty: nowhere
  bool with_values = false;       // the JSON document holds the atoms
};

Json to_json(const InferReport& report);

}  // namespace sorites
