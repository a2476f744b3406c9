#include "meanfield/iterations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "meanfield/grounding_counts.h"

namespace sorites {
namespace {

std::vector<NodeId> all_of(const std::vector<std::vector<NodeId>>& nodes) {
  std::vector<NodeId> result;
  for (const auto& of_predicate : nodes) {
    for (const NodeId node : of_predicate) {
      if (node != kNoNode) result.push_back(node);
    }
  }
  return result;
}

void add_plan(MeanFieldPlan& sum, const MeanFieldPlan& of_group) {
  sum.formulas.insert(sum.formulas.end(), of_group.formulas.begin(), of_group.formulas.end());
  sum.steps.insert(sum.steps.end(), of_group.steps.begin(), of_group.steps.end());
  sum.groundings += of_group.groundings;
  sum.operations += of_group.operations;
  sum.bytes += of_group.bytes;
  sum.atoms = of_group.atoms;
  sum.unknown_atoms = of_group.unknown_atoms;
}

}  // namespace

template <class Real>
Iterations<Real>::Iterations(const MeanFieldModel& model, const MeanFieldOptions& options)
    : layouts_(layouts_of(model)),
      sparse_evidence_(options.plan.sparse_evidence),
      centre_(options.centre_messages),
      pool_(options.threads),
      sums_(layouts_.size()),
      directions_(layouts_.size()) {
  const StoppableLoops stoppable(pool_, options.stop);
  for (const MeanFieldFormula& formula : model.formulas) weights_.push_back(formula.weights);
  if (options.weight_scale == WeightScale::kMeanMessage) {
    for (std::size_t f = 0; f < weights_.size(); ++f) {
      add_group(model, {f}, options);
      set_mean_factors(model, model.formulas[f], options);
    }
  } else {
    std::vector<std::size_t> all(weights_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    add_group(model, all, options);
  }
  for (std::size_t f = 0; f < weights_.size(); ++f) set_weights(f, model.formulas[f].weights);
}

template <class Real>
void Iterations<Real>::add_group(const MeanFieldModel& model,
                                 const std::vector<std::size_t>& formulas,
                                 const MeanFieldOptions& options) {
  MeanFieldModel part = without_formulas(model);
  for (const std::size_t f : formulas) part.formulas.push_back(model.formulas[f]);
  Group& group = groups_.emplace_back();
  group.formulas = formulas;
  group.compiled = compile_model(part, options.plan, sizeof(Real), options.stop);
  group.messages = make_evaluator(group, all_of(group.compiled.slopes));
  add_plan(plan_, group.compiled.plan);
}

// Each message of the last group becomes the mean over the groundings that can push the atom.
template <class Real>
void Iterations<Real>::set_mean_factors(const MeanFieldModel& model,
                                        const MeanFieldFormula& formula,
                                        const MeanFieldOptions& options) {
  for (const auto& counts : grounding_counts(model, formula, options.plan, options.stop)) {
    std::vector<Real>& factors = groups_.back().factors.emplace_back();
    for (const float count : counts)
      factors.push_back(1 / std::max(Real{1}, static_cast<Real>(count)));
  }
}

template <class Real>
std::unique_ptr<TensorEvaluator<Real>> Iterations<Real>::make_evaluator(
    const Group& group, std::vector<NodeId> wanted) {
  auto evaluator = std::make_unique<TensorEvaluator<Real>>(group.compiled.expression,
                                                           std::move(wanted),
                                                           group.compiled.evidence,
                                                           pool_,
                                                           EvaluatorOptions{sparse_evidence_});
  for (std::uint32_t i = 0; i < group.formulas.size(); ++i) {
    evaluator->set_weights(i, weights_[group.formulas[i]]);
  }
  return evaluator;
}

template <class Real>
TensorEvaluator<Real>& Iterations<Real>::everything(Group& group) {
  if (!group.everything) {
    std::vector<NodeId> wanted = all_of(group.compiled.slopes);
    for (const auto& [root, coefficient] : group.compiled.violations) wanted.push_back(root);
    for (const NodeId slope : group.compiled.weight_slopes) {
      if (slope != kNoNode) wanted.push_back(slope);
    }
    group.everything = make_evaluator(group, std::move(wanted));
  }
  return *group.everything;
}

template <class Real>
std::size_t Iterations<Real>::value_of(std::size_t predicate, std::size_t channel) const {
  return layouts_[predicate].has_classes() ? channel : 1;
}

template <class Real>
NodeId Iterations<Real>::leaf_of(const Group& group,
                                 std::size_t predicate,
                                 std::size_t channel) const {
  return group.compiled.marginals[predicate][value_of(predicate, channel)];
}

template <class Real>
NodeId Iterations<Real>::slope_of(const Group& group,
                                  std::size_t predicate,
                                  std::size_t channel) const {
  return group.compiled.slopes[predicate][value_of(predicate, channel)];
}

template <class Real>
void Iterations<Real>::set_weights(std::size_t formula, std::span<const double> weights) {
  weights_.at(formula).assign(weights.begin(), weights.end());
  for (Group& group : groups_) {
    const auto at = std::find(group.formulas.begin(), group.formulas.end(), formula);
    if (at == group.formulas.end()) continue;
    const auto number = static_cast<std::uint32_t>(at - group.formulas.begin());
    group.messages->set_weights(number, weights);
    if (group.everything) group.everything->set_weights(number, weights);
  }
}

template <class Real>
void Iterations<Real>::set_known(std::size_t predicate, std::vector<KnownAtom> known) {
  std::sort(known.begin(), known.end());
  layouts_.at(predicate).known = std::move(known);
}

template <class Real>
void Iterations<Real>::set_marginals_of(const Group& group,
                                        TensorEvaluator<Real>& evaluator,
                                        const AtomValues<Real>& marginals) const {
  for_open_predicates([&](std::size_t p) {
    const auto channels = channels_of(layouts_[p], marginals[p]);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const NodeId leaf = leaf_of(group, p, c);
      if (leaf != kNoNode) evaluator.set_leaf(leaf, channels[c]);
    }
  });
}

template <class Real>
void Iterations<Real>::start(const AtomValues<Real>& log_odds, AtomValues<Real>& marginals) {
  marginals.resize(layouts_.size());
  for_open_predicates([&](std::size_t p) {
    marginals[p].resize(layouts_[p].size());
    set_marginals<Real>(layouts_[p], log_odds[p], channels_of(layouts_[p], marginals[p]), pool_);
  });
}

template <class Real>
void Iterations<Real>::update_messages(const AtomValues<Real>& marginals,
                                       const std::stop_token& stop) {
  for (Group& group : groups_) {
    set_marginals_of(group, *group.messages, marginals);
    group.messages->update(stop);
  }
}

// Slopes of E in the marginals of a predicate: those of the only group, or sums of what groups
// have.
template <class Real>
Channels<const Real> Iterations<Real>::slopes_of(std::size_t predicate) {
  if (is_plain()) {
    Channels<const Real> slopes(layouts_[predicate].num_channels);
    for (std::size_t c = 0; c < slopes.size(); ++c) {
      const NodeId slope = slope_of(groups_[0], predicate, c);
      if (slope != kNoNode) slopes[c] = groups_[0].messages->value(slope);
    }
    return slopes;
  }
  std::vector<Real>& sums = sums_[predicate];
  sums.assign(layouts_[predicate].size(), Real{0});
  for (const Group& group : groups_) add_slopes(group, predicate, sums);
  centre(predicate, sums);
  return channels_of(layouts_[predicate], std::as_const(sums));
}

// Adds a group's slopes, each times its factor.
template <class Real>
void Iterations<Real>::add_slopes(const Group& group,
                                  std::size_t predicate,
                                  std::span<Real> sums) const {
  const Real* const factors = group.factors.empty() ? nullptr : group.factors[predicate].data();
  for (std::size_t c = 0; c < layouts_[predicate].num_channels; ++c) {
    const NodeId slope = slope_of(group, predicate, c);
    if (slope == kNoNode) continue;
    const auto numbers = group.messages->value(slope);
    Real* const out = sums.data() + c * layouts_[predicate].num_atoms;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      out[i] += factors == nullptr ? numbers[i] : factors[i] * numbers[i];
    }
  }
}

// Takes their mean over unknown atoms from the numbers of each channel.
template <class Real>
void Iterations<Real>::centre(std::size_t predicate, std::span<Real> numbers) const {
  if (!centre_) return;
  const AtomLayout& layout = layouts_[predicate];
  const std::size_t unknown = layout.num_atoms - layout.known.size();
  for (std::size_t c = 0; c < layout.num_channels && unknown > 0; ++c) {
    const std::span<Real> channel = numbers.subspan(c * layout.num_atoms, layout.num_atoms);
    for (const KnownAtom& known : layout.known) channel[known.atom] = 0;
    const double sum = std::accumulate(channel.begin(), channel.end(), 0.0);
    const auto mean = static_cast<Real>(sum / static_cast<double>(unknown));
    for (Real& number : channel) number -= mean;
    for (const KnownAtom& known : layout.known) channel[known.atom] = 0;
  }
}

template <class Real>
double Iterations<Real>::step(const AtomValues<Real>& unaries,
                              double keep,
                              const AtomValues<Real>& before,
                              AtomValues<Real>& log_odds,
                              AtomValues<Real>& after,
                              const std::stop_token& stop) {
  update_messages(before, stop);
  double change = 0.0;
  after.resize(layouts_.size());
  for_open_predicates([&](std::size_t p) {
    after[p].resize(layouts_[p].size());
    const AtomUpdate<Real> update{unaries[p],
                                  slopes_of(p),
                                  static_cast<Real>(keep),
                                  log_odds[p],
                                  channels_of(layouts_[p], before[p]),
                                  channels_of(layouts_[p], after[p])};
    change = std::max(change, update_atoms(layouts_[p], update, pool_));
  });
  return change;
}

template <class Real>
AtomValues<Real> Iterations<Real>::messages(const AtomValues<Real>& marginals,
                                            const std::stop_token& stop) {
  update_messages(marginals, stop);
  AtomValues<Real> values(layouts_.size());
  for_open_predicates([&](std::size_t p) {
    values[p].assign(layouts_[p].size(), Real{0});
    const auto slopes = slopes_of(p);
    for (std::size_t c = 0; c < slopes.size(); ++c) {
      std::transform(slopes[c].begin(),
                     slopes[c].end(),
                     values[p].begin() + static_cast<std::ptrdiff_t>(c * layouts_[p].num_atoms),
                     std::negate<Real>());
    }
  });
  return values;
}

template <class Real>
std::vector<std::vector<double>> Iterations<Real>::violations(const AtomValues<Real>& marginals,
                                                              const std::stop_token& stop) {
  const StoppableLoops stoppable(pool_, stop);  // makes an evaluator, too
  std::vector<std::vector<double>> result;
  for (const auto& weights : weights_) result.emplace_back(weights.size(), 0.0);
  for (Group& group : groups_) {
    TensorEvaluator<Real>& evaluator = everything(group);
    set_marginals_of(group, evaluator, marginals);
    evaluator.update(stop);
    for (const auto& [root, coefficient] : group.compiled.violations) {
      for (const auto& [formula, times] : coefficient.factors) {
        result[group.formulas[formula]][0] += times * static_cast<double>(evaluator.value(root)[0]);
      }
    }
    for (std::size_t i = 0; i < group.formulas.size(); ++i) {
      if (group.compiled.weight_slopes[i] == kNoNode) continue;
      const auto slopes = evaluator.value(group.compiled.weight_slopes[i]);
      std::copy(slopes.begin(), slopes.end(), result[group.formulas[i]].begin());
    }
  }
  return result;
}

template <class Real>
double Iterations<Real>::free_energy(const AtomValues<Real>& unaries,
                                     const AtomValues<Real>& marginals,
                                     const std::vector<std::vector<double>>& violations) const {
  double sum = weight_of(violations);
  for_open_predicates([&](std::size_t p) {
    const auto channels = channels_of(layouts_[p], marginals[p]);
    sum += negative_entropy<Real>(layouts_[p], channels);
    sum -= expectation<Real>(layouts_[p], unaries[p], channels);
  });
  return sum;
}

template <class Real>
double Iterations<Real>::weight_of(const std::vector<std::vector<double>>& violations) const {
  double sum = 0.0;
  for (std::size_t f = 0; f < violations.size(); ++f) {
    for (std::size_t i = 0; i < violations[f].size(); ++i) sum += weights_[f][i] * violations[f][i];
  }
  return sum;
}

// Complements are multiplied out: of a sum that is small, the parts may be as large as if all
// groundings were violated.
template <class Real>
double Iterations<Real>::largest_part() const {
  double sum = 0.0;
  for (std::size_t f = 0; f < weights_.size(); ++f) {
    double heaviest = 0.0;
    for (const double weight : weights_[f]) heaviest = std::max(heaviest, std::abs(weight));
    sum += heaviest * plan_.formulas[f].groundings;
  }
  return sum;
}

template <class Real>
std::vector<std::vector<double>> Iterations<Real>::pull(const AtomValues<Real>& unaries,
                                                        const AtomValues<Real>& marginals,
                                                        AtomValues<Real>& goals,
                                                        const std::stop_token& stop) {
  std::vector<std::vector<double>> result = violations(marginals, stop);
  goals = unaries;
  for_open_predicates([&](std::size_t p) {
    for (std::size_t c = 0; c < layouts_[p].num_channels; ++c) {
      const NodeId slope = slope_of(groups_[0], p, c);
      if (slope == kNoNode) continue;
      const auto slopes = groups_[0].everything->value(slope);
      Real* const goal = goals[p].data() + c * layouts_[p].num_atoms;
      for (std::size_t i = 0; i < slopes.size(); ++i) goal[i] -= slopes[i];
    }
  });
  return result;
}

template class Iterations<float>;
template class Iterations<double>;

}  // namespace sorites
