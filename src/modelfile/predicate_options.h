// The `options` of one predicate.
#pragma once

#include <vector>

#include "config/config_report.h"
#include "modelfile/model_file.h"
#include "options/option.h"

namespace sorites {

// Options that every predicate may have.
struct PredicateOptions {
  bool integer = false;
  bool categorical = false;
  std::vector<int> category_arguments;
};

inline constexpr Option<PredicateOptions> kPredicateOptions[] = {
    {"integer", "", field<&PredicateOptions::integer>, {}, "its atoms are 0 or 1"},
    {"categorical",
     "",
     field<&PredicateOptions::categorical>,
     {},
     "PSL's mark of predicates whose atoms are categories; it changes no inference"},
    {"categoricalindexes",
     "",
     arguments_field<&PredicateOptions::category_arguments>,
     {},
     "PSL's mark of the arguments that hold the category"},
};

// Checks them and puts them into the declaration, whose arity and class are settled. Where the
// network is a Python class, or was one, unknown options are taken to be for that class: one
// warning lists them.
void read_predicate_options(const ConfigNode& node,
                            const ConfigReport& report,
                            PredicateDeclaration& declaration);

}  // namespace sorites
