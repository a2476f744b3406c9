// Names, arities and types of predicates; paths.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "base/constant.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

constexpr std::pair<std::string_view, ArgumentType> kTypes[] = {
    {"UniqueStringID", ArgumentType::kUniqueStringId},
    {"UniqueIntID", ArgumentType::kUniqueIntId},
    {"String", ArgumentType::kString},
    {"Integer", ArgumentType::kInteger},
    {"Long", ArgumentType::kLong},
    {"Double", ArgumentType::kDouble},
};

bool is_name(std::string_view name) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_word) &&
         std::isdigit(static_cast<unsigned char>(name[0])) == 0;
}

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

std::string_view name_of(ArgumentType type) {
  for (const auto& [name, value] : kTypes) {
    if (value == type) return name;
  }
  return {};  // not reached: all types are listed
}

std::optional<PredicateKey> read_predicate_key(std::string_view key,
                                               TextRange at,
                                               const ConfigReport& report) {
  const std::size_t slash = std::min(key.find('/'), key.size());
  PredicateKey result{std::string(key.substr(0, slash)), std::nullopt};
  if (!is_name(result.name)) {
    report
        .error(DiagnosticCode::kBadPredicateName,
               at,
               fmt::format("`{}` is no name for a predicate", result.name))
        .notes.push_back({"a name is letters, digits and underscores, and begins with no digit; "
                          "`Knows/2` declares `Knows` with two arguments",
                          {}});
    return std::nullopt;
  }
  if (slash == key.size()) return result;
  constexpr std::int64_t kLargestArity = 255;  // far beyond any relation: a slip
  const auto arity = parse_integer(key.substr(slash + 1));
  if (!arity || *arity < 1 || *arity > kLargestArity) {
    report.error(
        DiagnosticCode::kArityMismatch,
        at,
        fmt::format(
            "the number of arguments after `{}/` must be 1 to {}", result.name, kLargestArity));
    return std::nullopt;
  }
  result.arity = static_cast<std::size_t>(*arity);
  return result;
}

namespace {

// Whether the name is one of a domain; in Markov logic it may be a new one.
bool find_or_add_domain(const std::string& name, ModelFile& model) {
  const auto same = [&](const Domain& domain) { return domain.name == name; };
  if (std::any_of(model.domains.begin(), model.domains.end(), same)) return true;
  if (model.language != Language::kMln || !is_name(name)) return false;
  model.domains.push_back({name});
  return true;
}

void report_unknown_type(const ConfigNode& name,
                         const ConfigReport& report,
                         const ModelFile& model) {
  std::vector<std::string_view> known;
  for (const auto& [known_name, known_type] : kTypes) known.push_back(known_name);
  const std::size_t num_types = known.size();
  for (const Domain& domain : model.domains) known.push_back(domain.name);
  Diagnostic& added = report.error(DiagnosticCode::kUnknownType,
                                   name.range,
                                   fmt::format("there is no argument type `{}`", name.text));
  suggest_name(added, name.text, known);
  if (!added.notes.empty()) return;
  known.resize(num_types);
  added.notes.push_back({fmt::format("the types are {}", fmt::join(known, ", ")), {}});
}

}  // namespace

std::optional<ArgumentTypes> read_types(const ConfigNode& node,
                                        const ConfigReport& report,
                                        ModelFile& model) {
  const bool one = node.kind == ConfigKind::kText;
  if (!one && node.kind != ConfigKind::kList) {
    report.wrong_kind(node, "`types`", "a list of type names");
    return std::nullopt;
  }
  ArgumentTypes result;
  bool ok = true;
  const auto add = [&](const ConfigNode& name) {
    const auto* type = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const auto& known) {
      return same_name(known.first, name.text);
    });
    if (name.kind == ConfigKind::kText && type != std::end(kTypes)) {
      result.types.push_back(type->second);
      result.domains.emplace_back();
    } else if (name.kind == ConfigKind::kText && find_or_add_domain(name.text, model)) {
      result.types.push_back(ArgumentType::kUniqueStringId);
      result.domains.push_back(name.text);
    } else {
      ok = false;
      report_unknown_type(name, report, model);
    }
  };
  if (one) {
    add(node);
  } else {
    std::for_each(node.children.begin(), node.children.end(), add);
  }
  return ok ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<std::vector<std::string>> read_constants(const ConfigNode& node,
                                                       const ConfigReport& report,
                                                       std::string_view takes) {
  const auto what = fmt::format("`{}`", node.key);
  if (node.kind != ConfigKind::kList) {
    report.wrong_kind(node, what, takes);
    return std::nullopt;
  }
  std::vector<std::string> result;
  for (const ConfigNode& element : node.children) {
    if (!element.is_scalar() || element.kind == ConfigKind::kNull) {
      report.wrong_kind(element, what, takes);
      return std::nullopt;
    }
    result.push_back(element.text);
  }
  return result;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::size_t> find_declaration(const ModelFile& model, std::string_view name) {
  for (std::size_t i = 0; i < model.predicates.size(); ++i) {
    if (same_name(model.predicates[i].name, name)) return i;
  }
  return std::nullopt;
}

void add_predicate(PredicateDeclaration declaration,
                   TextRange at,
                   const ConfigReport& report,
                   ModelFile& model) {
  if (const auto first = find_declaration(model, declaration.name)) {
    report
        .error(DiagnosticCode::kDuplicatePredicate,
               at,
               fmt::format("the predicate `{}` is declared twice", declaration.name))
        .notes.push_back({"it is declared first here; upper and lower case do not differ",
                          model.predicates[*first].declared_at});
    return;
  }
  model.predicates.push_back(std::move(declaration));
}

std::string relative_to(const std::string& from, const std::string& path) {
  return (std::filesystem::path(from).parent_path() / path).string();
}

void report_external_function(const ConfigNode& node, const ConfigReport& report) {
  report
      .error(DiagnosticCode::kExternalFunction,
             node.key_range,
             "this predicate is computed by Java code, which cannot run here")
      .notes.push_back(
          {"write its values to a file, one row per atom with the value last, and give "
           "the file as `observations`",
           {}});
}

}  // namespace sorites
