// Options that change a model of Markov logic when it is opened: data as others publish it need not
// be written anew.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sorites/diagnostic.h"
#include "sorites/markov.h"

namespace sorites {

// `markov.closed`: predicates whose world is closed besides those that say so themselves, separated
// by blanks or commas; `same*` means all that begin so. Their queries are dropped with a warning.
// `markov.plus_weight`: weights of formulas with `+` variables, instead of what is written.
// `markov.weight_factor`: weights of soft formulas times this. Throws InputError.
void apply_markov_options(MarkovModel& model,
                          const std::map<std::string, std::string>& options,
                          std::vector<Diagnostic>& warnings);

}  // namespace sorites
