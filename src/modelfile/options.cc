#include "modelfile/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "modelfile/network_option_table.h"
#include "options/option_table.h"

namespace sorites {
namespace {

using Options = std::map<std::string, std::string>;

void lay_over(std::span<const OptionSetting> settings, Options& options) {
  for (const OptionSetting& setting : settings) options[setting.name] = setting.value;
}

bool is_true_text(std::string_view value) {
  return value.size() == 4 && (value[0] == 't' || value[0] == 'T');  // "true" in any case
}

// What the options before all phases say, if they say anything: the switches are read from them.
std::optional<bool> switch_of(const ModelFile& model,
                              std::span<const OptionSetting> overrides,
                              const std::string& name) {
  Options options;
  lay_over(model.section(Section::kAll).options, options);
  lay_over(overrides, options);
  const auto found = options.find(name);
  if (found == options.end()) return std::nullopt;
  return is_true_text(found->second);
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

}  // namespace

bool check_option(std::string_view name, std::string_view value, const ReportError& error) {
  const OptionInfo* option = find_option(name);
  if (option == nullptr) {
    std::vector<std::string_view> known;
    for (const OptionInfo& info : option_table()) known.push_back(info.name);
    suggest_name(
        error(DiagnosticCode::kUnknownOption, fmt::format("there is no option `{}`", name)),
        name,
        known);
    return false;
  }
  if (auto why = why_bad(*option, value)) {
    error(DiagnosticCode::kBadOptionValue, std::move(*why));
    return false;
  }
  return true;
}

void check_overrides(std::span<const OptionSetting> overrides, Diagnostics& diagnostics) {
  for (const OptionSetting& setting : overrides) {
    const auto error = [&](DiagnosticCode code, std::string message) -> Diagnostic& {
      return diagnostics.error(code, setting.declared_at, std::move(message));
    };
    check_option(setting.name, setting.value, error);
  }
}

void warn_of_ignored_options(const ModelFile& model,
                             std::span<const OptionSetting> overrides,
                             Diagnostics& diagnostics) {
  std::set<std::string_view> names;
  Span first;
  const auto look = [&](const std::string& name, const Span& at) {
    const OptionInfo* option = find_option(name);
    if (option == nullptr || option->effect == OptionEffect::kEffective) return;
    if (names.empty()) first = at;
    names.insert(option->name);
  };
  for (const ModelSection& section : model.sections) {
    for (const OptionSetting& setting : section.options) look(setting.name, setting.declared_at);
  }
  for (const PredicateDeclaration& predicate : model.predicates) {
    for (const Evaluation& evaluation : predicate.evaluations) {
      for (const auto& [name, value] : evaluation.options) look(name, evaluation.declared_at);
    }
  }
  for (const OptionSetting& setting : overrides) look(setting.name, setting.declared_at);
  if (names.empty()) return;
  diagnostics
      .warning(DiagnosticCode::kIgnoredOptions,
               first,
               fmt::format("accepted, but without effect: `{}`", fmt::join(names, "`, `")))
      .notes.push_back({"docs/options.md says what each of them means", {}});
}

bool is_true(const Options& options, std::string_view name) {
  const auto found = options.find(std::string(name));
  return found != options.end() && is_true_text(found->second);
}

std::vector<Phase> phases_of(const ModelFile& model, std::span<const OptionSetting> overrides) {
  const auto runs = [&](Phase phase, const char* option) {
    return switch_of(model, overrides, option).value_or(has_own_content(model, section_of(phase)));
  };
  std::vector<Phase> phases;
  const bool learns = runs(Phase::kLearn, "runtime.learn");
  if (learns) phases.push_back(Phase::kLearn);
  if (runs(Phase::kValidation, "runtime.validation")) phases.push_back(Phase::kValidation);
  const bool nothing_said = !learns && !switch_of(model, overrides, "runtime.inference");
  if (nothing_said || runs(Phase::kInfer, "runtime.inference")) phases.push_back(Phase::kInfer);
  return phases;
}

std::map<std::string, std::string> options_of(const ModelFile& model,
                                              Phase phase,
                                              std::span<const OptionSetting> overrides) {
  Options options;
  for (const OptionInfo& option : option_table()) {
    if (!option.default_value.empty()) options.emplace(option.name, option.default_value);
  }
  lay_over(model.section(Section::kAll).options, options);
  lay_over(overrides, options);
  lay_over(model.section(section_of(phase)).options, options);
  return options;
}

std::map<std::string, std::string> network_options(const PredicateDeclaration& predicate,
                                                   Phase phase) {
  std::vector<std::string_view> mine = {"inference::"};
  if (phase == Phase::kLearn) mine = {"learning::"};
  if (phase == Phase::kValidation) mine = {"learning::", "validation::"};
  Options options;
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
