// Settings of options: checking them and finding out which one wins.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "sorites/model_file.h"

namespace sorites {

// Reports an unknown name or a bad value through `error`, which knows the place. False if it did.
using ReportError = std::function<Diagnostic&(DiagnosticCode code, std::string message)>;
bool check_option(std::string_view name, std::string_view value, const ReportError& error);

// Checks options of the command line, which have no place.
void check_overrides(std::span<const OptionSetting> overrides, Diagnostics& diagnostics);

// One warning that lists all options of the file and the overrides that have no effect.
void warn_of_ignored_options(const ModelFile& model,
                             std::span<const OptionSetting> overrides,
                             Diagnostics& diagnostics);

// Of an option of kind kBool, as resolved by options_of.
bool is_true(const std::map<std::string, std::string>& options, std::string_view name);

}  // namespace sorites
