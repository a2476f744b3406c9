#include "modelfile/predicate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "modelfile/network_option_table.h"

namespace sorites {
namespace {

// Options that every predicate may have.
enum class Takes : std::uint8_t { kBool, kIndexes };

struct CommonOption {
  std::string_view name;
  Takes takes;
};
constexpr CommonOption kCommon[] = {
    {"integer", Takes::kBool},
    {"categorical", Takes::kBool},
    {"categoricalindexes", Takes::kIndexes},
};

bool is_python_class(std::string_view path) { return path.find(".py::") != std::string_view::npos; }

class OptionsReader {
 public:
  OptionsReader(const ConfigNode& node,
                const ConfigReport& report,
                PredicateDeclaration& declaration)
      : node_(node), report_(report), declaration_(declaration) {
    for (const ConfigNode& member : node.children) {
      has_python_ = has_python_ || is_python_class(member.text);
    }
  }

  void read() {
    for (const ConfigNode& member : node_.children) {
      if (member.kind == ConfigKind::kNull) continue;
      const auto value = value_of(member);
      if (!value || !check(member, *value)) continue;
      declaration_.options[member.key] = *value;
      declaration_.options_at[member.key] = report_.locate(member.range);
    }
  }

 private:
  // A list of scalars is kept as text with colons between.
  std::optional<std::string> value_of(const ConfigNode& member) {
    if (member.is_scalar()) return member.text;
    const bool scalars =
        member.kind == ConfigKind::kList &&
        std::all_of(member.children.begin(), member.children.end(), [](const ConfigNode& element) {
          return element.is_scalar() && element.kind != ConfigKind::kNull;
        });
    if (!scalars || !declaration_.neural) {
      report_.wrong_kind(
          member,
          fmt::format("`{}`", member.key),
          declaration_.neural ? "a single value or a list of single values" : "a single value");
      return std::nullopt;
    }
    std::string text;
    for (const ConfigNode& element : member.children) {
      if (element.text.find(':') != std::string::npos) {
        report_.error(DiagnosticCode::kBadOptionValue,
                      element.range,
                      fmt::format("an element of `{}` cannot have a colon", member.key));
        return std::nullopt;
      }
      text += (text.empty() ? "" : ":") + element.text;
    }
    return text;
  }

  bool check(const ConfigNode& member, const std::string& value) {
    const std::string_view name =
        declaration_.neural ? without_phase(member.key) : std::string_view(member.key);
    for (const CommonOption& option : kCommon) {
      if (option.name == name) return check_common(option, member, value);
    }
    const NetworkOptionInfo* option = declaration_.neural ? find_network_option(name) : nullptr;
    if (option == nullptr) {
      if (has_python_) return true;  // for the Python class, which does not run here
      report_unknown(member, name);
      return false;
    }
    if (!can_take(*option, value, declaration_.arity)) {
      bad_value(member, name, describe_values(*option, declaration_.arity), value);
      return false;
    }
    if (is_python_class(value)) warn_of_python(member);
    return true;
  }

  bool check_common(const CommonOption& option,
                    const ConfigNode& member,
                    const std::string& value) {
    const bool is_bool = option.takes == Takes::kBool;
    if (is_bool ? value == "true" || value == "false"
                : argument_numbers(value, declaration_.arity).has_value()) {
      return true;
    }
    bad_value(member,
              option.name,
              is_bool ? "true or false"
                      : fmt::format("argument numbers from 0 to {}, separated by colons",
                                    declaration_.arity - 1),
              value);
    return false;
  }

  void bad_value(const ConfigNode& member,
                 std::string_view name,
                 const std::string& takes,
                 const std::string& value) {
    report_.error(DiagnosticCode::kBadOptionValue,
                  member.range,
                  fmt::format("`{}` takes {}, not `{}`", name, takes, value));
  }

  void report_unknown(const ConfigNode& member, std::string_view name) {
    std::vector<std::string_view> names;
    for (const CommonOption& option : kCommon) names.push_back(option.name);
    if (declaration_.neural) {
      for (const NetworkOptionInfo& option : network_option_table()) names.push_back(option.name);
    }
    Diagnostic& added = report_.error(
        DiagnosticCode::kUnknownOption,
        member.key_range,
        declaration_.neural ? fmt::format("networks have no option `{}`", member.key)
                            : fmt::format("predicates have no option `{}`", member.key));
    suggest_name(added, name, names);
    if (!added.notes.empty()) return;
    added.notes.push_back({declaration_.neural
                               ? "docs/network-options.md lists them all"
                               : "options of networks need `\"type\": \"DeepPredicate\"`",
                           {}});
  }

  void warn_of_python(const ConfigNode& member) {
    report_
        .warning(DiagnosticCode::kPythonNetwork,
                 member.range,
                 "this network is a Python class; networks run inside Sorites, without Python")
        .notes.push_back(
            {"export it once with torch.jit.script(model).save(\"model.pt\") and give the "
             "saved file as `model-path`",
             {}});
  }

  const ConfigNode& node_;
  const ConfigReport& report_;
  PredicateDeclaration& declaration_;
  bool has_python_ = false;
};

}  // namespace

void read_predicate_options(const ConfigNode& node,
                            const ConfigReport& report,
                            PredicateDeclaration& declaration) {
  if (node.kind != ConfigKind::kObject) {
    report.wrong_kind(node, "`options`", "an object");
    return;
  }
  OptionsReader(node, report, declaration).read();
}

}  // namespace sorites
