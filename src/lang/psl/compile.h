// Rule text -> checked rules of a Program.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "base/diagnostics.h"
#include "sorites/program.h"

namespace sorites {

// Rules of a program by their text without the weight: where they stand among its rules.
using RulesByText = std::unordered_map<std::string, std::size_t>;

struct CompileOptions {
  bool exactly_one = false;  // the source is one string of a model file's rule list
  RuleId first_id = 0;       // of the first rule of the source; the others count on
  // For a program that is compiled from many sources: all rules that it has, to which those of this
  // source are added. Without it, rules from before are compared one by one.
  RulesByText* compiled_before = nullptr;
};

// Compiles the rules in `source` against `program.predicates` and appends those that are right. All
// mistakes go to `sink`. Returns how many rules the source has.
std::size_t compile_rules(const Source& source,
                          Program& program,
                          Diagnostics& sink,
                          const CompileOptions& options = {});

// How many rules the source has, mistakes or not.
std::size_t count_rules(const Source& source);

}  // namespace sorites
