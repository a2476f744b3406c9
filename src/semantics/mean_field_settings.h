// What the options of a model say about mean field.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "meanfield/hard_propagation.h"
#include "meanfield/mean_field_option_table.h"
#include "options/settings.h"
#include "semantics/ground_inference.h"
#include "sorites/meanfield.h"
#include "sorites/program.h"

namespace sorites {

struct MeanFieldSettings {
  MeanFieldOptions options;
  HardPropagationOptions propagation;
  double time_limit_seconds = 0.0;  // infinite if there is none
  bool all_atoms = false;           // values of all unknown atoms, not of the targets alone
  MeanFieldOptions learning;        // inference, where something is learned by it
  FactLearnOptions facts;           // what is learned from where there are no labels
  // Learning from facts, where the weights as written say nothing, and options nothing else.
  std::optional<MeanFieldOptions> ranking;
  MarkovMethodOptions method;
};

// Throws InputError if a number is out of range.
MeanFieldSettings mean_field_settings(const Settings& settings);

// The same options as texts, for a model that is to be inferred by them.
std::map<std::string, std::string> ranking_options(const MeanFieldOptions& options);

// The program as options change it: predicates whose world is closed, weights. The data, as it was
// given, tells what cannot be closed.
Program with_world_options(Program program, const Database& database, const Settings& settings);

// Whether worlds that a text does not declare closed are guessed: unless options say no, or which.
bool guesses_closed_worlds(const Settings& settings);

}  // namespace sorites
