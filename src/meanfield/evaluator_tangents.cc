#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "meanfield/blas.h"
#include "meanfield/evaluator.h"

namespace sorites {

template <class Real>
void TensorEvaluator<Real>::prepare_tangents() {
  if (!tangents_.empty()) return;
  find_values_of_tangents();
  tangents_.resize(values_.size());
  allocate(order_[static_cast<std::size_t>(Changes::kWithMarginals)], wanted_, tangents_);
}

// Tangents of products read an operand where the other one changes; that of anything else reads
// none.
template <class Real>
void TensorEvaluator<Real>::find_values_of_tangents() {
  const auto& order = order_[static_cast<std::size_t>(Changes::kWithMarginals)];
  std::vector<bool> needed(values_.size(), false);
  const auto read_by_tangent_of = [&](NodeId product) {
    const auto& [a, b] = std::pair(expression_[product].a, expression_[product].b);
    if (expression_[b].changes == Changes::kWithMarginals) needed[a] = true;
    if (expression_[a].changes == Changes::kWithMarginals) needed[b] = true;
  };
  for (const NodeId id : order) {
    for (const NodeId product : products_of(id)) read_by_tangent_of(product);
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    if (!needed[order[i]]) continue;
    for (const NodeId operand : reads_[order[i]]) needed[operand] = true;
  }
  std::copy_if(order.begin(), order.end(), std::back_inserter(values_of_tangents_), [&](NodeId id) {
    return needed[id];
  });
}

template <class Real>
void TensorEvaluator<Real>::set_leaf_tangent(NodeId leaf, std::span<const Real> place) {
  SORITES_CHECK(place.size() == size_of(leaf), "a leaf has a number for each of its elements");
  prepare_tangents();
  tangents_[leaf] = const_cast<Real*>(place.data());  // nothing is written to it
}

template <class Real>
std::span<Real> TensorEvaluator<Real>::leaf_tangent(NodeId leaf) {
  SORITES_CHECK(expression_[leaf].leaf.kind == LeafKind::kMarginal, "only marginals are filled");
  prepare_tangents();
  if (tangents_[leaf] == nullptr) tangents_[leaf] = memory_.emplace_back(size_of(leaf)).data();
  return {tangents_[leaf], size_of(leaf)};
}

template <class Real>
std::span<const Real> TensorEvaluator<Real>::tangent(NodeId node) const {
  if (expression_[node].changes != Changes::kWithMarginals) return {};
  SORITES_CHECK(!tangents_.empty() && tangents_[node] != nullptr, "only of wanted nodes");
  return {tangents_[node], size_of(node)};
}

template <class Real>
void TensorEvaluator<Real>::update_tangents() {
  const SingleThreadedBlas single_threaded;
  prepare_tangents();
  apply_weights();
  for (const NodeId node : values_of_tangents_) compute(node);
  for (const NodeId node : order_[static_cast<std::size_t>(Changes::kWithMarginals)]) {
    compute_tangent(node);
  }
}

// (a b)' = a' b + a b'; maps and sums are linear.
template <class Real>
void TensorEvaluator<Real>::compute_tangent(NodeId id) {
  const Node& node = expression_[id];
  Real* out = tangents_[id];
  if (const auto* product = std::get_if<Product>(&steps_[id])) {
    multiply_tangent<Real>(*product,
                           {values_[node.a], tangents_[node.a]},
                           {values_[node.b], tangents_[node.b]},
                           Real{1},
                           out,
                           {scratch_, pool_});
  } else if (const auto* map = std::get_if<LoopNest>(&steps_[id])) {
    run_map(*map, tangents_[node.a], out, pool_);
  } else if (const auto* sparse = std::get_if<SparseStep>(&steps_[id])) {
    run_sparse_product<Real>(sparse->product, tangents_[sparse->dense], out, {}, scratch_, pool_);
  } else if (std::holds_alternative<SumStep>(steps_[id])) {
    compute_sum_of_tangents(id);
  }
}

// What has no tangent does not change.
template <class Real>
void TensorEvaluator<Real>::compute_sum_of_tangents(NodeId id) {
  const auto& sum = std::get<SumStep>(steps_[id]);
  Real* out = tangents_[id];
  std::vector<ScaledTensor<Real>> terms;
  for (std::size_t i = 0; i < sum.operands.size(); ++i) {
    const auto [data, times] = sum.operands[i];
    if (times == kNoNode) {
      terms.push_back({sum.factors[i], data == kNoNode ? nullptr : tangents_[data]});
    } else {
      const Real* kept = tangents_[times] == nullptr ? nullptr : values_[data];
      terms.push_back({sum.factors[i], tangents_[data], values_[times]});
      terms.push_back({sum.factors[i], kept, tangents_[times]});
    }
  }
  if (sum.first) {
    const NodeId matrix = expression_[sum.first->of].a;
    const WithTangent<Real> operand{values_[matrix], tangents_[matrix]};
    const Real factor = sum.factors[sum.first->term];
    multiply_tangent<Real>(sum.first->product, operand, operand, factor, out, {scratch_, pool_});
  }
  run_sum<Real>(sum.tangent_plan, terms, Real{0}, out, pool_, sum.first.has_value());
  add_maps(id, tangents_);
  for (const auto& [added, of, term] : sum.products) {
    const NodeId a = expression_[of].a, b = expression_[of].b;
    const Scaling<Real> scaling{sum.factors[term], true};
    const Real *da = tangents_[a], *db = tangents_[b];
    if (da != nullptr) multiply<Real>(added, da, values_[b], out, scaling, {scratch_, pool_});
    if (db != nullptr) multiply<Real>(added, values_[a], db, out, scaling, {scratch_, pool_});
  }
}

template class TensorEvaluator<float>;
template class TensorEvaluator<double>;

}  // namespace sorites
