// From what a user asks for to the atom that is meant.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/diagnostics.h"
#include "lang/mln/atom_index.h"
#include "sorites/markov_explain.h"

namespace sorites {
namespace {

[[noreturn]] void fail(std::string message,
                       std::string_view wrong = {},
                       const std::vector<std::string_view>& known = {}) {
  Diagnostics sink;
  Diagnostic& error = sink.error(DiagnosticCode::kUnknownAtom, Span{}, std::move(message));
  suggest_name(error, wrong, known);
  throw InputError(sink.take_sorted());
}

[[noreturn]] void fail_form(std::string_view text) {
  Diagnostics sink;
  sink.error(DiagnosticCode::kUnknownAtom, Span{}, fmt::format("`{}` is no atom", text))
      .notes.push_back({"write it like advisedBy(Ann, Bob)", {}});
  throw InputError(sink.take_sorted());
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

struct AtomWords {
  std::string name;
  std::vector<std::string> constants;
};

// A constant, bare up to a comma or bracket, or in quotes of either kind. Empty text is none.
std::string take_constant(std::string_view& rest) {
  rest = trimmed(rest);
  std::string constant;
  if (!rest.empty() && (rest.front() == '"' || rest.front() == '\'')) {
    const char quote = rest.front();
    rest.remove_prefix(1);
    while (!rest.empty() && rest.front() != quote) {
      if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
      constant += rest.front();
      rest.remove_prefix(1);
    }
    if (rest.empty()) return {};
    rest.remove_prefix(1);
    return constant;
  }
  const std::size_t end = std::min(rest.find_first_of(",)"), rest.size());
  constant = trimmed(rest.substr(0, end));
  rest.remove_prefix(end);
  return constant;
}

// Reads name(constant, ...) or, without arguments, name or name().
AtomWords read_atom(std::string_view text) {
  std::string_view rest = trimmed(text);
  const std::size_t open = rest.find('(');
  AtomWords words{std::string(trimmed(rest.substr(0, open))), {}};
  if (words.name.empty()) fail_form(text);
  if (open == std::string_view::npos) return words;
  rest.remove_prefix(open + 1);
  if (trimmed(rest) == ")") return words;
  while (true) {
    words.constants.push_back(take_constant(rest));
    rest = trimmed(rest);
    if (words.constants.back().empty() || rest.empty()) fail_form(text);
    const char next = rest.front();
    rest.remove_prefix(1);
    if (next == ')' && trimmed(rest).empty()) return words;
    if (next != ',') fail_form(text);
  }
}

std::uint32_t find_predicate(const MarkovModel& model, const std::string& name) {
  std::vector<std::string_view> known;
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    if (model.predicates[p].name == name) return p;
    if (model.predicates[p].name != "=") known.emplace_back(model.predicates[p].name);
  }
  fail(fmt::format("there is no predicate `{}`", name), name, known);
}

std::vector<std::uint32_t> find_constants(const MarkovModel& model,
                                          const MarkovPredicate& predicate,
                                          const AtomWords& words) {
  const std::size_t arity = predicate.arguments.size();
  if (words.constants.size() != arity) {
    fail(fmt::format("`{}` has {} argument{}, not {}",
                     predicate.name,
                     arity,
                     arity == 1 ? "" : "s",
                     words.constants.size()));
  }
  std::vector<std::uint32_t> found;
  for (std::size_t k = 0; k < arity; ++k) {
    const MarkovType& type = model.types[predicate.arguments[k]];
    const auto at = std::find(type.constants.begin(), type.constants.end(), words.constants[k]);
    if (at == type.constants.end()) {
      fail(fmt::format("`{}` is no constant of type `{}`", words.constants[k], type.name),
           words.constants[k],
           {type.constants.begin(), type.constants.end()});
    }
    found.push_back(static_cast<std::uint32_t>(at - type.constants.begin()));
  }
  return found;
}

std::string value_text(const MarkovPredicate& predicate, std::uint32_t value) {
  return predicate.classes.empty() ? value == 1 ? "true" : "false" : predicate.classes[value];
}

}  // namespace

MarkovAtom find_unknown_atom(const MarkovModel& model, std::string_view text) {
  const AtomWords words = read_atom(text);
  const std::uint32_t id = find_predicate(model, words.name);
  const MarkovPredicate& predicate = model.predicates[id];
  const std::vector<std::uint32_t> constants = find_constants(model, predicate, words);
  const std::uint64_t number = markov::atom_number(model, id, constants);
  const std::string atom = atom_text(model, id, number);
  const MarkovAtoms& facts = model.facts[id];
  for (std::size_t row = 0; row < facts.size(); ++row) {
    const auto fact = markov::constants_of(model, id, facts, row);
    if (!std::equal(fact.begin(), fact.end(), constants.begin(), constants.end())) continue;
    fail(fmt::format("`{}` is known to be {}; only unknown atoms are inferred",
                     atom,
                     value_text(predicate, facts.values[row])));
  }
  if (predicate.closed) {
    fail(fmt::format("`{}` is false: `{}` is closed, and it is no fact", atom, predicate.name));
  }
  return {id, number, 1};
}

}  // namespace sorites
