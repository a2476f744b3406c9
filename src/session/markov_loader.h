// A Markov logic model from files, with the options that hold for it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sorites/markov.h"
#include "sorites/meanfield.h"
#include "sorites/model_file.h"

namespace sorites {

struct LoadedMarkov {
  MarkovModel model;
  std::vector<std::vector<Evaluation>> evaluations;  // per predicate: those that the file asks for
  std::map<std::string, std::string> options;        // as options_of
  MeanFieldOptions mean_field;                       // what the options say
  double time_limit_seconds = 0.0;  // inference.time_limit; infinite if there is none
  bool write_results = true;
  std::string results_directory;  // empty: none is named
  std::vector<Diagnostic> warnings;
};

struct MarkovLoadOptions {
  Phase phase = Phase::kInfer;  // of a model file
  bool run_networks = false;    // what networks of deep predicates say becomes unary potentials
  LoadOptions load;
};

// Reads the model. `overrides` are options of --set, `flags` those that have a flag of their own
// and win. Throws InputError with all mistakes.
LoadedMarkov load_markov(const std::string& path,
                         const std::string& data_path,
                         std::span<const OptionSetting> overrides,
                         std::span<const OptionSetting> flags = {},
                         const MarkovLoadOptions& load_options = {});

}  // namespace sorites
