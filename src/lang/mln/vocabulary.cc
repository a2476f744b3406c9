#include "lang/mln/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/constant.h"
#include "lang/mln/cursor.h"

namespace sorites::markov {

std::uint32_t Names::add(std::string_view name) {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(names_.size());
  numbers_.emplace(names_.emplace_back(name), number);
  return number;
}

std::optional<std::uint32_t> Names::find(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> Constants::canonical(std::string_view text) const {
  return canonical_constant(dictionary_->type(), text);
}

std::vector<std::string> Constants::texts() const {
  std::vector<std::string> result;
  result.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) result.push_back((*this)[i]);
  return result;
}

std::vector<std::string_view> Constants::views() const {
  std::vector<std::string_view> result;
  if (dictionary_->type() != ConstantType::kText) return result;
  for (Code code = 0; code < size(); ++code) result.push_back(dictionary_->bytes_of(code));
  return result;
}

Domain& Vocabulary::type(std::string_view name) {
  const std::uint32_t number = type_names_.add(name);
  if (number == types_.size()) {
    Domain& added = types_.emplace_back();
    added.name = name;
    added.is_type = true;
    added.type = number;
  }
  return types_[number];
}

const Domain* Vocabulary::find_type(std::string_view name) const {
  const auto number = type_names_.find(name);
  return number ? &types_[*number] : nullptr;
}

Domain& Vocabulary::add_class_list(std::string_view predicate) {
  Domain& added = class_lists_.emplace_back();
  added.name = fmt::format("class of {}", predicate);
  added.listed = true;
  added.declared = true;
  return added;
}

Domain& Vocabulary::add_domain(std::string_view name) {
  Domain& added = class_lists_.emplace_back();
  added.name = name;
  added.is_type = true;
  return added;
}

bool Vocabulary::add(PredicateEntry entry) {
  if (names_.find(entry.name)) return false;
  names_.add(entry.name);
  predicates_.push_back(std::move(entry));
  return true;
}

void Vocabulary::report_unknown(const Source& source,
                                TextRange at,
                                std::string_view name,
                                Diagnostics& sink) const {
  Diagnostic& added = sink.error(DiagnosticCode::kUnknownPredicate,
                                 source,
                                 at,
                                 fmt::format("there is no predicate `{}`", name));
  suggest_name(added, name, names_.views());
}

namespace {

class Declarer {
 public:
  Declarer(Vocabulary& vocabulary, Diagnostics& sink) : vocabulary_(vocabulary), sink_(sink) {}

  void declare(const TypeSyntax& syntax) {
    Domain& type = vocabulary_.type(syntax.name.text);
    const Span place = syntax.source->locate(syntax.name.range);
    if (type.listed) {
      sink_
          .error(DiagnosticCode::kDuplicateKey,
                 *syntax.source,
                 syntax.name.range,
                 fmt::format("the constants of `{}` are listed twice", type.name))
          .notes.push_back({"first listed here", type.place});
      return;
    }
    type.listed = true;
    type.declared = !syntax.open;
    type.place = place;
    for (const TermSyntax& constant : syntax.constants) type.constants.add(constant.text);
  }

  void declare(const PredicateSyntax& syntax) {
    PredicateEntry entry;
    entry.name = syntax.name.text;
    entry.place = syntax.source->locate(syntax.name.range);
    entry.closed = syntax.closed;
    entry.functional = syntax.functional;
    for (const TermSyntax& argument : syntax.arguments) {
      entry.arguments.push_back(&vocabulary_.type(argument.text));
    }
    if (!check(syntax)) return;
    if (syntax.functional) {
      entry.classes = entry.arguments.back();
      entry.arguments.pop_back();
    } else if (!syntax.classes.empty()) {
      entry.classes = &vocabulary_.add_class_list(entry.name);
      entry.classes->place = entry.place;
      for (const TermSyntax& name : syntax.classes) entry.classes->constants.add(name.text);
    }
    add(syntax, std::move(entry));
  }

 private:
  Diagnostic& error(DiagnosticCode code,
                    const PredicateSyntax& syntax,
                    TextRange at,
                    std::string message) {
    return sink_.error(code, *syntax.source, at, std::move(message));
  }

  bool check(const PredicateSyntax& syntax) {
    if (!is_name(syntax.name.text)) {
      error(DiagnosticCode::kBadPredicateName,
            syntax,
            syntax.name.range,
            fmt::format("`{}` cannot be the name of a predicate", syntax.name.text))
          .notes.push_back({"names begin with a letter and are made of letters, digits, `_` and "
                            "`$`; words such as `v`, `not` and `in` have their own meaning",
                            {}});
      return false;
    }
    const bool has_classes = syntax.functional || !syntax.classes.empty();
    if (has_classes && syntax.closed) {
      error(DiagnosticCode::kUnknownClass,
            syntax,
            syntax.range,
            "a predicate with classes cannot be closed: every atom has some class");
      return false;
    }
    if (syntax.functional && !syntax.classes.empty()) {
      error(DiagnosticCode::kUnknownClass,
            syntax,
            syntax.range,
            "the classes are given twice, by `!` and by `in`");
      return false;
    }
    return syntax.classes.empty() || check_classes(syntax);
  }

  bool check_classes(const PredicateSyntax& syntax) {
    Names seen;
    for (const TermSyntax& name : syntax.classes) {
      if (!seen.find(name.text)) {
        seen.add(name.text);
        continue;
      }
      error(DiagnosticCode::kUnknownClass,
            syntax,
            name.range,
            fmt::format("class `{}` stands twice", name.text));
      return false;
    }
    if (seen.size() >= 2) return true;
    error(DiagnosticCode::kUnknownClass,
          syntax,
          syntax.classes[0].range,
          "a predicate with classes has at least two");
    return false;
  }

  static bool is_name(const std::string& text) {
    if (text.empty() || is_keyword(text) || (text[0] >= '0' && text[0] <= '9')) return false;
    for (const char c : text) {
      const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '_' || c == '$';
      if (!good) return false;
    }
    return true;
  }

  void add(const PredicateSyntax& syntax, PredicateEntry entry) {
    const auto first = find_whatever_case(entry.name);
    if (!first) {
      vocabulary_.add(std::move(entry));
      return;
    }
    Diagnostic& added = error(DiagnosticCode::kDuplicatePredicate,
                              syntax,
                              syntax.name.range,
                              fmt::format("predicate `{}` is declared twice", entry.name));
    const PredicateEntry& other = vocabulary_.predicates()[*first];
    const bool by_case = other.name != entry.name;
    added.notes.push_back({by_case ? "it is declared first here; upper and lower case do not differ"
                                   : "first declared here",
                           other.place});
    if (by_case) return;
    added.notes.push_back(
        {"if this is a formula, it needs a weight in front, or a period behind it", {}});
  }

  std::optional<std::uint32_t> find_whatever_case(std::string_view name) const {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    const auto same = [&](const PredicateEntry& entry) {
      return std::equal(
          entry.name.begin(), entry.name.end(), name.begin(), name.end(), [&](char a, char b) {
            return lower(a) == lower(b);
          });
    };
    const auto& all = vocabulary_.predicates();
    const auto found = std::find_if(all.begin(), all.end(), same);
    if (found == all.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - all.begin());
  }

  Vocabulary& vocabulary_;
  Diagnostics& sink_;
};

}  // namespace

void report_bad_constant(const Source& source,
                         TextRange at,
                         std::string_view text,
                         const Domain& domain,
                         Diagnostics& sink) {
  sink.error(
      DiagnosticCode::kConstantType, source, at, fmt::format("`{}` is no {}", text, domain.name));
}

void report_not_listed(const Source& source,
                       TextRange at,
                       std::string_view name,
                       const Domain& domain,
                       Diagnostics& sink) {
  Diagnostic& added =
      sink.error(domain.is_type ? DiagnosticCode::kUnknownConstant : DiagnosticCode::kUnknownClass,
                 source,
                 at,
                 fmt::format("`{}` is no {}", name, domain.name));
  added.notes.push_back({"all of them are listed here", domain.place});
  suggest_name(added, name, domain.constants.views());
}

void declare(const Statements& statements, Vocabulary& vocabulary, Diagnostics& sink) {
  Declarer declarer(vocabulary, sink);
  for (const TypeSyntax& type : statements.types) declarer.declare(type);
  for (const PredicateSyntax& predicate : statements.predicates) declarer.declare(predicate);
}

}  // namespace sorites::markov
