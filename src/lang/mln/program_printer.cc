#include "lang/mln/program_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "base/constant.h"
#include "lang/mln/data_printer.h"
#include "lang/mln/lexer.h"

namespace sorites::markov {
namespace {

std::vector<std::string> constants_of_domain(const Program& program,
                                             const Database* database,
                                             DomainId domain) {
  if (database == nullptr) return program.domains[domain].constants;
  std::vector<std::string> constants;
  const Dictionary& dictionary = database->dictionary(domain);
  for (Code code = 0; code < dictionary.size(); ++code) constants.push_back(dictionary.text(code));
  return constants;
}

// Whether the predicate lists its classes itself: its class domain has its name, and nothing else
// uses it.
bool lists_classes(const Program& program, PredicateId id) {
  const Predicate& predicate = program.predicates[id];
  if (!predicate.has_classes) return false;
  const DomainId classes = predicate.domain(predicate.arity() - 1);
  if (program.domains[classes].name != predicate.name || !program.domains[classes].closed) {
    return false;
  }
  std::size_t uses = 0;
  for (const Predicate& other : program.predicates) {
    for (std::size_t k = 0; k < other.arity(); ++k) uses += other.domain(k) == classes ? 1 : 0;
  }
  return uses == 1;
}

// How tight an operator binds; what binds looser stands in brackets inside of it.
int tightness(FormulaKind kind) {
  switch (kind) {
    case FormulaKind::kForall:
    case FormulaKind::kExists:
      return 0;
    case FormulaKind::kIff:
      return 1;
    case FormulaKind::kImplies:
      return 2;
    case FormulaKind::kOr:
      return 3;
    case FormulaKind::kAnd:
      return 4;
    case FormulaKind::kNot:
      return 5;
    case FormulaKind::kAtom:
    case FormulaKind::kComparison:
      return 6;
  }
  return 6;  // not reached: the switch is complete
}

std::string_view operator_text(FormulaKind kind) {
  switch (kind) {
    case FormulaKind::kIff:
      return " <=> ";
    case FormulaKind::kImplies:
      return " => ";
    case FormulaKind::kOr:
      return " v ";
    default:
      return " ^ ";
  }
}

class RulePrinter {
 public:
  RulePrinter(const Rule& rule, const Program& program) : rule_(rule), program_(program) {}

  std::string run(const Formula& formula) {
    std::string text;
    // A FORALL in front is no part of the formula when it is read.
    append(text, formula, formula.kind == FormulaKind::kForall ? 1 : 0);
    return order() + text;
  }

 private:
  // Needed where the first appearances do not give the order of the weights.
  std::string order() const {
    if (std::is_sorted(rule_.weighted.begin(), rule_.weighted.end())) return {};
    std::string text = "FORALL ";
    for (const VariableId variable : rule_.weighted) {
      if (text.size() > 7) text += ", ";
      text += rule_.variables[variable].name;
    }
    return text + ' ';
  }

  // With brackets if it binds less tightly than `least`.
  void append(std::string& text, const Formula& formula, int least) {
    const bool brackets = tightness(formula.kind) < least;
    if (brackets) text += '(';
    append_inner(text, formula);
    if (brackets) text += ')';
  }

  void append_inner(std::string& text, const Formula& formula) {
    switch (formula.kind) {
      case FormulaKind::kAtom:
        return append_atom(text, formula.atom, false);
      case FormulaKind::kComparison:
        return append_comparison(text, formula.comparison);
      case FormulaKind::kNot:
        return append_negation(text, formula.operands[0]);
      case FormulaKind::kForall:
      case FormulaKind::kExists:
        return append_quantified(text, formula);
      default:
        break;
    }
    for (std::size_t i = 0; i < formula.operands.size(); ++i) {
      if (i > 0) text += operator_text(formula.kind);
      append(text, formula.operands[i], tightness(formula.kind) + 1);
    }
  }

  void append_quantified(std::string& text, const Formula& formula) {
    text += formula.kind == FormulaKind::kExists ? "EXISTS " : "FORALL ";
    for (std::size_t i = 0; i < formula.quantified.size(); ++i) {
      if (i > 0) text += ", ";
      text += rule_.variables[formula.quantified[i]].name;
    }
    text += ' ';
    append(text, formula.operands[0], 1);
  }

  void append_negation(std::string& text, const Formula& operand) {
    const bool equality = operand.kind == FormulaKind::kComparison &&
                          operand.comparison.op == ComparisonOperator::kEqual;
    if (equality) {
      append_sides(text, operand.comparison, " != ");
    } else if (operand.kind == FormulaKind::kAtom &&
               program_.predicates[operand.atom.predicate].has_classes) {
      append_atom(text, operand.atom, true);
    } else {
      text += '!';
      // Two signs in a row would cancel each other.
      append(text, operand, 6);
    }
  }

  void append_comparison(std::string& text, const Comparison& comparison) {
    switch (comparison.op) {
      case ComparisonOperator::kEqual:
        return append_sides(text, comparison, " = ");
      case ComparisonOperator::kNotEqual:
        return append_sides(text, comparison, " != ");
      case ComparisonOperator::kLess:
        throw std::invalid_argument("Markov logic has no order of constants");
    }
  }

  void append_sides(std::string& text, const Comparison& comparison, std::string_view op) {
    append_term(text, comparison.left);
    text += op;
    append_term(text, comparison.right);
  }

  void append_atom(std::string& text, const Atom& atom, bool negated) {
    const Predicate& predicate = program_.predicates[atom.predicate];
    const std::size_t num_arguments = atom.arguments.size() - (predicate.has_classes ? 1 : 0);
    text += predicate.name;
    text += '(';
    for (std::size_t k = 0; k < num_arguments; ++k) {
      if (k > 0) text += ", ";
      append_term(text, atom.arguments[k]);
    }
    text += ')';
    if (!predicate.has_classes) return;
    text += negated ? " != " : " = ";
    append_term(text, atom.arguments.back());
  }

  void append_term(std::string& text, const Term& term) {
    if (const auto* constant = std::get_if<std::string>(&term)) {
      text += constant_text(*constant);
      return;
    }
    const VariableId variable = std::get<VariableId>(term);
    const auto& weighted = rule_.weighted;
    if (std::find(weighted.begin(), weighted.end(), variable) != weighted.end()) text += '+';
    text += rule_.variables[variable].name;
  }

  const Rule& rule_;
  const Program& program_;
};

// Where not all constants are known, their order is neither.
bool has_open_list(const Rule& rule, const Program& program) {
  return std::any_of(rule.weighted.begin(), rule.weighted.end(), [&](VariableId variable) {
    return !program.domains[rule.variables[variable].domain].closed;
  });
}

// [A = 0.7, B = -1, ... = 0.5]: the same whatever data there is.
std::string named_weights_text(const Rule& rule) {
  std::string text = "[";
  for (const ConstantWeight& one : rule.constant_weights) {
    std::string constants;
    for (const std::string& constant : one.constants) {
      if (!constants.empty()) constants += ", ";
      constants += constant_text(constant);
    }
    if (one.constants.size() > 1) constants = fmt::format("({})", constants);
    text += fmt::format("{} = {}, ", constants, to_text(one.weight));
  }
  return text + fmt::format("... = {}]", to_text(*rule.weight));
}

std::string rule_weights_text(const Rule& rule, const Program& program, const Database* database) {
  if (rule.constant_weights.empty()) return to_text(*rule.weight);
  if (database == nullptr && has_open_list(rule, program)) return named_weights_text(rule);
  std::map<std::vector<std::string>, double> weights;
  for (const ConstantWeight& one : rule.constant_weights) weights[one.constants] = one.weight;
  std::vector<std::vector<std::string>> constants;
  for (const VariableId variable : rule.weighted) {
    constants.push_back(constants_of_domain(program, database, rule.variables[variable].domain));
    if (constants.back().empty()) return to_text(*rule.weight);
  }
  std::string text = "[";
  std::vector<std::size_t> at(constants.size(), 0);
  for (bool more = true; more;) {
    std::vector<std::string> chosen;
    for (std::size_t i = 0; i < at.size(); ++i) chosen.push_back(constants[i][at[i]]);
    const auto found = weights.find(chosen);
    if (text.size() > 1) text += ", ";
    text += to_text(found == weights.end() ? *rule.weight : found->second);
    more = false;
    for (std::size_t i = at.size(); i-- > 0 && !more;) {
      more = ++at[i] < constants[i].size();
      if (!more) at[i] = 0;
    }
  }
  return text + ']';
}

std::string braces(const std::vector<std::string>& constants, bool open) {
  std::string text = "{";
  for (const std::string& constant : constants) {
    if (text.size() > 1) text += ", ";
    text += constant_text(constant);
  }
  if (open) text += text.size() > 1 ? ", ..." : "...";
  return text + '}';
}

std::string predicate_text(const Program& program, PredicateId id, const Database* database) {
  const Predicate& predicate = program.predicates[id];
  const bool own_classes = lists_classes(program, id);
  std::string text = predicate.open_world ? "" : "*";
  text += predicate.name + '(';
  for (std::size_t k = 0; k < predicate.arity() - (own_classes ? 1 : 0); ++k) {
    if (k > 0) text += ", ";
    text += program.domains[predicate.domain(k)].name;
  }
  if (predicate.has_classes && !own_classes) text += '!';
  text += ')';
  if (own_classes) {
    const DomainId classes = predicate.domain(predicate.arity() - 1);
    text += " in " + braces(constants_of_domain(program, database, classes), false);
  }
  return text + '\n';
}

}  // namespace

std::string rule_text(const Rule& rule, const Program& program, const Database* database) {
  const auto* logical = std::get_if<LogicalRule>(&rule.body);
  if (logical == nullptr) throw std::invalid_argument("Markov logic has no arithmetic rules");
  const std::string text = RulePrinter(rule, program).run(logical->formula);
  if (!rule.weight) return text + '.';
  return fmt::format("{} {}", rule_weights_text(rule, program, database), text);
}

std::string rules_text(const Program& program, const Database* database) {
  std::string text;
  for (const Rule& rule : program.rules) text += rule_text(rule, program, database) + '\n';
  return text;
}

std::string declarations_text(const Program& program, const Database* database) {
  std::vector<bool> own(program.domains.size(), false);
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    if (!lists_classes(program, p)) continue;
    own[program.predicates[p].domain(program.predicates[p].arity() - 1)] = true;
  }
  std::string text;
  for (DomainId d = 0; d < program.domains.size(); ++d) {
    const sorites::Domain& domain = program.domains[d];
    const std::vector<std::string> constants = constants_of_domain(program, database, d);
    const bool is_builtin = d < builtin_domains().size();
    if (own[d] || (is_builtin && constants.empty())) continue;
    if (constants.empty() && !domain.closed) continue;
    text += domain.name + " = " + braces(constants, !domain.closed) + '\n';
  }
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    text += predicate_text(program, p, database);
  }
  return text;
}

std::string model_text(const Program& program, const Database& database) {
  return declarations_text(program, &database) + rules_text(program, &database) +
         facts_text(database) + queries_text(database, QueryStyle::kAsQuestions);
}

}  // namespace sorites::markov
