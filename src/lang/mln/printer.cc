#include "lang/mln/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

#include "base/constant.h"
#include "lang/mln/atom_index.h"
#include "lang/mln/lexer.h"

namespace sorites {
namespace markov {
namespace {

class FormulaPrinter {
 public:
  FormulaPrinter(const MarkovModel& model, const MarkovFormula& formula)
      : model_(model), formula_(formula) {}

  std::string run() {
    std::string text;
    for (const MarkovClause& clause : formula_.clauses) {
      if (!text.empty()) text += " ^ ";
      const bool brackets = formula_.clauses.size() > 1 && clause.size() > 1;
      if (brackets) text += '(';
      for (std::size_t i = 0; i < clause.size(); ++i) {
        if (i > 0) text += " v ";
        append(text, clause[i]);
      }
      if (brackets) text += ')';
    }
    return quantifier() + text;
  }

 private:
  // Needed where the first appearances do not give the order of the variables, and thus of weights.
  std::string quantifier() const {
    if (std::is_sorted(appeared_.begin(), appeared_.end())) return {};
    std::string text = "FORALL ";
    for (std::size_t i = 0; i < formula_.variables.size(); ++i) {
      if (i > 0) text += ", ";
      text += formula_.variables[i].name;
    }
    return text + " ";
  }

  void append(std::string& text, const MarkovLiteral& literal) {
    const MarkovPredicate& predicate = model_.predicates[literal.predicate];
    const bool is_true = !literal.values.empty() && literal.values[0] == 1;
    if (is_equality(predicate)) {
      append_term(text, literal, 0);
      text += is_true ? " = " : " != ";
      append_term(text, literal, 1);
      return;
    }
    if (predicate.classes.empty() && !is_true) text += '!';
    text += predicate.name;
    text += '(';
    for (std::size_t k = 0; k < literal.terms.size(); ++k) {
      if (k > 0) text += ", ";
      append_term(text, literal, k);
    }
    text += ')';
    if (!predicate.classes.empty()) append_classes(text, predicate, literal.values);
  }

  void append_term(std::string& text, const MarkovLiteral& literal, std::size_t argument) {
    const MarkovTerm term = literal.terms[argument];
    if (term.is_constant) {
      const std::uint32_t type = model_.predicates[literal.predicate].arguments[argument];
      text += constant_text(model_.types[type].constants[term.index]);
      return;
    }
    if (std::find(appeared_.begin(), appeared_.end(), term.index) == appeared_.end()) {
      appeared_.push_back(term.index);
    }
    const auto& weighted = formula_.weighted;
    if (std::find(weighted.begin(), weighted.end(), term.index) != weighted.end()) text += '+';
    text += formula_.variables[term.index].name;
  }

  static void append_classes(std::string& text,
                             const MarkovPredicate& predicate,
                             const std::vector<std::uint32_t>& values) {
    const std::size_t num_classes = predicate.classes.size();
    if (values.size() == 1) {
      text += " = " + constant_text(predicate.classes[values[0]]);
      return;
    }
    if (values.size() + 1 == num_classes) {
      std::uint32_t missing = 0;
      while (missing < values.size() && values[missing] == missing) ++missing;
      text += " != " + constant_text(predicate.classes[missing]);
      return;
    }
    text += " in {";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text += ", ";
      text += constant_text(predicate.classes[values[i]]);
    }
    text += '}';
  }

  const MarkovModel& model_;
  const MarkovFormula& formula_;
  std::vector<std::uint32_t> appeared_;  // variables, by their first appearance in the text
};

std::string list_text(const std::vector<std::string>& constants) {
  std::string text = "{";
  for (const std::string& constant : constants) {
    if (text.size() > 1) text += ", ";
    text += constant_text(constant);
  }
  return text + "}";
}

// In data files nothing is a variable, so that most constants need no quotes.
std::string data_constant(const std::string& constant) {
  const bool plain = !constant.empty() && std::all_of(constant.begin(), constant.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-' || c == ':';
  });
  return plain ? constant : quoted(constant);
}

void append_atom(std::string& text,
                 const MarkovModel& model,
                 std::uint32_t predicate,
                 std::span<const std::uint32_t> constants) {
  const MarkovPredicate& declared = model.predicates[predicate];
  text += declared.name;
  text += '(';
  for (std::size_t k = 0; k < constants.size(); ++k) {
    if (k > 0) text += ", ";
    text += data_constant(model.types[declared.arguments[k]].constants[constants[k]]);
  }
  text += ')';
}

// What stands behind `=`.
std::string value_text(const MarkovPredicate& predicate, std::uint32_t value) {
  if (predicate.classes.empty()) return value == 1 ? "true" : "false";
  return data_constant(predicate.classes[value]);
}

void append_atoms(std::string& text,
                  const MarkovModel& model,
                  std::uint32_t predicate,
                  const MarkovAtoms& atoms,
                  bool as_questions) {
  const MarkovPredicate& declared = model.predicates[predicate];
  const bool shows_value = as_questions || !declared.classes.empty();
  for (std::size_t row = 0; row < atoms.size(); ++row) {
    const std::uint32_t value = atoms.values[row];
    if (as_questions || value == kUnknownValue) text += '?';
    if (!shows_value && value == 0) text += '!';
    append_atom(text, model, predicate, constants_of(model, predicate, atoms, row));
    if (shows_value && value != kUnknownValue) text += " = " + value_text(declared, value);
    text += '\n';
  }
}

std::string weights_text(const MarkovFormula& formula) {
  const auto& weights = formula.weights;
  const bool equal =
      std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) == weights.end();
  if (!weights.empty() && equal) return sorites::to_text(weights[0]);
  std::string text = "[";
  for (const double weight : weights) {
    if (text.size() > 1) text += ", ";
    text += sorites::to_text(weight);
  }
  return text + "]";
}

}  // namespace

bool is_equality(const MarkovPredicate& predicate) { return predicate.name == "="; }

std::string formula_text(const MarkovModel& model, const MarkovFormula& formula) {
  return FormulaPrinter(model, formula).run();
}

std::string declarations_text(const MarkovModel& model) {
  std::string text;
  for (const MarkovType& type : model.types) {
    text += type.name + " = " + list_text(type.constants) + '\n';
  }
  for (const MarkovPredicate& predicate : model.predicates) {
    if (is_equality(predicate)) continue;
    if (predicate.closed) text += '*';
    text += predicate.name + "(";
    for (std::size_t k = 0; k < predicate.arguments.size(); ++k) {
      if (k > 0) text += ", ";
      text += model.types[predicate.arguments[k]].name;
    }
    text += ')';
    if (!predicate.classes.empty()) text += " in " + list_text(predicate.classes);
    text += '\n';
  }
  return text;
}

std::string formulas_text(const MarkovModel& model) {
  std::string text;
  for (const MarkovFormula& formula : model.formulas) {
    text += sorites::to_text(model, formula) + '\n';
  }
  return text;
}

std::string facts_text(const MarkovModel& model) {
  std::string text;
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    if (!is_equality(model.predicates[p])) append_atoms(text, model, p, model.facts[p], false);
  }
  return text;
}

std::string queries_text(const MarkovModel& model, QueryStyle style) {
  std::string text;
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    append_atoms(text, model, p, model.queries[p], style == QueryStyle::kAsQuestions);
  }
  return text;
}

std::string unaries_text(const MarkovModel& model) {
  std::string text;
  for (std::uint32_t p = 0; p < model.unaries.size(); ++p) {
    const MarkovPredicate& declared = model.predicates[p];
    const std::size_t channels = std::max<std::size_t>(declared.classes.size(), 1);
    for (std::size_t i = 0; i < model.unaries[p].size(); ++i) {
      const float number = model.unaries[p][i];
      if (number == 0.0F) continue;
      append_atom(text, model, p, atom_constants(model, p, i / channels));
      if (channels > 1) {
        text += " = " + value_text(declared, static_cast<std::uint32_t>(i % channels));
      }
      fmt::format_to(std::back_inserter(text), " {}\n", number);
    }
  }
  return text;
}

}  // namespace markov

std::string to_text(const MarkovModel& model, const MarkovFormula& formula) {
  const std::string text = markov::formula_text(model, formula);
  return formula.hard ? text + "." : fmt::format("{} {}", markov::weights_text(formula), text);
}

std::string atom_text(const MarkovModel& model, std::uint32_t predicate, std::uint64_t atom) {
  const std::vector<std::uint32_t>& arguments = model.predicates[predicate].arguments;
  std::vector<std::uint32_t> constants(arguments.size());
  for (std::size_t k = arguments.size(); k-- > 0;) {
    const std::uint64_t size = model.types[arguments[k]].constants.size();
    constants[k] = static_cast<std::uint32_t>(atom % size);
    atom /= size;
  }
  std::string text;
  markov::append_atom(text, model, predicate, constants);
  return text;
}

}  // namespace sorites
