#include "modelfile/predicate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "modelfile/network_options.h"

namespace sorites {
namespace {

const OptionCatalog& predicate_option_catalog() {
  static const OptionCatalog catalog = [] {
    OptionCatalog all;
    all.add(kPredicateOptions);
    return all;
  }();
  return catalog;
}

// "argument numbers from 0 to 2, separated by colons"
std::string takes_of(const OptionInfo& option, std::size_t arity) {
  std::string takes = option.takes;
  if (option.kind == OptionKind::kArguments) {
    takes.insert(takes.find(','), fmt::format(" from 0 to {}", arity - 1));
  }
  return takes;
}

// Numbers of arguments are known to be numbers, or `none`.
bool are_there(std::string_view arguments, std::size_t arity) {
  std::vector<int> numbers;
  return !OptionValue<std::vector<int>>::read(arguments, {}, numbers).empty() ||
         argument_numbers(numbers, arity);
}

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

  // Names and choices are kept in lower case, whatever they are written in.
  void read() {
    for (const ConfigNode& member : node_.children) {
      if (member.kind == ConfigKind::kNull) continue;
      auto value = value_of(member);
      if (!value || !check(member, *value)) continue;
      const std::string name = lower_case(member.key);
      declaration_.options[name] = std::move(*value);
      declaration_.options_at[name] = report_.locate(member.range);
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

  const OptionInfo* find(std::string_view name) const {
    const OptionInfo* option = predicate_option_catalog().find(name);
    return option == nullptr && declaration_.neural ? network_option_catalog().find(name) : option;
  }

  bool check(const ConfigNode& member, std::string& value) {
    const std::string key = lower_case(member.key);
    const std::string_view name = declaration_.neural ? without_phase(key) : std::string_view(key);
    const OptionInfo* option = find(name);
    if (option == nullptr) {
      if (has_python_) return true;  // for the Python class, which does not run here
      report_unknown(member, name);
      return false;
    }
    std::string wrong = value.empty() ? takes_not(option->takes, value) : option->why_bad(value);
    if (wrong.empty() && option->kind == OptionKind::kArguments &&
        !are_there(value, declaration_.arity)) {
      wrong = takes_not(takes_of(*option, declaration_.arity), value);
    }
    if (!wrong.empty()) {
      report_.error(
          DiagnosticCode::kBadOptionValue, member.range, fmt::format("`{}`{}", name, wrong));
      return false;
    }
    if (option->kind == OptionKind::kBool || option->kind == OptionKind::kChoice) {
      value = lower_case(value);
    }
    if (is_python_class(value)) warn_of_python(member);
    return true;
  }

  void report_unknown(const ConfigNode& member, std::string_view name) {
    std::vector<std::string_view> names;
    const auto add = [&](const OptionCatalog& catalog) {
      for (const OptionInfo& option : catalog.options()) names.push_back(option.name);
    };
    add(predicate_option_catalog());
    if (declaration_.neural) add(network_option_catalog());
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
