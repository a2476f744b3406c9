// For tests: models from texts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/mln/compile.h"

namespace sorites::markov {

struct TestTexts {
  std::string declarations, formulas, facts, queries;
  std::string unaries = {};
};

struct TestResult {
  std::optional<MarkovModel> model;
  std::vector<Diagnostic> diagnostics;

  std::string rendered() const {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) text += render(diagnostic);
    return text;
  }
  // The codes of all diagnostics, separated by blanks.
  std::string codes() const {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) {
      text += (text.empty() ? "" : " ") + diagnostic.code;
    }
    return text;
  }
};

inline TestResult compile_texts(const TestTexts& texts) {
  const Source declarations("predicates", texts.declarations), formulas("rules", texts.formulas);
  const Source facts("facts", texts.facts), queries("queries", texts.queries);
  const Source unaries("unaries", texts.unaries);
  Diagnostics sink;
  TestResult result;
  result.model = compile({.declarations = {&declarations},
                          .formulas = {&formulas},
                          .statements = {},
                          .facts = {&facts},
                          .queries = {&queries},
                          .unaries = {&unaries}},
                         sink);
  result.diagnostics = sink.take_sorted();
  return result;
}

// What stands in a model apart from texts and places.
inline bool same_formula(const MarkovFormula& a, const MarkovFormula& b) {
  return a.hard == b.hard && a.variables == b.variables && a.weighted == b.weighted &&
         a.weights == b.weights && a.clauses == b.clauses;
}

inline bool same_model(const MarkovModel& a, const MarkovModel& b) {
  if (a.formulas.size() != b.formulas.size()) return false;
  for (std::size_t i = 0; i < a.formulas.size(); ++i) {
    if (!same_formula(a.formulas[i], b.formulas[i])) return false;
  }
  return a.types == b.types && a.predicates == b.predicates && a.facts == b.facts &&
         a.queries == b.queries && a.unaries == b.unaries;
}

}  // namespace sorites::markov
