// Flags that set options: what they take, their help and their defaults are those of the option.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "modelfile/model_file.h"
#include "options/option_catalog.h"

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

bool is_set(const OptionFlagValues& values, const std::string& option);

// The value of one, if it is given.
template <class Value>
std::optional<Value> flag_value(const OptionFlagValues& values, const std::string& option) {
  Value value{};
  const bool given =
      is_set(values, option) &&
      OptionValue<Value>::read(values.at(option), NumberRange{}.or_infinite(), value).empty();
  return given ? std::optional(value) : std::nullopt;
}

// As settings, which win over those of the model.
std::vector<OptionSetting> settings_of_flags(const OptionFlagValues& values);

}  // namespace sorites
