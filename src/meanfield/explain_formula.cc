// How well a formula holds, and where it holds least.
#include <stdexcept>
#include <utility>

#include "base/find_rules.h"
#include "meanfield/explain_atom.h"
#include "meanfield/grounding_search.h"

namespace sorites {

MarkovFormulaExplanation explain_formula(const MarkovModel& model,
                                         const AtomValues<double>& marginals,
                                         std::size_t formula,
                                         const MarkovExplainOptions& options) {
  if (formula >= model.formulas.size()) {
    throw std::invalid_argument("explain_formula: there is no such formula");
  }
  const MarkovFormula& explained = model.formulas[formula];
  MarkovExplainOptions plain = options;
  plain.mean_field.weight_scale = WeightScale::kNone;
  plain.mean_field.hard_weight = 1.0;  // groundings of hard formulas count as they are
  ExactMeanField layer(with_formula_alone(model, formula), plain.mean_field);
  MarkovFormulaExplanation explanation;
  explanation.formula = formula;
  explanation.groundings = layer.plan().formulas[0].groundings;
  const std::vector<double> violated = layer.violations(marginals)[0];
  for (std::size_t w = 0; w < violated.size(); ++w) {
    explanation.violated += violated[w];
    if (!explained.hard) explanation.cost += explained.weights[w] * violated[w];
  }
  const AtomProbabilities probabilities(model, marginals);
  GroundingSearch found = search_violations(model, explained, probabilities, plain);
  explanation.worst = std::move(found.hardest);
  explanation.all_seen = found.all_seen;
  return explanation;
}

std::vector<std::uint32_t> find_formulas(const MarkovModel& model, std::string_view text) {
  std::vector<Span> places;
  for (const MarkovFormula& formula : model.formulas) places.push_back(formula.place);
  return find_rules(places, text, "formula");
}

}  // namespace sorites
