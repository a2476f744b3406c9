#include "modelfile/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "modelfile/network_options.h"

namespace sorites {
namespace {

// All of them as one layer.
void lay_over(std::span<const OptionSetting> options, Settings& settings) {
  settings.begin_layer();
  for (const OptionSetting& option : options) settings.set(to_setting(option));
}

// Each over those before it: what is said last on a command line counts.
void lay_over_one_by_one(std::span<const OptionSetting> options, Settings& settings) {
  for (const OptionSetting& option : options) lay_over({&option, 1}, settings);
}

// What the options before all phases say: the switches of phases are read from them.
ModelOptions model_options(const ModelFile& model, std::span<const OptionSetting> overrides) {
  Settings settings;
  lay_over(model.section(Section::kAll).options, settings);
  lay_over_one_by_one(overrides, settings);
  ModelOptions options;
  Diagnostics checked;  // what is wrong was reported when the file was opened
  read_options(kModelOptions, settings, options, checked);
  return options;
}

bool has_own_content(const ModelFile& model, Section section) {
  const auto has_own_data = [&](const PredicateDeclaration& predicate) {
    return std::any_of(predicate.data.begin(), predicate.data.end(), [&](const DataSource& data) {
      return data.section == section;
    });
  };
  return !model.section(section).rules.empty() || !model.section(section).options.empty() ||
         std::any_of(model.predicates.begin(), model.predicates.end(), has_own_data);
}

// Of each object of options in the file.
void for_all_objects(const ModelFile& model,
                     const std::function<void(std::span<const OptionSetting>)>& look) {
  for (const ModelSection& section : model.sections) look(section.options);
  for (const PredicateDeclaration& predicate : model.predicates) {
    for (const Evaluation& evaluation : predicate.evaluations) look(evaluation.options);
  }
}

void for_all_options(const ModelFile& model, const std::function<void(const Setting&)>& look) {
  for_all_objects(model, [&](std::span<const OptionSetting> options) {
    for (const OptionSetting& option : options) look(to_setting(option));
  });
}

}  // namespace

Setting to_setting(const OptionSetting& option) {
  const bool has_own_place = !option.value_at.file.empty();
  return {.name = option.name,
          .value = option.value,
          .at = option.declared_at,
          .value_at = has_own_place ? option.value_at : option.declared_at};
}

Settings settings_of(const ModelFile& model,
                     Phase phase,
                     std::span<const OptionSetting> overrides,
                     std::span<const OptionSetting> flags) {
  Settings settings;
  lay_over(model.section(Section::kAll).options, settings);
  lay_over_one_by_one(overrides, settings);
  lay_over(model.section(section_of(phase)).options, settings);
  lay_over_one_by_one(flags, settings);
  return settings;
}

ModelFile with_overrides(ModelFile model,
                         std::span<const OptionSetting> overrides,
                         const OptionCatalog& catalog) {
  std::vector<OptionSetting>& options =
      model.sections[static_cast<std::size_t>(Section::kAll)].options;
  for (const OptionSetting& override : overrides) {
    const OptionInfo* info = override.value.empty() ? nullptr : catalog.find(override.name);
    std::erase_if(options, [&](const OptionSetting& option) {
      return same_but_case(option.name, override.name) ||
             (info != nullptr && catalog.find(option.name) == info);
    });
    if (!override.value.empty()) options.push_back(override);
  }
  return model;
}

std::set<std::string> warn_of_other_names(std::span<const OptionSetting> options,
                                          const OptionCatalog& catalog,
                                          Diagnostics& diagnostics) {
  std::set<std::string> without_effect;
  std::map<std::string_view, const OptionSetting*> counting;  // by our name
  const auto rank = [](const OptionInfo& info, const OptionSetting& option) {
    if (same_but_case(info.name, option.name)) return info.other_names.size();
    const auto at =
        std::find_if(info.other_names.begin(), info.other_names.end(), [&](std::string_view name) {
          return same_but_case(name, option.name);
        });
    return static_cast<std::size_t>(info.other_names.end() - at) - 1;
  };
  for (const OptionSetting& option : options) {
    const OptionInfo* info = catalog.find(option.name);
    if (info == nullptr || option.value.empty()) continue;
    const OptionSetting*& best = counting[info->name];
    const OptionSetting* other = std::exchange(best, best == nullptr ? &option : best);
    if (other == nullptr) continue;
    if (rank(*info, option) > rank(*info, *other)) best = &option;
    const OptionSetting& lost = best == other ? option : *other;
    without_effect.insert(lost.name);
    if (lost.value == best->value) continue;
    diagnostics
        .warning(DiagnosticCode::kIgnoredOptions,
                 lost.declared_at,
                 fmt::format("`{}` has no effect: `{}`, another name of it, counts first",
                             lost.name,
                             best->name))
        .notes.push_back({"it stands here", best->declared_at});
  }
  return without_effect;
}

void check_options(const ModelFile& model, const OptionCatalog& catalog, Diagnostics& diagnostics) {
  for_all_options(model, [&](const Setting& setting) { catalog.check(setting, diagnostics); });
  for_all_objects(model, [&](std::span<const OptionSetting> options) {
    warn_of_other_names(options, catalog, diagnostics);
  });
}

void check_overrides(std::span<const OptionSetting> overrides,
                     const OptionCatalog& catalog,
                     Diagnostics& diagnostics) {
  for (const OptionSetting& option : overrides) catalog.check(to_setting(option), diagnostics);
}

void warn_of_ignored_options(const ModelFile& model,
                             std::span<const OptionSetting> overrides,
                             const OptionCatalog& catalog,
                             Diagnostics& diagnostics) {
  std::set<std::string> names;
  Span first;
  const auto look = [&](const Setting& setting) {
    if (!catalog.is_ignored(setting.name)) return;
    if (names.empty()) first = setting.at;
    names.insert(setting.name);
  };
  for_all_options(model, look);
  for (const OptionSetting& option : overrides) look(to_setting(option));
  if (names.empty()) return;
  diagnostics
      .warning(DiagnosticCode::kIgnoredOptions,
               first,
               fmt::format("accepted, but without effect: `{}`", fmt::join(names, "`, `")))
      .notes.push_back({"docs/options.md says why each of them has none", {}});
}

std::vector<Phase> phases_of(const ModelFile& model, std::span<const OptionSetting> overrides) {
  const ModelOptions options = model_options(model, overrides);
  const auto runs = [&](Phase phase, const std::optional<bool>& said) {
    return said.value_or(has_own_content(model, section_of(phase)));
  };
  std::vector<Phase> phases;
  const bool learns = runs(Phase::kLearn, options.learn);
  if (learns) phases.push_back(Phase::kLearn);
  if (runs(Phase::kValidation, options.validation)) phases.push_back(Phase::kValidation);
  const bool nothing_said = !learns && !options.inference;
  if (nothing_said || runs(Phase::kInfer, options.inference)) phases.push_back(Phase::kInfer);
  return phases;
}

std::map<std::string, std::string> network_options(const PredicateDeclaration& predicate,
                                                   Phase phase) {
  std::vector<std::string_view> mine = {"inference::"};
  if (phase == Phase::kLearn) mine = {"learning::"};
  if (phase == Phase::kValidation) mine = {"learning::", "validation::"};
  std::map<std::string, std::string> options;
  for (const auto& [name, value] : predicate.options) {
    if (without_phase(name) == name) options.emplace(name, value);
  }
  for (const std::string_view prefix : mine) {
    for (const auto& [name, value] : predicate.options) {
      if (name.starts_with(prefix)) options[name.substr(prefix.size())] = value;
    }
  }
  return options;
}

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::kLearn:
      return "learn";
    case Phase::kValidation:
      return "validation";
    case Phase::kInfer:
      return "infer";
  }
  return {};  // not reached: the switch is complete
}

}  // namespace sorites
