#include "meanfield/evaluator.h"

#include <algorithm>

#include "base/check.h"
#include "meanfield/blas.h"
#include "sorites/diagnostic.h"

namespace sorites {
namespace {

std::size_t number_of(Changes changes) { return static_cast<std::size_t>(changes); }

}  // namespace

template <class Real>
TensorEvaluator<Real>::TensorEvaluator(const Expression& expression,
                                       std::vector<NodeId> wanted,
                                       std::span<const Evidence> evidence,
                                       ThreadPool& pool,
                                       EvaluatorOptions options)
    : expression_(expression), evidence_(evidence), pool_(pool), options_(options) {
  const std::size_t num_nodes = expression.nodes().size();
  wanted_.resize(num_nodes);
  for (const NodeId node : wanted) wanted_[node] = true;
  steps_.resize(num_nodes);
  reads_.resize(num_nodes);
  values_.resize(num_nodes);
  plan_steps(reachable_from(wanted));
  for (const Changes changes : {Changes::kNever, Changes::kWithWeights, Changes::kWithMarginals}) {
    allocate(order_[number_of(changes)], nodes_to_keep(changes), values_);
  }
  set_scratch();
  compute_constants();
}

// What is read later than when nodes of a class are computed.
template <class Real>
std::vector<bool> TensorEvaluator<Real>::nodes_to_keep(Changes changes) const {
  std::vector<bool> keep = wanted_;
  for (NodeId id = 0; id < reads_.size(); ++id) {
    const Changes reader = expression_[id].changes;
    // Tangents of products read the values of operands.
    const bool twice = reader == Changes::kWithMarginals && !products_of(id).empty();
    for (const NodeId operand : reads_[id]) {
      if (reader > changes || twice) keep[operand] = true;
    }
  }
  return keep;
}

template <class Real>
void TensorEvaluator<Real>::allocate(std::span<const NodeId> order,
                                     const std::vector<bool>& keep,
                                     std::vector<Real*>& places) {
  const MemoryPlan plan = plan_memory(expression_, order, reads_, keep);
  const std::size_t first = memory_.size();
  for (const std::size_t size : plan.slot_sizes) memory_.emplace_back(size);
  for (const NodeId node : order) places[node] = memory_[first + plan.slot_of[node]].data();
}

template <class Real>
void TensorEvaluator<Real>::set_scratch() {
  std::size_t size = 0;
  for (const Step& step : steps_) {
    if (const auto* product = std::get_if<Product>(&step)) {
      size = std::max(size, scratch_size(*product));
    } else if (const auto* sparse = std::get_if<SparseStep>(&step)) {
      size = std::max(size, scratch_size(sparse->product));
    } else if (const auto* sum = std::get_if<SumStep>(&step)) {
      if (sum->first) size = std::max(size, scratch_size(sum->first->product));
      for (const AddedProduct& p : sum->products) size = std::max(size, scratch_size(p.product));
    }
  }
  scratch_ = Buffer<Real>(size);
}

template <class Real>
void TensorEvaluator<Real>::compute_constants() {
  const SingleThreadedBlas single_threaded;
  const auto& constants = order_[number_of(Changes::kNever)];
  for (const NodeId node : constants) compute(node);
  // Memory that only they needed.
  const std::vector<bool> keep = nodes_to_keep(Changes::kNever);
  std::vector<const Real*> used;
  for (const NodeId node : constants) {
    steps_[node] = std::monostate{};
    if (!keep[node]) values_[node] = nullptr;
  }
  for (const Real* place : values_) {
    if (place != nullptr) used.push_back(place);
  }
  std::sort(used.begin(), used.end());
  std::erase_if(memory_, [&](const Buffer<Real>& buffer) {
    return !std::binary_search(used.begin(), used.end(), buffer.data());
  });
}

template <class Real>
void TensorEvaluator<Real>::set_weights(std::uint32_t formula, std::span<const double> weights) {
  if (weights_.size() <= formula) weights_.resize(formula + 1);
  weights_[formula].assign(weights.begin(), weights.end());
  weights_changed_ = true;
}

template <class Real>
void TensorEvaluator<Real>::set_leaf(NodeId leaf, std::span<const Real> place) {
  SORITES_CHECK(place.size() == size_of(leaf), "a leaf has a number for each of its elements");
  values_[leaf] = const_cast<Real*>(place.data());  // nothing is written to it
}

template <class Real>
std::span<Real> TensorEvaluator<Real>::leaf(NodeId leaf) {
  SORITES_CHECK(expression_[leaf].leaf.kind == LeafKind::kMarginal, "only marginals are filled");
  if (values_[leaf] == nullptr) values_[leaf] = memory_.emplace_back(size_of(leaf)).data();
  return {values_[leaf], size_of(leaf)};
}

template <class Real>
std::span<const Real> TensorEvaluator<Real>::value(NodeId node) const {
  SORITES_CHECK(values_[node] != nullptr, "only of wanted nodes");
  return {values_[node], size_of(node)};
}

template <class Real>
void TensorEvaluator<Real>::apply_weights() {
  if (!weights_changed_) return;
  for (NodeId node = 0; node < steps_.size(); ++node) set_factors(node);
  for (const NodeId node : order_[number_of(Changes::kWithWeights)]) compute(node);
  weights_changed_ = false;
}

template <class Real>
void TensorEvaluator<Real>::update(const std::stop_token& stop) {
  const SingleThreadedBlas single_threaded;
  const StoppableLoops stoppable(pool_, stop);
  apply_weights();
  for (const NodeId node : order_[number_of(Changes::kWithMarginals)]) {
    if (stop.stop_requested()) throw Interrupted();
    compute(node);
  }
}

template <class Real>
void TensorEvaluator<Real>::fill_leaf(NodeId id) {
  const Leaf& leaf = expression_[id].leaf;
  const std::span<Real> elements{values_[id], size_of(id)};
  std::fill(elements.begin(), elements.end(), Real{0});  // others may have used the memory before
  if (leaf.kind == LeafKind::kEvidence) {
    for (const std::uint64_t atom : evidence_[leaf.of].atoms) elements[atom] = 1;
  } else if (leaf.of < weights_.size() && !weights_[leaf.of].empty()) {
    SORITES_CHECK(weights_[leaf.of].size() == elements.size(), "one weight per combination");
    std::copy(weights_[leaf.of].begin(), weights_[leaf.of].end(), elements.begin());
  }
}

// A formula whose weight was not set weighs nothing.
template <class Real>
double TensorEvaluator<Real>::value_of(const WeightSum& coefficient) const {
  double total = coefficient.constant;
  for (const auto& [formula, factor] : coefficient.factors) {
    if (formula >= weights_.size() || weights_[formula].empty()) continue;
    total += factor * weights_[formula].front();
  }
  return total;
}

template <class Real>
void TensorEvaluator<Real>::set_factors(NodeId id) {
  auto* sum = std::get_if<SumStep>(&steps_[id]);
  if (sum == nullptr) return;
  sum->factors.clear();
  for (const SumTerm& term : expression_[id].terms) {
    sum->factors.push_back(static_cast<Real>(value_of(term.coefficient)));
  }
}

template <class Real>
void TensorEvaluator<Real>::compute_sum(NodeId id) {
  const auto& sum = std::get<SumStep>(steps_[id]);
  std::vector<ScaledTensor<Real>> terms;
  terms.reserve(sum.operands.size());
  for (std::size_t i = 0; i < sum.operands.size(); ++i) {
    const auto [data, times] = sum.operands[i];
    terms.push_back({sum.factors[i],
                     data == kNoNode ? nullptr : values_[data],
                     times == kNoNode ? nullptr : values_[times]});
  }
  Real* out = values_[id];
  if (sum.first) {
    const Real* matrix = values_[expression_[sum.first->of].a];
    const Scaling<Real> scaling{sum.factors[sum.first->term], false};
    multiply<Real>(sum.first->product, matrix, matrix, out, scaling, {scratch_, pool_});
  }
  const auto offset = static_cast<Real>(expression_[id].offset);
  run_sum<Real>(sum.plan, terms, offset, out, pool_, sum.first.has_value());
  add_maps(id, values_);
  for (const auto& [added, of, term] : sum.products) {
    const Real *a = values_[expression_[of].a], *b = values_[expression_[of].b];
    multiply<Real>(added, a, b, out, {sum.factors[term], true}, {scratch_, pool_});
  }
}

// Of values, or of tangents, where what has no place is zero.
template <class Real>
void TensorEvaluator<Real>::add_maps(NodeId id, const std::vector<Real*>& places) {
  static constexpr Real kOne = 1;
  const auto& sum = std::get<SumStep>(steps_[id]);
  for (const auto& [map, a, term] : sum.maps) {
    if (places[a] == nullptr) continue;
    run_nest(map, places[a], &kOne, places[id], {sum.factors[term], true}, pool_);
  }
}

template <class Real>
void TensorEvaluator<Real>::compute(NodeId id) {
  static constexpr Real kOne = 1;
  const Node& node = expression_[id];
  Real* out = values_[id];
  if (const auto* product = std::get_if<Product>(&steps_[id])) {
    multiply<Real>(*product, values_[node.a], values_[node.b], out, {}, {scratch_, pool_});
  } else if (const auto* map = std::get_if<LoopNest>(&steps_[id])) {
    run_map(*map, values_[node.a], out, pool_);
  } else if (const auto* sparse = std::get_if<SparseStep>(&steps_[id])) {
    const Real* dense = sparse->dense == kNoNode ? &kOne : values_[sparse->dense];
    run_sparse_product<Real>(sparse->product, dense, out, {}, scratch_, pool_);
  } else if (std::holds_alternative<SumStep>(steps_[id])) {
    if (node.changes == Changes::kNever) set_factors(id);
    compute_sum(id);
  } else {
    fill_leaf(id);
  }
}

template class TensorEvaluator<float>;
template class TensorEvaluator<double>;

}  // namespace sorites
