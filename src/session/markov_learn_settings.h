// What the options of a model say about learning in Markov logic.
#pragma once

#include <limits>
#include <map>
#include <string>

#include "sorites/markov_learn.h"

namespace sorites {

struct MarkovLearnSettings {
  MarkovLearnOptions learn;  // `inference` and `stop` are left to the caller
  double time_limit_seconds = std::numeric_limits<double>::infinity();  // learn.time_limit
};

// From `markov.*`, `random.seed` and `learn.time_limit`, as options_of() gives
// them. Throws InputError with all that are out of range.
MarkovLearnSettings markov_learn_settings(const std::map<std::string, std::string>& options);

}  // namespace sorites
