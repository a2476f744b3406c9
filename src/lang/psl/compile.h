// Rule text -> checked rules of a Program.
#pragma once

#include "base/diagnostics.h"
#include "sorites/program.h"

namespace sorites {

struct CompileOptions {
  bool exactly_one = false;  // the source is one string of a model file's rule list
};

// Compiles the rules in `source` against `program.predicates` and appends those that are right. All
// mistakes go to `sink`.
void compile_rules(const Source& source,
                   Program& program,
                   Diagnostics& sink,
                   const CompileOptions& options = {});

}  // namespace sorites
