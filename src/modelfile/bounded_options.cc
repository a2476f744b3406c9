#include "modelfile/bounded_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constant.h"
#include "modelfile/finish_diagnostics.h"
#include "modelfile/options.h"

namespace sorites {

std::string_view describe(Bound bound) {
  switch (bound) {
    case Bound::kPositive:
      return "a positive number";
    case Bound::kNotNegative:
      return "a number that is not negative";
    case Bound::kPositiveOrInfinite:
      return "a positive number or inf";
    case Bound::kAtLeastOne:
      return "a number of at least 1";
    case Bound::kBelowOne:
      return "a number from 0 to below 1";
  }
  return {};  // not reached: the switch is complete
}

bool is_within(double number, Bound bound) {
  switch (bound) {
    case Bound::kPositive:
      return number > 0.0 && std::isfinite(number);
    case Bound::kNotNegative:
      return number >= 0.0 && std::isfinite(number);
    case Bound::kPositiveOrInfinite:
      return number > 0.0;
    case Bound::kAtLeastOne:
      return number >= 1.0 && std::isfinite(number);
    case Bound::kBelowOne:
      return number >= 0.0 && number < 1.0;
  }
  return false;  // not reached: the switch is complete
}

BoundedOptions::BoundedOptions(const ModelFile& model,
                               Phase phase,
                               std::span<const OptionSetting> overrides,
                               std::span<const OptionSetting> flags)
    : model_(model),
      phase_(phase),
      overrides_(overrides),
      flags_(flags),
      options_(options_of(model, phase, overrides)) {
  for (const OptionSetting& flag : flags) options_[flag.name] = flag.value;
}

const std::string& BoundedOptions::text(const std::string& name) const {
  static const std::string none;
  const auto found = options_.find(name);
  return found == options_.end() ? none : found->second;
}

bool BoundedOptions::is_set(const std::string& name) const { return is_true(options_, name); }

bool BoundedOptions::is_given(const std::string& name) const {
  const auto names = [&](std::span<const OptionSetting> settings) {
    return std::any_of(settings.begin(), settings.end(), [&](const OptionSetting& setting) {
      return setting.name == name;
    });
  };
  return names(model_.section(Section::kAll).options) || names(overrides_) ||
         names(model_.section(section_of(phase_)).options) || names(flags_);
}

std::string BoundedOptions::chosen(const char* psl, const char* own) const {
  return text(own).empty() ? psl : own;
}

void BoundedOptions::real(const char* psl, const char* own, Bound bound, double& out) {
  const std::string name = chosen(psl, own);
  if (text(name).empty()) return;
  // That it is a number was checked; parse_real does not know "inf".
  const double number = parse_real(text(name)).value_or(std::numeric_limits<double>::infinity());
  if (!is_within(number, bound)) return takes(name, describe(bound));
  out = number;
}

void BoundedOptions::count(const char* psl,
                           const char* own,
                           std::uint64_t least,
                           std::uint64_t& out) {
  const std::string name = chosen(psl, own);
  if (text(name).empty()) return;
  const std::int64_t number = parse_integer(text(name)).value_or(-1);
  if (number < static_cast<std::int64_t>(least)) {
    return takes(name, fmt::format("an integer of at least {}", least));
  }
  out = static_cast<std::uint64_t>(number);
}

void BoundedOptions::flag(const char* psl, const char* own, bool& out) {
  const std::string name = chosen(psl, own);
  if (!text(name).empty()) out = is_set(name);
}

Span BoundedOptions::place(const std::string& name) const {
  Span found;
  const auto look = [&](std::span<const OptionSetting> settings) {
    for (const OptionSetting& setting : settings) {
      if (setting.name == name) found = setting.declared_at;
    }
  };
  look(model_.section(Section::kAll).options);
  look(overrides_);
  look(model_.section(section_of(phase_)).options);
  look(flags_);
  return found;
}

Diagnostic& BoundedOptions::wrong(const std::string& name, std::string message) {
  return sink_.error(DiagnosticCode::kBadOptionValue, place(name), std::move(message));
}

void BoundedOptions::takes(const std::string& name, std::string_view what) {
  wrong(name, fmt::format("`{}` takes {}, not `{}`", name, what, text(name)));
}

void BoundedOptions::throw_if_wrong() {
  if (sink_.has_errors()) throw InputError(finish_diagnostics(model_, sink_));
}

}  // namespace sorites
