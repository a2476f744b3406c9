// The flags that all commands on a model share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "option_flags.h"
#include "sorites/program.h"
#include "terminal.h"

namespace sorites {

struct CommonFlags {
  std::string model;
  std::string data;              // of a rule file
  std::vector<std::string> set;  // option=value
  std::string phase;             // empty: as the command likes
  std::string semantics;         // empty: as the model says
  OptionFlagValues options;      // of flags that set one
  std::string memory_limit;      // taken as it is read: it holds for the process
  bool json = false;
  bool quiet = false;
  ColorMode color = ColorMode::kAuto;
};

void add_common_flags(CLI::App& command, CommonFlags& flags);

CLI::Validator whole_number();  // from 0

// What is wrong with a file that is to be read; empty if nothing is.
std::string check_readable(const std::string& path);

// The options that --set gave. Throws CLI::ValidationError for one without `=`.
std::vector<OptionSetting> option_settings(const CommonFlags& flags);

}  // namespace sorites
