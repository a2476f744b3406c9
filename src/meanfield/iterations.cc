#include "meanfield/iterations.h"

#include <algorithm>

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

}  // namespace

template <class Real>
Iterations<Real>::Iterations(const MarkovModel& model,
                             const MeanFieldPlanOptions& plan,
                             unsigned threads)
    : layouts_(layouts_of(model)),
      compiled_(compile_model(model, plan)),
      sparse_evidence_(plan.sparse_evidence),
      pool_(threads),
      messages_(compiled_.expression,
                all_of(compiled_.slopes),
                compiled_.evidence,
                pool_,
                {plan.sparse_evidence}),
      own_marginals_(layouts_.size()) {
  for (const MarkovFormula& formula : model.formulas) weights_.push_back(formula.weights);
  for (std::uint32_t f = 0; f < weights_.size(); ++f) messages_.set_weights(f, weights_[f]);
  for (std::size_t p = 0; p < layouts_.size(); ++p) {
    own_marginals_[p].resize(layouts_[p].closed ? 0 : layouts_[p].num_channels);
  }
}

template <class Real>
std::size_t Iterations<Real>::value_of(std::size_t predicate, std::size_t channel) const {
  return layouts_[predicate].has_classes() ? channel : 1;
}

template <class Real>
NodeId Iterations<Real>::leaf_of(std::size_t predicate, std::size_t channel) const {
  return compiled_.marginals[predicate][value_of(predicate, channel)];
}

template <class Real>
NodeId Iterations<Real>::slope_of(std::size_t predicate, std::size_t channel) const {
  return compiled_.slopes[predicate][value_of(predicate, channel)];
}

template <class Real>
template <class Work>
void Iterations<Real>::for_open_predicates(const Work& work) {
  for (std::size_t p = 0; p < layouts_.size(); ++p) {
    if (!layouts_[p].closed) work(p);
  }
}

template <class Real>
void Iterations<Real>::set_weights(std::size_t formula, std::span<const double> weights) {
  weights_.at(formula).assign(weights.begin(), weights.end());
  const auto f = static_cast<std::uint32_t>(formula);
  messages_.set_weights(f, weights);
  if (everything_) everything_->set_weights(f, weights);
}

template <class Real>
void Iterations<Real>::set_known(std::size_t predicate, std::vector<KnownAtom> known) {
  std::sort(known.begin(), known.end());
  layouts_.at(predicate).known = std::move(known);
}

// Where the marginals of a predicate stand, per channel: in the leaves of the evaluator, where it has them.
template <class Real>
std::vector<std::span<Real>> Iterations<Real>::places(Evaluator<Real>& evaluator,
                                                      std::size_t predicate) {
  std::vector<std::span<Real>> channels;
  for (std::size_t c = 0; c < layouts_[predicate].num_channels; ++c) {
    const NodeId leaf = leaf_of(predicate, c);
    const std::span<Real> place = leaf == kNoNode ? std::span<Real>{} : evaluator.leaf(leaf);
    if (!place.empty()) {
      channels.push_back(place);
      continue;
    }
    own_marginals_[predicate][c].resize(layouts_[predicate].num_atoms);
    channels.push_back(own_marginals_[predicate][c]);
  }
  return channels;
}

template <class Real>
void Iterations<Real>::start(const AtomValues<Real>& log_odds) {
  for_open_predicates([&](std::size_t p) {
    set_marginals<Real>(layouts_[p], log_odds[p], places(messages_, p), pool_);
  });
}

template <class Real>
void Iterations<Real>::start_at(const AtomValues<Real>& marginals) {
  for_open_predicates([&](std::size_t p) {
    const auto channels = places(messages_, p);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      std::copy_n(marginals[p].begin() + static_cast<std::ptrdiff_t>(c * layouts_[p].num_atoms),
                  layouts_[p].num_atoms,
                  channels[c].begin());
    }
  });
}

template <class Real>
double Iterations<Real>::step(const AtomValues<Real>& unaries,
                              double keep,
                              AtomValues<Real>& log_odds) {
  messages_.update();
  double change = 0.0;
  for_open_predicates([&](std::size_t p) {
    AtomUpdate<Real> update{unaries[p], {}, static_cast<Real>(keep), log_odds[p], places(messages_, p)};
    for (std::size_t c = 0; c < layouts_[p].num_channels; ++c) {
      const NodeId slope = slope_of(p, c);
      update.slopes.push_back(slope == kNoNode ? std::span<const Real>{} : messages_.value(slope));
    }
    change = std::max(change, update_atoms(layouts_[p], update, pool_));
  });
  return change;
}

template <class Real>
AtomValues<Real> Iterations<Real>::marginals() {
  AtomValues<Real> values(layouts_.size());
  for_open_predicates([&](std::size_t p) {
    for (const auto& channel : places(messages_, p)) {
      values[p].insert(values[p].end(), channel.begin(), channel.end());
    }
  });
  return values;
}

template <class Real>
AtomValues<Real> Iterations<Real>::messages() {
  messages_.update();
  AtomValues<Real> values(layouts_.size());
  for_open_predicates([&](std::size_t p) {
    values[p].assign(layouts_[p].size(), Real{0});
    for (std::size_t c = 0; c < layouts_[p].num_channels; ++c) {
      const NodeId slope = slope_of(p, c);
      if (slope == kNoNode) continue;
      std::transform(messages_.value(slope).begin(),
                     messages_.value(slope).end(),
                     values[p].begin() + static_cast<std::ptrdiff_t>(c * layouts_[p].num_atoms),
                     std::negate<Real>());
    }
  });
  return values;
}

template <class Real>
Evaluator<Real>& Iterations<Real>::everything() {
  if (everything_) return *everything_;
  std::vector<NodeId> wanted = all_of(compiled_.slopes);
  for (const auto& [root, coefficient] : compiled_.violations) wanted.push_back(root);
  for (const NodeId slope : compiled_.weight_slopes) {
    if (slope != kNoNode) wanted.push_back(slope);
  }
  everything_ = std::make_unique<Evaluator<Real>>(compiled_.expression,
                                                  std::move(wanted),
                                                  compiled_.evidence,
                                                  pool_,
                                                  EvaluatorOptions{sparse_evidence_});
  for (std::uint32_t f = 0; f < weights_.size(); ++f) everything_->set_weights(f, weights_[f]);
  return *everything_;
}

template <class Real>
Evaluator<Real>& Iterations<Real>::everything_at_marginals() {
  Evaluator<Real>& evaluator = everything();
  for_open_predicates([&](std::size_t p) {
    const auto from = places(messages_, p), to = places(evaluator, p);
    for (std::size_t c = 0; c < from.size(); ++c) {
      if (from[c].data() != to[c].data()) std::copy(from[c].begin(), from[c].end(), to[c].begin());
    }
  });
  evaluator.update();
  return evaluator;
}

template <class Real>
std::vector<std::vector<double>> Iterations<Real>::violations() {
  const Evaluator<Real>& evaluator = everything_at_marginals();
  std::vector<std::vector<double>> result;
  for (const auto& weights : weights_) result.emplace_back(weights.size(), 0.0);
  for (const auto& [root, coefficient] : compiled_.violations) {
    for (const auto& [formula, times] : coefficient.factors) {
      result[formula][0] += times * static_cast<double>(evaluator.value(root)[0]);
    }
  }
  for (std::size_t f = 0; f < weights_.size(); ++f) {
    if (compiled_.weight_slopes[f] == kNoNode) continue;
    const auto slopes = evaluator.value(compiled_.weight_slopes[f]);
    std::copy(slopes.begin(), slopes.end(), result[f].begin());
  }
  return result;
}

template <class Real>
double Iterations<Real>::free_energy(const AtomValues<Real>& unaries) {
  const auto counts = violations();
  double sum = 0.0;
  for (std::size_t f = 0; f < counts.size(); ++f) {
    for (std::size_t i = 0; i < counts[f].size(); ++i) sum += weights_[f][i] * counts[f][i];
  }
  for_open_predicates([&](std::size_t p) {
    sum += unary_free_energy<Real>(layouts_[p], unaries[p], places(messages_, p));
  });
  return sum;
}

template <class Real>
void Iterations<Real>::back_through_softmax(const AtomValues<Real>& log_odds,
                                            AtomValues<Real>& slopes) {
  start(log_odds);
  for_open_predicates([&](std::size_t p) {
    through_softmax<Real>(layouts_[p], places(messages_, p), slopes[p]);
  });
}

// The direction along which everything changes: `factor` times the slopes.
template <class Real>
void Iterations<Real>::add_direction(std::size_t predicate,
                                     Real factor,
                                     std::span<const Real> slopes) {
  for (std::size_t c = 0; c < layouts_[predicate].num_channels; ++c) {
    const NodeId leaf = leaf_of(predicate, c);
    if (leaf == kNoNode) continue;
    const std::span<Real> place = everything_->leaf_tangent(leaf);
    const Real* const direction = slopes.data() + c * layouts_[predicate].num_atoms;
    for (std::size_t i = 0; i < place.size(); ++i) place[i] = factor * direction[i];
  }
}

template <class Real>
void Iterations<Real>::add_weight_slopes(std::vector<std::vector<double>>& in_weights) {
  for (const auto& [root, coefficient] : compiled_.violations) {
    const auto change = everything_->tangent(root);
    if (change.empty()) continue;
    for (const auto& [formula, times] : coefficient.factors) {
      in_weights[formula][0] -= times * static_cast<double>(change[0]);
    }
  }
  for (std::size_t f = 0; f < weights_.size(); ++f) {
    if (compiled_.weight_slopes[f] == kNoNode) continue;
    const auto change = everything_->tangent(compiled_.weight_slopes[f]);
    for (std::size_t i = 0; i < change.size(); ++i) in_weights[f][i] -= static_cast<double>(change[i]);
  }
}

// With z' = keep z + (1 - keep)(unary - dE/dQ), the slopes in Q are -(1 - keep) H times those in z', where H is the
// Hessian of E: it is symmetric, so H times a vector is the change of dE/dQ along it.
template <class Real>
void Iterations<Real>::step_back(const AtomValues<Real>& log_odds,
                                 double keep,
                                 AtomValues<Real>& slopes,
                                 AtomValues<Real>& in_unaries,
                                 std::vector<std::vector<double>>& in_weights) {
  start(log_odds);
  Evaluator<Real>& evaluator = everything_at_marginals();
  const auto stay = static_cast<Real>(keep), take = 1 - stay;
  for_open_predicates([&](std::size_t p) {
    for (std::size_t i = 0; i < slopes[p].size(); ++i) in_unaries[p][i] += take * slopes[p][i];
    add_direction(p, take, slopes[p]);
  });
  evaluator.update_tangents();
  add_weight_slopes(in_weights);
  for_open_predicates([&](std::size_t p) {
    std::vector<Real> before(slopes[p].size(), Real{0});
    for (std::size_t c = 0; c < layouts_[p].num_channels; ++c) {
      const NodeId slope = slope_of(p, c);
      if (slope == kNoNode) continue;
      const auto change = evaluator.tangent(slope);
      Real* const out = before.data() + c * layouts_[p].num_atoms;
      for (std::size_t i = 0; i < change.size(); ++i) out[i] = -change[i];
    }
    through_softmax<Real>(layouts_[p], places(evaluator, p), before);
    for (std::size_t i = 0; i < before.size(); ++i) slopes[p][i] = stay * slopes[p][i] + before[i];
  });
}

template class Iterations<float>;
template class Iterations<double>;

}  // namespace sorites
