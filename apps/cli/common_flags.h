// The flags that all commands on a model share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "modelfile/model_file.h"
#include "terminal.h"

namespace sorites {

struct CommonFlags {
  std::string model;
  std::string data;              // of a rule file
  std::vector<std::string> set;  // option=value
  std::string phase;             // empty: as the command likes
  std::string semantics;         // empty: as the model says
  std::string threads;           // empty: one per core
  std::string seed;              // empty: as the model says
  std::string memory_limit;      // taken as it is read: it holds for the process
  bool json = false;
  bool quiet = false;
  ColorMode color = ColorMode::kAuto;
};

void add_common_flags(CLI::App& command, CommonFlags& flags);

// Numbers from 0 to `most`; kCountless: to whatever a machine counts to.
inline constexpr std::uint64_t kCountless = std::numeric_limits<std::int64_t>::max();
CLI::Validator whole_number(std::uint64_t most);

// What is wrong with a file that is to be read; empty if nothing is.
std::string check_readable(const std::string& path);

// The options that --set gave. Throws CLI::ValidationError for one without `=`.
std::vector<OptionSetting> option_settings(const CommonFlags& flags);

}  // namespace sorites
