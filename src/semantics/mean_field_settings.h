// What the options of a model say about mean field.
#pragma once

#include <map>
#include <string>

#include "meanfield/hard_propagation.h"
#include "meanfield/learn_markov.h"
#include "sorites/meanfield.h"
#include "sorites/program.h"

namespace sorites {

struct MeanFieldSettings {
  MeanFieldOptions options;
  HardPropagationOptions propagation;
  double time_limit_seconds = 0.0;  // infinite if there is none
  bool all_atoms = false;           // values of all unknown atoms, not of the targets alone
  MarkovLearnOptions learn;         // from the facts alone; its inference is that of all learning
};

// Throws InputError if a number is out of range.
MeanFieldSettings mean_field_settings(const std::map<std::string, std::string>& options);

// The program as options change it: predicates whose world is closed, weights.
Program with_world_options(Program program, const std::map<std::string, std::string>& options);

}  // namespace sorites
