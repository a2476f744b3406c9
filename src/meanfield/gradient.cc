#include "meanfield/gradient.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sorites {
namespace {

WeightSum operator*(WeightSum coefficient, double factor) {
  coefficient.constant *= factor;
  for (auto& [formula, weight] : coefficient.factors) weight *= factor;
  return coefficient;
}

std::vector<Axis> axes_of(const Labels& labels) {
  std::vector<Axis> axes;
  for (const std::uint32_t label : labels) axes.push_back({false, label});
  return axes;
}

struct Operand {
  NodeId node;
  const Labels& labels;
};

class Differentiation {
 public:
  Differentiation(Expression& expression, const std::function<bool(NodeId)>& is_wanted)
      : expression_(expression), one_(expression.add_one()) {
    const std::size_t count = expression.nodes().size();
    adjoints_.resize(count);
    for (NodeId id = 0; id < count; ++id)
      leads_to_wanted_.push_back(leads_to_wanted(id, is_wanted));
  }

  std::map<NodeId, NodeId> run(const Roots& roots, const std::function<bool(NodeId)>& is_wanted) {
    for (const auto& [root, coefficient] : roots) add(root, one_, coefficient);
    std::map<NodeId, NodeId> result;
    for (auto id = static_cast<NodeId>(adjoints_.size()); id-- > 0;) {
      if (adjoints_[id].empty()) continue;
      if (expression_[id].kind != NodeKind::kLeaf) {
        pass_on(id);
      } else if (is_wanted(id)) {
        result[id] = expression_.add_sum(adjoints_[id]);
      }
    }
    return result;
  }

 private:
  bool leads_to_wanted(NodeId id, const std::function<bool(NodeId)>& is_wanted) const {
    const Node& node = expression_[id];
    switch (node.kind) {
      case NodeKind::kLeaf:
        return is_wanted(id);
      case NodeKind::kProduct:
        return leads_to_wanted_[node.a] || leads_to_wanted_[node.b];
      case NodeKind::kMap:
        return leads_to_wanted_[node.a];
      case NodeKind::kSum:
        break;
    }
    return std::any_of(node.terms.begin(), node.terms.end(), [&](const SumTerm& term) {
      return leads_to_wanted_[term.node];
    });
  }

  void add(NodeId node, NodeId adjoint, const WeightSum& coefficient) {
    if (leads_to_wanted_[node]) adjoints_[node].push_back({adjoint, coefficient});
  }

  void pass_on(NodeId id) {
    const Node node = expression_[id];  // a copy: nodes are added
    const auto [adjoint, coefficient] = single(adjoints_[id]);
    if (node.kind == NodeKind::kMap) {
      const std::vector<std::uint32_t> sizes = expression_[node.a].shape;
      add(node.a, expression_.add_map(adjoint, node.out_axes, node.a_axes, sizes), coefficient);
    } else if (node.kind == NodeKind::kSum) {
      for (const SumTerm& term : node.terms) {
        add(term.node, adjoint, coefficient * term.coefficient.constant);
      }
    } else {
      const Operand a{node.a, node.a_labels}, b{node.b, node.b_labels};
      pass_on(a, b, node.out_labels, {adjoint, coefficient});
      pass_on(b, a, node.out_labels, {adjoint, coefficient});
    }
  }

  // To one operand of a product: adjoint times the other operand.
  void pass_on(const Operand& to,
               const Operand& other,
               const Labels& out_labels,
               const SumTerm& adjoint) {
    if (!leads_to_wanted_[to.node]) return;
    const std::vector<std::uint32_t> sizes = expression_[to.node].shape;
    const NodeId share =
        adjoint.node == one_
            ? expression_.add_map(other.node, axes_of(other.labels), axes_of(to.labels), sizes)
            : expression_.add_product(
                  adjoint.node, out_labels, other.node, other.labels, to.labels);
    add(to.node, share, adjoint.coefficient);
  }

  // One node for a linear combination; a single term keeps its coefficient apart, so that it can
  // still be found to be the same tensor as another.
  SumTerm single(const std::vector<SumTerm>& terms) {
    if (std::all_of(terms.begin(), terms.end(), [&](const SumTerm& term) {
          return term.node == terms.front().node;
        })) {
      WeightSum sum = terms.front().coefficient;
      for (std::size_t i = 1; i < terms.size(); ++i) add_up(sum, terms[i].coefficient);
      return {terms.front().node, sum};
    }
    return {expression_.add_sum(terms), WeightSum{1.0, {}}};
  }

  Expression& expression_;
  NodeId one_;
  std::vector<std::vector<SumTerm>> adjoints_;  // per node: what its derivative is the sum of
  std::vector<bool> leads_to_wanted_;
};

}  // namespace

void add_root(Roots& roots, NodeId node, const WeightSum& coefficient) {
  add_up(roots[node], coefficient);
}

std::map<NodeId, NodeId> differentiate(Expression& expression,
                                       const Roots& roots,
                                       const std::function<bool(NodeId)>& is_wanted) {
  return Differentiation(expression, is_wanted).run(roots, is_wanted);
}

}  // namespace sorites
