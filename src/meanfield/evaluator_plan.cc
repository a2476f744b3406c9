// How the nodes that are needed are computed, and from what.
#include <algorithm>

#include "meanfield/evaluator.h"

namespace sorites {

template <class Real>
std::vector<bool> TensorEvaluator<Real>::reachable_from(std::span<const NodeId> wanted) const {
  std::vector<bool> reachable(expression_.nodes().size());
  for (const NodeId node : wanted) reachable[node] = true;
  for (std::size_t i = reachable.size(); i-- > 0;) {
    if (!reachable[i]) continue;
    const Node& node = expression_.nodes()[i];
    if (node.a != kNoNode) reachable[node.a] = true;
    if (node.b != kNoNode) reachable[node.b] = true;
    for (const SumTerm& term : node.terms) reachable[term.node] = true;
  }
  return reachable;
}

// Maps that only sums read, which look at their operand instead.
template <class Real>
std::vector<bool> TensorEvaluator<Real>::find_views(const std::vector<bool>& reachable) const {
  std::vector<bool> is_view(reachable.size());
  for (NodeId id = 0; id < reachable.size(); ++id) {
    const Node& node = expression_[id];
    if (!reachable[id]) continue;
    if (node.a != kNoNode) is_view[node.a] = false;
    if (node.b != kNoNode) is_view[node.b] = false;
    if (node.kind != NodeKind::kMap || wanted_[id] || is_sparse(node.a)) continue;
    is_view[id] = view_of_map(node.a_axes, expression_[node.a].shape, node.out_axes).has_value();
  }
  return is_view;
}

template <class Real>
std::vector<NodeId> TensorEvaluator<Real>::find_only_readers(
    const std::vector<bool>& reachable) const {
  std::vector<NodeId> reader(reachable.size(), kNoNode);
  std::vector<bool> several = wanted_;
  const auto note = [&](NodeId operand, NodeId by) {
    if (operand == kNoNode) return;
    several[operand] = several[operand] || reader[operand] != kNoNode;
    reader[operand] = by;
  };
  for (NodeId id = 0; id < reachable.size(); ++id) {
    if (!reachable[id]) continue;
    note(expression_[id].a, id);
    note(expression_[id].b, id);
    for (const SumTerm& term : expression_[id].terms) note(term.node, id);
  }
  for (NodeId id = 0; id < reachable.size(); ++id) {
    if (several[id]) reader[id] = kNoNode;
  }
  return reader;
}

template <class Real>
void TensorEvaluator<Real>::plan_steps(const std::vector<bool>& reachable) {
  is_view_ = find_views(reachable);
  only_reader_ = find_only_readers(reachable);
  std::vector<bool> needed = wanted_;
  for (std::size_t i = reachable.size(); i-- > 0;) {
    if (!needed[i]) continue;
    plan_step(static_cast<NodeId>(i));
    for (const NodeId operand : reads_[i]) needed[operand] = true;
  }
  for (NodeId id = 0; id < reachable.size(); ++id) {
    const Node& node = expression_[id];
    // Marginals are not ours to compute.
    const bool given = node.kind == NodeKind::kLeaf && node.leaf.kind == LeafKind::kMarginal;
    if (needed[id] && !given) order_[static_cast<std::size_t>(node.changes)].push_back(id);
  }
}

template <class Real>
bool TensorEvaluator<Real>::is_sparse(NodeId id) const {
  const Node& node = expression_[id];
  if (!options_.sparse_evidence || node.kind != NodeKind::kLeaf) return false;
  return node.leaf.kind == LeafKind::kEvidence &&
         sparse_pays(evidence_[node.leaf.of].atoms.size(), size_of(id));
}

template <class Real>
void TensorEvaluator<Real>::plan_step(NodeId id) {
  const Node& node = expression_[id];
  if (node.kind == NodeKind::kProduct) return plan_product_step(id);
  if (node.kind == NodeKind::kMap) {
    const auto& shape = expression_[node.a].shape;
    if (is_sparse(node.a)) {
      const auto& atoms = evidence_[expression_[node.a].leaf.of].atoms;
      steps_[id] = SparseStep{plan_sparse_map(atoms, node.a_axes, shape, node.out_axes, node.shape),
                              kNoNode};
    } else {
      steps_[id] = plan_map(node.a_axes, shape, node.out_axes, node.shape);
      reads_[id] = {node.a};
    }
  } else if (node.kind == NodeKind::kSum) {
    plan_sum_step(id);
  }
}

template <class Real>
Product TensorEvaluator<Real>::plan_product_of(NodeId id) const {
  const Node& node = expression_[id];
  return plan_product(node.a_labels,
                      expression_[node.a].shape,
                      node.b_labels,
                      expression_[node.b].shape,
                      node.out_labels);
}

// Whether a node is needed for one sum alone, and whenever that is.
template <class Real>
bool TensorEvaluator<Real>::has_only_reader(NodeId id, NodeId sum) const {
  const Node& node = expression_[id];
  return only_reader_[id] == sum && node.changes == expression_[sum].changes &&
         !is_sparse(node.a) && (node.b == kNoNode || !is_sparse(node.b));
}

// Of symmetric products only half is computed, and then mirrored: they cannot be added to what is
// there, but be what others are added to.
template <class Real>
bool TensorEvaluator<Real>::is_added(NodeId id, NodeId sum, bool symmetric) const {
  const Node& node = expression_[id];
  if (node.kind != NodeKind::kProduct || !has_only_reader(id, sum)) return false;
  const Product product = plan_product_of(id);
  const auto* matrices = std::get_if<MatrixProduct>(&product);
  if (matrices == nullptr) return false;
  return symmetric == (node.a == node.b && matrices->symmetric_if_same);
}

// Products in which no axis is summed are computed where they are added.
template <class Real>
bool TensorEvaluator<Real>::is_multiplied(NodeId id, NodeId sum) const {
  const Node& node = expression_[id];
  if (node.kind != NodeKind::kProduct || !has_only_reader(id, sum)) return false;
  const auto is_in_result = [&](std::uint32_t label) {
    return std::find(node.out_labels.begin(), node.out_labels.end(), label) !=
           node.out_labels.end();
  };
  return std::all_of(node.a_labels.begin(), node.a_labels.end(), is_in_result) &&
         std::all_of(node.b_labels.begin(), node.b_labels.end(), is_in_result);
}

template <class Real>
bool TensorEvaluator<Real>::is_scattered(NodeId id, NodeId sum) const {
  const Node& node = expression_[id];
  if (node.kind != NodeKind::kMap || !has_only_reader(id, sum)) return false;
  const LoopNest map = plan_map(node.a_axes, expression_[node.a].shape, node.out_axes, node.shape);
  std::size_t turns = map.empty ? 0 : 1;
  for (const Loop& loop : map.loops) turns *= loop.size;
  return turns < map.out_size;
}

// All products that are computed when a node is.
template <class Real>
std::vector<NodeId> TensorEvaluator<Real>::products_of(NodeId id) const {
  if (std::holds_alternative<Product>(steps_[id])) return {id};
  const auto* sum = std::get_if<SumStep>(&steps_[id]);
  if (sum == nullptr) return {};
  std::vector<NodeId> products;
  if (sum->first) products.push_back(sum->first->of);
  for (const AddedProduct& added : sum->products) products.push_back(added.of);
  for (std::size_t i = 0; i < sum->operands.size(); ++i) {
    if (sum->operands[i].times != kNoNode) products.push_back(expression_[id].terms[i].node);
  }
  return products;
}

template <class Real>
void TensorEvaluator<Real>::plan_sum_step(NodeId id) {
  const Node& node = expression_[id];
  SumStep step;
  std::vector<TermViews> views;
  for (const SumTerm& term : node.terms) {
    const Node& operand = expression_[term.node];
    views.push_back({whole_view(node.shape)});
    SumOperands& read = step.operands.emplace_back(SumOperands{term.node, kNoNode});
    const std::size_t number = step.operands.size() - 1;
    if (is_view_[term.node]) {
      const auto& shape = expression_[operand.a].shape;
      views.back() = {*view_of_map(operand.a_axes, shape, operand.out_axes)};
      read.data = operand.a;
    } else if (is_multiplied(term.node, id)) {
      const auto &a_shape = expression_[operand.a].shape, &b_shape = expression_[operand.b].shape;
      views.back() = {view_of_labels(operand.a_labels, a_shape, operand.out_labels),
                      view_of_labels(operand.b_labels, b_shape, operand.out_labels)};
      read = {operand.a, operand.b};
    } else if (is_added(term.node, id, false)) {
      step.products.push_back({plan_product_of(term.node), term.node, number});
      reads_[id].insert(reads_[id].end(), {operand.a, operand.b});
      read = {};
    } else if (!step.first && is_added(term.node, id, true)) {
      step.first = AddedProduct{plan_product_of(term.node), term.node, number};
      reads_[id].push_back(operand.a);
      read = {};
    } else if (is_scattered(term.node, id)) {
      const auto& shape = expression_[operand.a].shape;
      step.maps.push_back(
          {plan_map(operand.a_axes, shape, operand.out_axes, node.shape), operand.a, number});
      reads_[id].push_back(operand.a);
      read = {};
    }
    if (read.data != kNoNode) reads_[id].push_back(read.data);
    if (read.times != kNoNode) reads_[id].push_back(read.times);
  }
  std::vector<TermViews> of_tangents;
  for (const TermViews& term : views) of_tangents.insert(of_tangents.end(), term.size(), term);
  step.plan = plan_sum(node.shape, std::move(views));
  step.tangent_plan = plan_sum(node.shape, std::move(of_tangents));
  steps_[id] = std::move(step);
}

template <class Real>
void TensorEvaluator<Real>::plan_product_step(NodeId id) {
  const Node& node = expression_[id];
  const auto plan_sparse =
      [&](NodeId sparse, const Labels& sparse_labels, NodeId dense, const Labels& dense_labels) {
        const Node& list = expression_[sparse];
        steps_[id] = SparseStep{plan_sparse_product(evidence_[list.leaf.of].atoms,
                                                    sparse_labels,
                                                    list.shape,
                                                    dense_labels,
                                                    expression_[dense].shape,
                                                    node.out_labels),
                                dense};
        reads_[id] = {dense};
      };
  // Of two lists the larger tensor stays one.
  const bool larger_a = size_of(node.a) > size_of(node.b);
  if (is_sparse(node.a) && (!is_sparse(node.b) || larger_a)) {
    plan_sparse(node.a, node.a_labels, node.b, node.b_labels);
  } else if (is_sparse(node.b)) {
    plan_sparse(node.b, node.b_labels, node.a, node.a_labels);
  } else {
    steps_[id] = plan_product_of(id);
    reads_[id] = {node.a, node.b};
  }
}

template class TensorEvaluator<float>;
template class TensorEvaluator<double>;

}  // namespace sorites
