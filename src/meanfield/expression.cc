#include "meanfield/expression.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace sorites {
namespace {

// A node as a text: nodes are equal if and only if their texts are.
class Key {
 public:
  explicit Key(NodeKind kind) { add(static_cast<std::uint64_t>(kind)); }
  void add(std::uint64_t number) {
    text_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(const Labels& labels) {
    add(std::uint64_t{labels.size()});
    for (const std::uint32_t label : labels) add(std::uint64_t{label});
  }
  void add(const std::vector<Axis>& axes) {
    add(std::uint64_t{axes.size()});
    for (const Axis axis : axes) add(2 * std::uint64_t{axis.at} + (axis.fixed ? 1 : 0));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// Labels are renamed by first appearance, so that equal products have equal labels.
class Renaming {
 public:
  void apply(std::uint32_t& label) {
    const auto at = std::find(seen_.begin(), seen_.end(), label);
    const auto number = static_cast<std::uint32_t>(at - seen_.begin());
    if (at == seen_.end()) seen_.push_back(label);
    label = number;
  }
  void apply(Labels& labels) {
    for (std::uint32_t& label : labels) apply(label);
  }
  void apply(std::vector<Axis>& axes) {
    for (Axis& axis : axes) {
      if (!axis.fixed) apply(axis.at);
    }
  }

 private:
  Labels seen_;
};

bool is_identity(const std::vector<Axis>& a, const std::vector<Axis>& out) {
  if (a != out) return false;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    if (a[i] != Axis{false, i}) return false;  // renamed labels of an identity are 0, 1, ...
  }
  return true;
}

bool is_zero(const WeightSum& coefficient) {
  return coefficient.constant == 0.0 && coefficient.factors.empty();
}

// The sizes of an operand's labels, noted by label.
void note_sizes(const Labels& labels,
                const std::vector<std::uint32_t>& shape,
                std::map<std::uint32_t, std::uint32_t>& sizes) {
  assert(labels.size() == shape.size());
  for (std::size_t i = 0; i < labels.size(); ++i) sizes[labels[i]] = shape[i];
}

}  // namespace

void add_up(WeightSum& sum, const WeightSum& more) {
  sum.constant += more.constant;
  for (const auto& [formula, factor] : more.factors) {
    const auto at = std::lower_bound(
        sum.factors.begin(), sum.factors.end(), formula, [](const auto& pair, auto key) {
          return pair.first < key;
        });
    if (at != sum.factors.end() && at->first == formula) {
      at->second += factor;
      if (at->second == 0.0) sum.factors.erase(at);
    } else {
      sum.factors.insert(at, {formula, factor});
    }
  }
}

std::size_t num_elements(std::span<const std::uint32_t> shape) {
  std::size_t count = 1;
  for (const std::uint32_t size : shape) count *= size;
  return count;
}

std::vector<NodeId> operands_of(const Node& node) {
  std::vector<NodeId> operands;
  if (node.a != kNoNode) operands.push_back(node.a);
  if (node.b != kNoNode) operands.push_back(node.b);
  for (const SumTerm& term : node.terms) operands.push_back(term.node);
  return operands;
}

NodeId Expression::add(Node node, std::string key) {
  const auto id = static_cast<NodeId>(nodes_.size());
  // A leaf is what is filled from outside: there is one, shared or not.
  if (!share_ && node.kind != NodeKind::kLeaf) key.append(std::to_string(id));
  const auto [at, is_new] = known_.try_emplace(std::move(key), id);
  if (is_new) {
    nodes_.push_back(std::move(node));
    keys_.push_back(at);
  }
  return at->second;
}

void Expression::shrink_to(std::size_t count) {
  while (nodes_.size() > count) {
    known_.erase(keys_.back());
    keys_.pop_back();
    nodes_.pop_back();
  }
}

NodeId Expression::add_leaf(Leaf leaf, std::vector<std::uint32_t> shape, Changes changes) {
  Key key(NodeKind::kLeaf);
  key.add(static_cast<std::uint64_t>(leaf.kind));
  key.add(std::uint64_t{leaf.of});
  key.add(std::uint64_t{leaf.value});
  Node node{NodeKind::kLeaf, std::move(shape), changes};
  node.leaf = leaf;
  return add(std::move(node), key.take());
}

NodeId Expression::add_product(
    NodeId a, Labels a_labels, NodeId b, Labels b_labels, Labels out_labels) {
  if (b < a) {
    std::swap(a, b);
    std::swap(a_labels, b_labels);
  }
  Renaming renaming;
  for (Labels* labels : {&out_labels, &a_labels, &b_labels}) renaming.apply(*labels);
  std::map<std::uint32_t, std::uint32_t> sizes;
  note_sizes(a_labels, nodes_[a].shape, sizes);
  note_sizes(b_labels, nodes_[b].shape, sizes);

  Node node{NodeKind::kProduct, {}, std::max(nodes_[a].changes, nodes_[b].changes)};
  for (const std::uint32_t label : out_labels) node.shape.push_back(sizes.at(label));
  Key key(NodeKind::kProduct);
  key.add(std::uint64_t{a});
  key.add(std::uint64_t{b});
  key.add(a_labels);
  key.add(b_labels);
  key.add(out_labels);
  node.a = a;
  node.b = b;
  node.a_labels = std::move(a_labels);
  node.b_labels = std::move(b_labels);
  node.out_labels = std::move(out_labels);
  return add(std::move(node), key.take());
}

NodeId Expression::add_map(NodeId a,
                           std::vector<Axis> a_axes,
                           std::vector<Axis> out_axes,
                           std::vector<std::uint32_t> sizes) {
  Renaming renaming;
  renaming.apply(out_axes);
  renaming.apply(a_axes);
  if (is_identity(a_axes, out_axes)) return a;
  Key key(NodeKind::kMap);
  key.add(std::uint64_t{a});
  key.add(a_axes);
  key.add(out_axes);
  key.add(sizes);
  Node node{NodeKind::kMap, std::move(sizes), nodes_[a].changes};
  node.a = a;
  node.a_axes = std::move(a_axes);
  node.out_axes = std::move(out_axes);
  return add(std::move(node), key.take());
}

NodeId Expression::add_sum(std::vector<SumTerm> terms, double offset) {
  std::stable_sort(terms.begin(), terms.end(), [](const SumTerm& x, const SumTerm& y) {
    return x.node < y.node;
  });
  std::vector<SumTerm> merged;
  for (SumTerm& term : terms) {
    if (!merged.empty() && merged.back().node == term.node) {
      add_up(merged.back().coefficient, term.coefficient);
    } else {
      merged.push_back(std::move(term));
    }
  }
  assert(!merged.empty());
  Node node{NodeKind::kSum, nodes_[merged.front().node].shape, Changes::kNever};
  std::erase_if(merged, [](const SumTerm& term) { return is_zero(term.coefficient); });
  if (offset == 0.0 && merged.size() == 1 && merged[0].coefficient == WeightSum{1.0, {}}) {
    return merged[0].node;
  }
  Key key(NodeKind::kSum);
  key.add(offset);
  key.add(node.shape);
  for (const SumTerm& term : merged) {
    key.add(std::uint64_t{term.node});
    key.add(term.coefficient.constant);
    key.add(std::uint64_t{term.coefficient.factors.size()});
    for (const auto& [formula, factor] : term.coefficient.factors) {
      key.add(std::uint64_t{formula});
      key.add(factor);
    }
    const bool weighted = !term.coefficient.factors.empty();
    node.changes = std::max({node.changes,
                             nodes_[term.node].changes,
                             weighted ? Changes::kWithWeights : Changes::kNever});
  }
  node.terms = std::move(merged);
  node.offset = offset;
  return add(std::move(node), key.take());
}

NodeId Expression::add_one() {
  Key key(NodeKind::kSum);
  key.add(1.0);
  key.add(Labels{});
  Node node{NodeKind::kSum, {}, Changes::kNever};
  node.offset = 1.0;
  return add(std::move(node), key.take());
}

}  // namespace sorites
