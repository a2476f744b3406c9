#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "meanfield/blas.h"
#include "meanfield/evaluator.h"

namespace sorites {

template <class Real>
void Evaluator<Real>::prepare_tangents() {
  if (!tangents_.empty()) return;
  find_values_of_tangents();
  tangents_.resize(values_.size());
  for (NodeId node = 0; node < values_.size(); ++node) {
    const Node& leaf = expression_[node];
    if (leaf.kind != NodeKind::kLeaf || leaf.leaf.kind != LeafKind::kMarginal) continue;
    tangents_[node] = memory_.emplace_back(size_of(node)).data();
  }
  allocate(order_[static_cast<std::size_t>(Changes::kWithMarginals)], wanted_, tangents_);
}

// Tangents of products read an operand where the other one changes; that of anything else reads
// none.
template <class Real>
void Evaluator<Real>::find_values_of_tangents() {
  const auto& order = order_[static_cast<std::size_t>(Changes::kWithMarginals)];
  std::vector<bool> needed(values_.size(), false);
  const auto read_by_tangent_of = [&](NodeId product) {
    const auto& [a, b] = std::pair(expression_[product].a, expression_[product].b);
    if (expression_[b].changes == Changes::kWithMarginals) needed[a] = true;
    if (expression_[a].changes == Changes::kWithMarginals) needed[b] = true;
  };
  for (const NodeId id : order) {
    if (std::holds_alternative<Product>(steps_[id])) read_by_tangent_of(id);
    const auto* sum = std::get_if<SumStep>(&steps_[id]);
    if (sum == nullptr) continue;
    for (const AddedProduct& added : sum->products) read_by_tangent_of(added.of);
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
std::span<Real> Evaluator<Real>::leaf_tangent(NodeId leaf) {
  SORITES_CHECK(expression_[leaf].leaf.kind == LeafKind::kMarginal, "only marginals are filled");
  prepare_tangents();
  return {tangents_[leaf], size_of(leaf)};
}

template <class Real>
std::span<const Real> Evaluator<Real>::tangent(NodeId node) const {
  if (expression_[node].changes != Changes::kWithMarginals) return {};
  SORITES_CHECK(!tangents_.empty() && tangents_[node] != nullptr, "only of wanted nodes");
  return {tangents_[node], size_of(node)};
}

template <class Real>
void Evaluator<Real>::update_tangents() {
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
void Evaluator<Real>::compute_tangent(NodeId id) {
  const Node& node = expression_[id];
  Real* out = tangents_[id];
  if (const auto* product = std::get_if<Product>(&steps_[id])) {
    multiply_tangent<Real>(*product,
                           {values_[node.a], tangents_[node.a]},
                           {values_[node.b], tangents_[node.b]},
                           out,
                           scratch_,
                           pool_);
  } else if (const auto* map = std::get_if<LoopNest>(&steps_[id])) {
    run_map(*map, tangents_[node.a], out, pool_);
  } else if (const auto* sparse = std::get_if<SparseStep>(&steps_[id])) {
    run_sparse_product<Real>(sparse->product, tangents_[sparse->dense], out, {}, scratch_, pool_);
  } else if (const auto* sum = std::get_if<SumStep>(&steps_[id])) {
    compute_sum(id, Real{0}, tangents_);
    for (const auto& [added, of, term] : sum->products) {
      const NodeId a = expression_[of].a, b = expression_[of].b;
      const Scaling<Real> scaling{sum->factors[term], true};
      const Real *da = tangents_[a], *db = tangents_[b];
      if (da != nullptr) multiply<Real>(added, da, values_[b], out, scaling, scratch_, pool_);
      if (db != nullptr) multiply<Real>(added, values_[a], db, out, scaling, scratch_, pool_);
    }
  }
}

template class Evaluator<float>;
template class Evaluator<double>;

}  // namespace sorites
