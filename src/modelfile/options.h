// The options that a model file and the command line set: which one wins, and what they say about
// the model file itself.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>

#include "base/diagnostics.h"
#include "modelfile/model_file.h"
#include "options/option_catalog.h"

namespace sorites {

struct ModelOptions {
  std::optional<bool> learn, validation, inference;  // none: the model file decides
  bool integer_ids = false;  // arguments without declared types are UniqueIntID
};

inline constexpr Option<ModelOptions> kModelOptions[] = {
    {"runtime.learn",
     "",
     field<&ModelOptions::learn>,
     {},
     "whether to learn; if not given, the model file decides"},
    {"runtime.validation",
     "",
     field<&ModelOptions::validation>,
     {},
     "whether to validate while learning; if not given, the model file decides"},
    {"runtime.inference",
     "",
     field<&ModelOptions::inference>,
     {},
     "whether to infer; if not given, the model file decides"},
    {"runtime.db.intids",
     "",
     field<&ModelOptions::integer_ids>,
     {},
     "arguments without declared types are UniqueIntID instead of UniqueStringID"},
};

Setting to_setting(const OptionSetting& option);

// What is set in a phase: the file's `options` < overrides, which are the options of the command
// line < the file's `learn.options`, `validation.options` or `infer.options` < flags, which are
// options too; an empty value unsets one. What is not set is as the structs of options have it.
Settings settings_of(const ModelFile& model,
                     Phase phase,
                     std::span<const OptionSetting> overrides = {},
                     std::span<const OptionSetting> flags = {});

// The same model with the overrides among its options: those that they lie over, by whatever name,
// are gone.
ModelFile with_overrides(ModelFile model,
                         std::span<const OptionSetting> overrides,
                         const OptionCatalog& catalog);

// Report options that there are not, and values that they do not take: of the file, and of the
// command line, which have no place.
void check_options(const ModelFile& model, const OptionCatalog& catalog, Diagnostics& diagnostics);
void check_overrides(std::span<const OptionSetting> overrides,
                     const OptionCatalog& catalog,
                     Diagnostics& diagnostics);

// A model may have an option by PSL's name and by ours, each for its program. But where the values
// differ, whoever changes the one that does not count must be told. Returns the names that do not.
std::set<std::string> warn_of_other_names(std::span<const OptionSetting> options,
                                          const OptionCatalog& catalog,
                                          Diagnostics& diagnostics);

// One warning that lists all options of the file and the overrides that have no effect.
void warn_of_ignored_options(const ModelFile& model,
                             std::span<const OptionSetting> overrides,
                             const OptionCatalog& catalog,
                             Diagnostics& diagnostics);

}  // namespace sorites
