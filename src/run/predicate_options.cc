#include "run/predicate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/constant.h"

namespace sorites {
namespace {

enum class Takes : std::uint8_t { kBool, kIndexes, kCount, kPath };

struct KnownOption {
  std::string_view name;
  Takes takes;
  bool neural_only;
};
constexpr KnownOption kKnown[] = {
    {"integer", Takes::kBool, false},
    {"categorical", Takes::kBool, false},
    {"categoricalindexes", Takes::kIndexes, false},
    {"model-path", Takes::kPath, true},
    {"entity-data-map-path", Takes::kPath, true},
    {"entity-argument-indexes", Takes::kIndexes, true},
    {"class-size", Takes::kCount, true},
};

// Argument numbers from 0, separated by colons or commas; negative ones count from the end.
bool are_indexes(std::string_view text, std::size_t arity) {
  const auto limit = static_cast<std::int64_t>(arity);
  while (true) {
    const std::size_t end = std::min(text.find_first_of(":,"), text.size());
    const auto index = parse_integer(text.substr(0, end));
    if (!index || *index < -limit || *index >= limit) return false;
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

// What the option takes, if `value` is something else.
std::optional<std::string> wanted(Takes takes, std::string_view value, std::size_t arity) {
  switch (takes) {
    case Takes::kBool:
      if (value == "true" || value == "false") return std::nullopt;
      return "true or false";
    case Takes::kIndexes:
      if (are_indexes(value, arity)) return std::nullopt;
      return fmt::format("argument numbers from 0 to {}, separated by colons", arity - 1);
    case Takes::kCount:
      if (const auto count = parse_integer(value); count && *count > 0) return std::nullopt;
      return "a positive integer";
    case Takes::kPath:
      if (!value.empty()) return std::nullopt;
      return "a path";
  }
  return std::nullopt;  // not reached: the switch is complete
}

// The name without the phase it is for.
std::string_view base_name(std::string_view name) {
  for (const std::string_view prefix : {"learning::", "inference::"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

void warn_of_python(const ConfigNode& member, const ConfigReport& report) {
  report
      .warning(DiagnosticCode::kPythonNetwork,
               member.range,
               "this network is a Python class; networks run inside Sorites, without Python")
      .notes.push_back(
          {"export it once with torch.jit.script(model).save(\"model.pt\") and give the "
           "saved file as `model-path`",
           {}});
}

bool check(const ConfigNode& member,
           const ConfigReport& report,
           const PredicateDeclaration& declaration) {
  const std::string_view name = base_name(member.key);
  const auto* known = std::find_if(std::begin(kKnown), std::end(kKnown), [&](const auto& option) {
    return option.name == name && (declaration.neural || !option.neural_only);
  });
  if (known == std::end(kKnown)) {
    if (declaration.neural) return true;
    std::vector<std::string_view> names;
    for (const KnownOption& option : kKnown) {
      if (!option.neural_only) names.push_back(option.name);
    }
    Diagnostic& added = report.error(DiagnosticCode::kUnknownOption,
                                     member.key_range,
                                     fmt::format("predicates have no option `{}`", member.key));
    suggest_name(added, member.key, names);
    if (added.notes.empty()) {
      added.notes.push_back({"options of networks need `\"type\": \"DeepPredicate\"`", {}});
    }
    return false;
  }
  if (const auto takes = wanted(known->takes, member.text, declaration.arity)) {
    report.error(DiagnosticCode::kBadOptionValue,
                 member.range,
                 fmt::format("`{}` takes {}, not `{}`", name, *takes, member.text));
    return false;
  }
  if (known->takes == Takes::kPath && member.text.find(".py::") != std::string::npos) {
    warn_of_python(member, report);
  }
  return true;
}

}  // namespace

void read_predicate_options(const ConfigNode& node,
                            const ConfigReport& report,
                            PredicateDeclaration& declaration) {
  if (node.kind != ConfigKind::kObject) {
    report.wrong_kind(node, "`options`", "an object");
    return;
  }
  for (const ConfigNode& member : node.children) {
    if (!member.is_scalar()) {
      report.wrong_kind(member, fmt::format("`{}`", member.key), "a single value");
    } else if (member.kind != ConfigKind::kNull && check(member, report, declaration)) {
      declaration.options[member.key] = member.text;
    }
  }
}

}  // namespace sorites
