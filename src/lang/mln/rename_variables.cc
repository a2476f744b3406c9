#include "lang/mln/rename_variables.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

namespace sorites::markov {
namespace {

using Bound = std::vector<std::pair<std::string, std::string>>;  // as written, as renamed

template <class Visit>
void for_each_variable(Expression& expression, const Visit& visit) {
  for (TermSyntax& term : expression.terms) {
    if (term.is_variable) visit(term);
  }
  for (TermSyntax& term : expression.classes) {
    if (term.is_variable) visit(term);
  }
}

class Renamer {
 public:
  // All names, and those that stand for a variable of the whole formula.
  void collect(Expression& expression, std::vector<std::string>& bound) {
    for_each_variable(expression, [&](const TermSyntax& term) {
      names_.insert(term.text);
      for (const std::string& name : bound) {
        if (name == term.text) return;
      }
      taken_.insert(term.text);
    });
    for (const TermSyntax& variable : expression.quantified) bound.push_back(variable.text);
    for (Expression& operand : expression.operands) collect(operand, bound);
    bound.resize(bound.size() - expression.quantified.size());
  }

  void take(const std::string& name) { taken_.insert(name); }

  void rename(Expression& expression, Bound& bound) {
    for (TermSyntax& variable : expression.quantified) {
      bound.emplace_back(variable.text, own_name(variable.text));
      variable.text = bound.back().second;
    }
    for_each_variable(expression, [&](TermSyntax& term) {
      for (std::size_t i = bound.size(); i-- > 0;) {
        if (bound[i].first != term.text) continue;
        term.text = bound[i].second;
        return;
      }
    });
    for (Expression& operand : expression.operands) rename(operand, bound);
    bound.resize(bound.size() - expression.quantified.size());
  }

 private:
  std::string own_name(const std::string& name) {
    if (taken_.insert(name).second) return name;
    for (int i = 2;; ++i) {
      std::string numbered = fmt::format("{}{}", name, i);
      if (names_.count(numbered) == 0 && taken_.insert(numbered).second) return numbered;
    }
  }

  std::set<std::string> names_, taken_;
};

}  // namespace

Expression rename_variables(const FormulaSyntax& formula) {
  Expression result = formula.expression;
  Renamer renamer;
  std::vector<std::string> bound;
  renamer.collect(result, bound);
  for (const TermSyntax& variable : formula.quantified) renamer.take(variable.text);
  Bound renamed;
  renamer.rename(result, renamed);
  return result;
}

}  // namespace sorites::markov
