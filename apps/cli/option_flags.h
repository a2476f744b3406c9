// Flags that set options: what they take, their help and their defaults are those of the option.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "options/option_catalog.h"
#include "sorites/program.h"

namespace sorites {

struct OptionFlag {
  const char* flag;    // "--step-size"
  const char* option;  // "learn.step_size"
  const char* type;    // how help calls the value: "NUMBER"
};

// What flags gave, by the name of the option; empty: not given.
using OptionFlagValues = std::map<std::string, std::string>;

// `values` must outlive the command.
void add_option_flags(CLI::App& command,
                      const OptionCatalog& catalog,
                      std::span<const OptionFlag> flags,
                      OptionFlagValues& values);

// As settings, which win over those of the model.
std::vector<OptionSetting> settings_of_flags(const OptionFlagValues& values);

}  // namespace sorites
