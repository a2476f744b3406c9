#include "meanfield/explain_atom.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "lang/mln/atom_index.h"
#include "meanfield/grounding_search.h"

namespace sorites {
namespace {

bool mentions(const MarkovFormula& formula, std::uint32_t predicate) {
  return std::any_of(
      formula.clauses.begin(), formula.clauses.end(), [&](const MarkovClause& clause) {
        return std::any_of(clause.begin(), clause.end(), [&](const MarkovLiteral& literal) {
          return literal.predicate == predicate;
        });
      });
}

// What a model's formulas together add to the atom's log-odds.
std::vector<double> message_of(const MarkovModel& model,
                               const AtomValues<double>& marginals,
                               std::uint32_t predicate,
                               std::uint64_t atom,
                               const MeanFieldOptions& options) {
  ExactMeanField layer(model, options);
  return centred(numbers_of(model, layer.messages(marginals), predicate, atom));
}

// How much less than its weight a grounding of the model's only formula counts: scaled messages are
// those without a scale times a number per atom.
double scale_of(const MarkovModel& model,
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

std::vector<MarkovPush> pushes_of(const MarkovModel& model,
                                  const AtomValues<double>& marginals,
                                  std::uint32_t predicate,
                                  std::uint64_t atom,
                                  const MeanFieldOptions& options) {
  std::vector<MarkovPush> pushes;
  for (std::size_t f = 0; f < model.formulas.size(); ++f) {
    if (!mentions(model.formulas[f], predicate)) continue;
    pushes.push_back(
        {f, message_of(with_formula_alone(model, f), marginals, predicate, atom, options)});
  }
  return pushes;
}

void check(const MarkovModel& model, std::uint32_t predicate, std::uint64_t atom) {
  if (predicate >= model.predicates.size() || model.predicates[predicate].closed) {
    throw std::invalid_argument("explain_atom: the predicate is closed, or there is none");
  }
  std::uint64_t num_atoms = 1;
  for (const std::uint32_t type : model.predicates[predicate].arguments) {
    num_atoms *= model.types[type].constants.size();
  }
  if (atom >= num_atoms) throw std::invalid_argument("explain_atom: there is no such atom");
}

}  // namespace

MarkovModel with_formula_alone(const MarkovModel& model, std::size_t formula) {
  MarkovModel alone{model.types, model.predicates, {model.formulas[formula]}, model.facts, {}};
  alone.queries.resize(model.predicates.size());
  return alone;
}

std::vector<double> numbers_of(const MarkovModel& model,
                               const AtomValues<double>& values,
                               std::uint32_t predicate,
                               std::uint64_t atom) {
  const std::size_t count = std::max<std::size_t>(model.predicates[predicate].classes.size(), 1);
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

MarkovExplanation explain_atom(const MarkovModel& model,
                               const AtomValues<double>& marginals,
                               const AtomValues<double>& unaries,
                               std::uint32_t predicate,
                               std::uint64_t atom,
                               const MarkovExplainOptions& options) {
  check(model, predicate, atom);
  MarkovExplanation explanation;
  explanation.marginal = numbers_of(model, marginals, predicate, atom);
  explanation.unary = centred(numbers_of(model, unaries, predicate, atom));
  explanation.formulas = pushes_of(model, marginals, predicate, atom, options.mean_field);
  explanation.log_odds = explanation.unary;
  for (const MarkovPush& push : explanation.formulas) {
    for (std::size_t v = 0; v < push.log_odds.size(); ++v) {
      explanation.log_odds[v] += push.log_odds[v];
    }
  }
  std::stable_sort(explanation.formulas.begin(),
                   explanation.formulas.end(),
                   [](const MarkovPush& a, const MarkovPush& b) {
                     return strength_of(a.log_odds) > strength_of(b.log_odds);
                   });
  const AtomProbabilities probabilities(model, marginals);
  const std::size_t looked_at = std::min(explanation.formulas.size(), options.max_formulas);
  for (std::size_t i = 0; i < looked_at; ++i) {
    MarkovPush& push = explanation.formulas[i];
    GroundingSearch found = search_groundings(
        model, model.formulas[push.formula], probabilities, predicate, atom, options);
    const double scale = scale_of(
        with_formula_alone(model, push.formula), marginals, predicate, atom, options.mean_field);
    for (MarkovGrounding& grounding : found.hardest) grounding.push *= scale;
    push.groundings = std::move(found.hardest);
    push.all_seen = found.all_seen;
  }
  return explanation;
}

}  // namespace sorites
