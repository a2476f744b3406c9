// Text of a model file -> ModelFile. Nothing here touches the file system.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "modelfile/model_file.h"

namespace sorites {

// Reads a file into `text`; returns why it could not, or an empty text.
using FileReader = std::function<std::string(const std::string& path, std::string& text)>;

enum class ConfigFormat : std::uint8_t { kJson, kYaml };

// What could be made of a model file. The functions that make it throw Interrupted.
struct ModelDraft {
  ModelFile model;
  std::vector<std::string> broken_predicates;  // declared, but with mistakes: not in the model
  bool has_predicates = false;  // if not, why not is reported, and rules cannot be checked
};

ModelDraft parse_model(std::string path,
                       std::string text,
                       ConfigFormat format,
                       const FileReader& files,
                       Diagnostics& diagnostics,
                       const std::stop_token& stop = {});

// The older pair of a rule file and a YAML file that declares the predicates and names the data.
ModelDraft parse_rules_and_data(ModelText rules,
                                ModelText data,
                                Diagnostics& diagnostics,
                                const std::stop_token& stop = {});

}  // namespace sorites
