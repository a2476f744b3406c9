#include "meanfield/grounding_counts.h"

#include <algorithm>
#include <string>

#include "meanfield/iterations.h"

namespace sorites {
namespace {

// Whether the values of a literal are all that its atom may have.
bool may_be_violated(const MeanFieldLiteral& literal, std::uint32_t value) {
  return !std::binary_search(literal.values.begin(), literal.values.end(), value);
}

// A clause in which each literal over an open predicate has a predicate of its own, "the literal
// may be violated". The product over literals of its marginals, 0 or 1, is then 1 for the
// groundings that count.
struct CountingModel {
  MeanFieldModel model;
  AtomValues<float> marginals;
  std::vector<std::uint32_t> counted;  // per predicate added: that of its literal
};

CountingModel counting_model(const MeanFieldModel& model,
                             const MeanFieldFormula& formula,
                             const MeanFieldClause& clause,
                             const std::vector<AtomLayout>& layouts) {
  CountingModel result;
  result.model = without_formulas(model);
  for (const AtomLayout& layout : layouts) result.marginals.emplace_back(layout.size(), 0.0F);
  MeanFieldFormula counting = formula;
  counting.hard = false;
  counting.weighted.clear();
  counting.weights = {1.0};
  counting.clauses = {clause};
  for (MeanFieldLiteral& literal : counting.clauses[0]) {
    const AtomLayout& layout = layouts[literal.predicate];
    if (layout.closed) continue;
    std::vector<float> marginals(layout.num_atoms, 1.0F);
    for (const KnownAtom& known : layout.known) {
      marginals[known.atom] = may_be_violated(literal, known.value) ? 1.0F : 0.0F;
    }
    const auto added = static_cast<std::uint32_t>(result.model.predicates.size());
    result.counted.push_back(literal.predicate);
    result.model.predicates.push_back({"literal " + std::to_string(result.counted.size()),
                                       model.predicates[literal.predicate].arguments,
                                       {}});
    result.model.facts.emplace_back();
    result.marginals.push_back(std::move(marginals));
    literal = {added, literal.terms, {0}};  // violated if true
  }
  result.model.formulas = {std::move(counting)};
  return result;
}

}  // namespace

AtomValues<float> grounding_counts(const MeanFieldModel& model,
                                   const MeanFieldFormula& formula,
                                   const MeanFieldPlanOptions& plan,
                                   const std::stop_token& stop) {
  const std::vector<AtomLayout> layouts = layouts_of(model);
  AtomValues<float> counts;
  for (const AtomLayout& layout : layouts) {
    counts.emplace_back(layout.closed ? 0 : layout.num_atoms, 0.0F);
  }
  for (const MeanFieldClause& clause : formula.clauses) {
    const CountingModel counting = counting_model(model, formula, clause, layouts);
    Iterations<float> iterations(counting.model, {.threads = 1, .plan = plan, .stop = stop});
    const AtomValues<float> messages = iterations.messages(counting.marginals, stop);
    for (std::size_t k = 0; k < counting.counted.size(); ++k) {
      std::vector<float>& place = counts[counting.counted[k]];
      const std::vector<float>& pushes = messages[layouts.size() + k];
      // The push of a grounding that is violated but for this literal is -1.
      for (std::size_t i = 0; i < place.size(); ++i) place[i] -= pushes[i];
    }
  }
  return counts;
}

}  // namespace sorites
