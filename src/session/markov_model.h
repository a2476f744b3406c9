// Model files with "semantics": "markov-logic", with their data.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "modelfile/model_reader.h"
#include "sorites/markov.h"
#include "sorites/model_file.h"

namespace sorites {

struct LoadedMarkovModel {
  MarkovModel model;
  ModelFile file;    // what the model file says; its predicates are the first ones of the model
  LoadedModel data;  // predicates and rows as the model file has them
  std::map<std::string, std::string> options;  // of the phase
  std::vector<Diagnostic> warnings;
};

// Whether it is a *.json or *.yaml file (or a folder that holds one) of Markov logic. False for
// anything that cannot be read.
bool is_markov_model_file(const std::string& path);

// Observations are facts, targets are queries, and truth is their truth. Values are 0 and 1. A row
// of a predicate with classes has its class behind the arguments; of targets, all classes of an
// atom are one query. Throws InputError with all mistakes, IoError.
LoadedMarkovModel load_markov_model(const std::string& path,
                                    Phase phase = Phase::kInfer,
                                    std::span<const OptionSetting> overrides = {},
                                    const LoadOptions& options = {});

}  // namespace sorites
