#include "modelfile/predicate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
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

class OptionsReader {
 public:
  OptionsReader(const ConfigNode& node,
                const ConfigReport& report,
                PredicateDeclaration& declaration)
      : node_(node), report_(report), declaration_(declaration) {
    for (const ConfigNode& member : node.children) {
      if (python_ == nullptr && is_python_class(member.text)) python_ = &member;
      const OptionInfo* option = find(name_of(member));
      has_module_ = has_module_ || (option != nullptr && option->name == "module");
    }
  }

  // Names and choices are kept in lower case, whatever they are written in.
  void read() {
    std::map<std::string, const ConfigNode*> seen;
    for (const ConfigNode& member : node_.children) {
      if (member.kind == ConfigKind::kNull) continue;
      if (report_.is_new_key(member, key_of(member), seen)) read(member);
    }
    if (python_ != nullptr && declaration_.neural) {
      warn_of_python();
    } else if (!unused_.empty()) {
      warn_of_unused();
    }
  }

 private:
  // The options of networks have dashes; those of Python classes are often written with `_`.
  std::string key_of(const ConfigNode& member) const {
    std::string key = lower_case(member.key);
    if (declaration_.neural) std::replace(key.begin(), key.end(), '_', '-');
    return key;
  }

  std::string name_of(const ConfigNode& member) const {
    const std::string key = key_of(member);
    return declaration_.neural ? std::string(without_phase(key)) : key;
  }

  void read(const ConfigNode& member) {
    const std::string name = name_of(member);
    const OptionInfo* option = find(name);
    if (option == nullptr) return unknown(member, name);
    auto value = value_of(member);
    if (!value || !check(member, *option, *value)) return;
    if (option->kind == OptionKind::kBool || option->kind == OptionKind::kChoice) {
      value = lower_case(*value);
    }
    const std::string key = key_of(member);
    declaration_.options[key] = std::move(*value);
    declaration_.options_at[key] = report_.locate(member.range);
  }

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

  bool check(const ConfigNode& member, const OptionInfo& option, const std::string& value) {
    std::string wrong = value.empty() ? takes_not(option.takes, value) : option.why_bad(value);
    if (wrong.empty() && option.kind == OptionKind::kArguments &&
        !are_there(value, declaration_.arity)) {
      wrong = takes_not(takes_of(option, declaration_.arity), value);
    }
    if (wrong.empty()) return true;
    if (python_ != nullptr) {  // what it takes, the class alone knows
      unused_.push_back(&member);
    } else {
      report_.error(DiagnosticCode::kBadOptionValue,
                    member.range,
                    fmt::format("`{}`{}", name_of(member), wrong));
    }
    return false;
  }

  // Whoever exports a Python class, or describes its network, leaves its options where they are. A
  // name that is near to one of ours is a slip, unless a class may have it.
  void unknown(const ConfigNode& member, std::string_view name) {
    std::vector<std::string_view> names;
    const auto add = [&](const OptionCatalog& catalog) {
      for (const OptionInfo& option : catalog.options()) names.push_back(option.name);
    };
    add(predicate_option_catalog());
    if (declaration_.neural) add(network_option_catalog());
    const bool near = !nearest_name(name, names).empty();
    const bool of_network = !declaration_.neural && network_option_catalog().find(name) != nullptr;
    const bool of_class = declaration_.neural && (python_ != nullptr || has_module_);
    if (of_class || (!near && !of_network)) {
      unused_.push_back(&member);
      return;
    }
    Diagnostic& added = report_.error(
        DiagnosticCode::kUnknownOption,
        member.key_range,
        declaration_.neural ? fmt::format("networks have no option `{}`", member.key)
                            : fmt::format("predicates have no option `{}`", member.key));
    suggest_name(added, name, names);
    if (near) return;
    added.notes.push_back({"options of networks need `\"type\": \"DeepPredicate\"`", {}});
  }

  std::string unused_names() const {
    std::vector<std::string> names;
    for (const ConfigNode* member : unused_) names.push_back(member->key);
    return fmt::format("`{}`", fmt::join(names, "`, `"));
  }

  void warn_of_python() {
    Diagnostic& added =
        report_.warning(DiagnosticCode::kPythonNetwork,
                        python_->range,
                        "this network is a Python class; networks run inside Sorites, without "
                        "Python");
    added.notes.push_back(
        {"export it once with torch.jit.script(model).save(\"model.pt\") and give the "
         "saved file as `model-path`",
         {}});
    if (unused_.empty()) return;
    added.notes.push_back(
        {fmt::format("these options are for the class alone: {}", unused_names()), {}});
  }

  void warn_of_unused() {
    report_
        .warning(DiagnosticCode::kIgnoredOptions,
                 unused_.front()->key_range,
                 fmt::format("accepted, but without effect: {}", unused_names()))
        .notes.push_back({declaration_.neural
                              ? "options of a Python class mean nothing to a network that runs "
                                "here; docs/network-options.md lists those that do"
                              : "docs/model-file.md lists the options of predicates",
                          {}});
  }

  const ConfigNode& node_;
  const ConfigReport& report_;
  PredicateDeclaration& declaration_;
  const ConfigNode* python_ = nullptr;  // the option that names a Python class
  bool has_module_ = false;             // some file is the network
  std::vector<const ConfigNode*> unused_;
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
