// The way back through mean-field iterations.
#include <algorithm>
#include <utility>

#include "meanfield/iterations.h"

namespace sorites {

template <class Real>
void Iterations<Real>::back_through_softmax(const AtomValues<Real>& marginals,
                                            AtomValues<Real>& slopes) const {
  for_open_predicates([&](std::size_t p) {
    through_softmax<Real>(layouts_[p], channels_of(layouts_[p], marginals[p]), slopes[p]);
  });
}

// The direction along which a group changes: the slopes, or F C times those.
template <class Real>
void Iterations<Real>::set_direction(const Group& group,
                                     TensorEvaluator<Real>& evaluator,
                                     const AtomValues<Real>& slopes) {
  for_open_predicates([&](std::size_t p) {
    const AtomLayout& layout = layouts_[p];
    if (!is_plain()) {
      directions_[p] = slopes[p];
      centre(p, directions_[p]);
      for (std::size_t i = 0; !group.factors.empty() && i < directions_[p].size(); ++i) {
        directions_[p][i] *= group.factors[p][i % layout.num_atoms];
      }
    }
    const auto channels =
        channels_of(layout, is_plain() ? slopes[p] : std::as_const(directions_[p]));
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const NodeId leaf = leaf_of(group, p, c);
      if (leaf != kNoNode) evaluator.set_leaf_tangent(leaf, channels[c]);
    }
  });
}

// `take` is what the direction has to be multiplied by.
template <class Real>
void Iterations<Real>::add_weight_slopes(const Group& group,
                                         Real take,
                                         std::vector<std::vector<double>>& in_weights) const {
  for (const auto& [root, coefficient] : group.compiled.violations) {
    const auto change = group.everything->tangent(root);
    if (change.empty()) continue;
    for (const auto& [formula, times] : coefficient.factors) {
      in_weights[group.formulas[formula]][0] -= times * static_cast<double>(take * change[0]);
    }
  }
  for (std::size_t i = 0; i < group.formulas.size(); ++i) {
    if (group.compiled.weight_slopes[i] == kNoNode) continue;
    const auto change = group.everything->tangent(group.compiled.weight_slopes[i]);
    std::vector<double>& place = in_weights[group.formulas[i]];
    for (std::size_t k = 0; k < change.size(); ++k) {
      place[k] -= static_cast<double>(take * change[k]);
    }
  }
}

// Changes of the slopes of the only group.
template <class Real>
Channels<const Real> Iterations<Real>::changes_of(const TensorEvaluator<Real>& evaluator,
                                                  std::size_t predicate) const {
  Channels<const Real> changes(layouts_[predicate].num_channels);
  for (std::size_t c = 0; c < changes.size(); ++c) {
    const NodeId slope = slope_of(groups_[0], predicate, c);
    if (slope != kNoNode) changes[c] = evaluator.tangent(slope);
  }
  return changes;
}

// With z' = keep z + (1 - keep)(unary - C F dE/dQ), F the factors of a group and C centring, the
// slopes in Q are -(1 - keep) H F C times those in z', where H is the Hessian of E: it is
// symmetric, so H times a vector is the change of dE/dQ along it.
template <class Real>
void Iterations<Real>::step_back(const AtomValues<Real>& marginals,
                                 double keep,
                                 AtomValues<Real>& slopes,
                                 AtomValues<Real>& in_unaries,
                                 std::vector<std::vector<double>>* in_weights) {
  const auto stay = static_cast<Real>(keep);
  for_open_predicates([&](std::size_t p) {
    if (!is_plain()) sums_[p].assign(layouts_[p].size(), Real{0});
  });
  for (Group& group : groups_) {
    TensorEvaluator<Real>& evaluator = in_weights == nullptr ? *group.messages : everything(group);
    set_marginals_of(group, evaluator, marginals);
    set_direction(group, evaluator, slopes);
    evaluator.update_tangents();
    if (in_weights != nullptr) add_weight_slopes(group, 1 - stay, *in_weights);
    if (is_plain()) continue;
    for_open_predicates([&](std::size_t p) { add_change(group, evaluator, p, sums_[p]); });
  }
  for_open_predicates([&](std::size_t p) {
    const Channels<const Real> changes =
        is_plain()
            ? changes_of(in_weights == nullptr ? *groups_[0].messages : *groups_[0].everything, p)
            : channels_of(layouts_[p], std::as_const(sums_[p]));
    const AtomUpdateBack<Real> update{
        channels_of(layouts_[p], marginals[p]), changes, stay, slopes[p], in_unaries[p]};
    update_atoms_back(layouts_[p], update, pool_);
  });
}

// Adds the change of a group's slopes along its direction.
template <class Real>
void Iterations<Real>::add_change(const Group& group,
                                  const TensorEvaluator<Real>& evaluator,
                                  std::size_t predicate,
                                  std::span<Real> sums) const {
  for (std::size_t c = 0; c < layouts_[predicate].num_channels; ++c) {
    const NodeId slope = slope_of(group, predicate, c);
    if (slope == kNoNode) continue;
    const auto change = evaluator.tangent(slope);
    Real* const out = sums.data() + c * layouts_[predicate].num_atoms;
    for (std::size_t i = 0; i < change.size(); ++i) out[i] += change[i];
  }
}

template class Iterations<float>;
template class Iterations<double>;

}  // namespace sorites
