#include "meanfield/explain_atom.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "meanfield/grounding_search.h"
#include "meanfield/model.h"

namespace sorites {
namespace {

// Whether a literal of the formula may be the atom.
bool mentions(const MeanFieldFormula& formula,
              std::uint32_t predicate,
              const std::vector<std::uint32_t>& constants) {
  const auto may_be = [&](const MeanFieldLiteral& literal) {
    if (literal.predicate != predicate) return false;
    for (std::size_t k = 0; k < constants.size(); ++k) {
      if (literal.terms[k].is_constant && literal.terms[k].index != constants[k]) return false;
    }
    return true;
  };
  return std::any_of(
      formula.clauses.begin(), formula.clauses.end(), [&](const MeanFieldClause& clause) {
        return std::any_of(clause.begin(), clause.end(), may_be);
      });
}

// What a model's formulas together add to the atom's log-odds.
std::vector<double> message_of(const MeanFieldModel& model,
                               const AtomValues<double>& marginals,
                               std::uint32_t predicate,
                               std::uint64_t atom,
                               const MeanFieldOptions& options) {
  ExactMeanField layer(model, options);
  return centred(numbers_of(model, layer.messages(marginals), predicate, atom));
}

// How much less than its weight a grounding of the model's only formula counts: scaled messages are
// those without a scale times a number per atom.
double scale_of(const MeanFieldModel& model,
                const AtomValues<double>& marginals,
                std::uint32_t predicate,
                std::uint64_t atom,
                MeanFieldOptions options) {
  if (options.weight_scale == WeightScale::kNone) return 1.0;
  options.centre_messages = false;
  const auto scaled = message_of(model, marginals, predicate, atom, options);
  options.weight_scale = WeightScale::kNone;
  const double plain = strength_of(message_of(model, marginals, predicate, atom, options));
  return plain == 0.0 ? 1.0 : strength_of(scaled) / plain;
}

std::vector<FormulaPush> pushes_of(const MeanFieldModel& model,
                                   const AtomValues<double>& marginals,
                                   std::uint32_t predicate,
                                   std::uint64_t atom,
                                   const MeanFieldOptions& options) {
  std::vector<FormulaPush> pushes;
  // Centred messages reach all atoms of a predicate.
  const auto constants = options.centre_messages ? std::vector<std::uint32_t>{}
                                                 : atom_constants(model, predicate, atom);
  for (std::size_t f = 0; f < model.formulas.size(); ++f) {
    if (!mentions(model.formulas[f], predicate, constants)) continue;
    pushes.push_back(
        {f, message_of(with_formula_alone(model, f), marginals, predicate, atom, options)});
  }
  return pushes;
}

void check(const MeanFieldModel& model, std::uint32_t predicate, std::uint64_t atom) {
  if (predicate >= model.predicates.size() || model.predicates[predicate].closed) {
    throw std::invalid_argument("explain_atom: the predicate is closed, or there is none");
  }
  if (atom >= num_atoms(model, predicate))
    throw std::invalid_argument("explain_atom: there is no such atom");
}

}  // namespace

MeanFieldModel with_formula_alone(const MeanFieldModel& model, std::size_t formula) {
  MeanFieldModel alone = without_formulas(model);
  alone.formulas = {model.formulas[formula]};
  return alone;
}

std::vector<double> numbers_of(const MeanFieldModel& model,
                               const AtomValues<double>& values,
                               std::uint32_t predicate,
                               std::uint64_t atom) {
  const std::size_t count = std::max<std::size_t>(model.predicates[predicate].num_classes(), 1);
  const auto first = values.at(predicate).begin() + static_cast<std::ptrdiff_t>(atom * count);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

std::vector<double> centred(std::vector<double> log_odds) {
  if (log_odds.size() < 2) return log_odds;
  const double mean =
      std::accumulate(log_odds.begin(), log_odds.end(), 0.0) / static_cast<double>(log_odds.size());
  for (double& number : log_odds) number -= mean;
  return log_odds;
}

double strength_of(const std::vector<double>& log_odds) {
  if (log_odds.empty()) return 0.0;
  if (log_odds.size() == 1) return std::abs(log_odds[0]);
  const auto [least, most] = std::minmax_element(log_odds.begin(), log_odds.end());
  return *most - *least;
}

MeanFieldAtomExplanation explain_atom(const MeanFieldModel& model,
                                      const AtomValues<double>& marginals,
                                      const AtomValues<double>& unaries,
                                      std::uint32_t predicate,
                                      std::uint64_t atom,
                                      const MeanFieldExplainOptions& options) {
  check(model, predicate, atom);
  MeanFieldAtomExplanation explanation;
  explanation.marginal = numbers_of(model, marginals, predicate, atom);
  explanation.unary = centred(numbers_of(model, unaries, predicate, atom));
  explanation.formulas = pushes_of(model, marginals, predicate, atom, options.mean_field);
  explanation.log_odds = explanation.unary;
  for (const FormulaPush& push : explanation.formulas) {
    for (std::size_t v = 0; v < push.log_odds.size(); ++v) {
      explanation.log_odds[v] += push.log_odds[v];
    }
  }
  std::stable_sort(explanation.formulas.begin(),
                   explanation.formulas.end(),
                   [](const FormulaPush& a, const FormulaPush& b) {
                     return strength_of(a.log_odds) > strength_of(b.log_odds);
                   });
  const AtomProbabilities probabilities(model, marginals);
  const std::size_t looked_at = std::min(explanation.formulas.size(), options.max_formulas);
  for (std::size_t i = 0; i < looked_at; ++i) {
    FormulaPush& push = explanation.formulas[i];
    GroundingSearch found = search_groundings(
        model, model.formulas[push.formula], probabilities, predicate, atom, options);
    const double scale = scale_of(
        with_formula_alone(model, push.formula), marginals, predicate, atom, options.mean_field);
    for (MeanFieldGrounding& grounding : found.hardest) grounding.push *= scale;
    push.groundings = std::move(found.hardest);
    push.all_seen = found.all_seen;
  }
  return explanation;
}

}  // namespace sorites
