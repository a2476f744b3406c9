// How well a formula holds, and where it holds least.
#include <stdexcept>
#include <utility>

#include "meanfield/explain_atom.h"
#include "meanfield/grounding_search.h"

namespace sorites {

MeanFieldFormulaExplanation explain_formula(const MeanFieldModel& model,
                                            const AtomValues<double>& marginals,
                                            std::size_t formula,
                                            const MeanFieldExplainOptions& options) {
  if (formula >= model.formulas.size()) {
    throw std::invalid_argument("explain_formula: there is no such formula");
  }
  const MeanFieldFormula& explained = model.formulas[formula];
  MeanFieldExplainOptions plain = options;
  plain.mean_field.weight_scale = WeightScale::kNone;
  plain.mean_field.hard_weight = 1.0;  // groundings of hard formulas count as they are
  ExactMeanField layer(with_formula_alone(model, formula), plain.mean_field);
  MeanFieldFormulaExplanation explanation;
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

}  // namespace sorites
