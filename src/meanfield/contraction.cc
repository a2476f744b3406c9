#include "meanfield/contraction.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

namespace sorites {
namespace {

constexpr double kImpossible = std::numeric_limits<double>::infinity();
// What does not change is computed once, not in every iteration.
constexpr double kConstantCost = 1e-3;
// Of what is written, beside multiply-adds: decides between orders that cost the same.
constexpr double kElementCost = 1e-3;
// Beyond, the number of subsets of factors is too large, and order is from left to right.
constexpr std::size_t kMaxFactorsToOrder = 14;

using Variables = std::uint64_t;  // a set of labels, which are below kMostLabels

// A tensor whose axes are different variables.
struct Part {
  NodeId node = kNoNode;
  Labels labels;
};

Variables set_of(const Labels& labels) {
  Variables set = 0;
  for (const std::uint32_t label : labels) set |= Variables{1} << label;
  return set;
}

Variables set_of(const std::vector<Axis>& axes) {
  Variables set = 0;
  for (const Axis axis : axes) {
    if (!axis.fixed) set |= Variables{1} << axis.at;
  }
  return set;
}

bool has(Variables set, std::uint32_t label) { return (set >> label & 1) != 0; }

class Contraction {
 public:
  Contraction(Expression& expression,
              const std::vector<Factor>& factors,
              const ContractionOptions& options)
      : expression_(expression), options_(options) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      Variables others = 0;
      for (std::size_t j = 0; j < factors.size(); ++j) {
        if (j != i) others |= set_of(factors[j].axes);
      }
      parts_.push_back(reduce(factors[i], others));
    }
  }

  NodeId build() {
    const std::size_t all = (std::size_t{1} << parts_.size()) - 1;
    if (!options_.order || parts_.size() > kMaxFactorsToOrder) return from_left_to_right();
    find_order();
    return best_[all].cost == kImpossible ? kNoNode : build(all).node;
  }

 private:
  struct Choice {
    double cost = kImpossible;
    std::size_t left = 0;  // the subset that is multiplied with the rest
  };

  // Diagonals, slices, and sums over variables that stand in this factor alone.
  Part reduce(const Factor& factor, Variables others) {
    Part part;
    std::vector<Axis> out_axes;
    std::vector<std::uint32_t> sizes;
    const std::vector<std::uint32_t> shape = expression_[factor.node].shape;
    for (std::size_t i = 0; i < factor.axes.size(); ++i) {
      const Axis axis = factor.axes[i];
      if (axis.fixed) continue;
      sizes_[axis.at] = shape[i];
      const bool first = std::find(out_axes.begin(), out_axes.end(), axis) == out_axes.end();
      if (!first || !has(others, axis.at)) continue;
      out_axes.push_back(axis);
      sizes.push_back(shape[i]);
      part.labels.push_back(axis.at);
    }
    part.node = expression_.add_map(factor.node, factor.axes, out_axes, sizes);
    return part;
  }

  // What of the variables of a subset the rest has as well: the axes of its product.
  Variables kept(std::size_t subset) const {
    Variables inside = 0, outside = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      ((subset >> i & 1) != 0 ? inside : outside) |= set_of(parts_[i].labels);
    }
    return inside & outside;
  }

  double elements(Variables set) const {
    double count = 1.0;
    for (; set != 0; set &= set - 1) {
      count *= sizes_.at(static_cast<std::uint32_t>(std::countr_zero(set)));
    }
    return count;
  }

  // Exact dynamic programming over subsets of factors.
  void find_order() {
    const std::size_t count = std::size_t{1} << parts_.size();
    best_.assign(count, {});
    kept_.assign(count, 0);
    differentiated_.assign(count, false);
    changes_.assign(count, Changes::kNever);
    for (std::size_t subset = 1; subset < count; ++subset) {
      const std::size_t lowest = subset & (~subset + 1);
      const NodeId first = parts_[static_cast<std::size_t>(std::countr_zero(subset))].node;
      const std::size_t rest = subset ^ lowest;
      kept_[subset] = kept(subset);
      differentiated_[subset] =
          options_.is_differentiated(first) || (rest != 0 && differentiated_[rest]);
      changes_[subset] = std::max(expression_[first].changes, changes_[rest]);
      if (rest == 0) {
        best_[subset].cost = 0.0;
        continue;
      }
      if (elements(kept_[subset]) > static_cast<double>(options_.max_elements)) continue;
      for (std::size_t left = (subset - 1) & subset; left != 0; left = (left - 1) & subset) {
        if ((left & lowest) != 0) try_split(subset, left);
      }
    }
  }

  void try_split(std::size_t subset, std::size_t left) {
    const std::size_t right = subset ^ left;
    const double times =
        1.0 + (differentiated_[left] ? 1.0 : 0.0) + (differentiated_[right] ? 1.0 : 0.0);
    double product = elements(kept_[left] | kept_[right]) * density_of(left) * density_of(right);
    const bool sums = (kept_[left] & kept_[right] & ~kept_[subset]) != 0;
    if (sums) product *= kMatrixProductCost;
    if (changes_[subset] == Changes::kNever) product *= kConstantCost;
    const double cost = best_[left].cost + best_[right].cost + times * product +
                        elements(kept_[subset]) * kElementCost;
    if (cost < best_[subset].cost) best_[subset] = {cost, left};
  }

  double density_of(std::size_t subset) const {
    if (!std::has_single_bit(subset)) return 1.0;
    return options_.density(parts_[static_cast<std::size_t>(std::countr_zero(subset))].node);
  }

  Part build(std::size_t subset) {
    if (std::has_single_bit(subset))
      return parts_[static_cast<std::size_t>(std::countr_zero(subset))];
    const std::size_t left = best_[subset].left;
    return multiply(build(left), build(subset ^ left), kept_[subset]);
  }

  NodeId from_left_to_right() {
    Part product = parts_[0];
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      Variables later = 0;
      for (std::size_t j = i + 1; j < parts_.size(); ++j) later |= set_of(parts_[j].labels);
      const Variables kept = (set_of(product.labels) | set_of(parts_[i].labels)) & later;
      if (elements(kept) > static_cast<double>(options_.max_elements)) return kNoNode;
      product = multiply(product, parts_[i], kept);
    }
    return product.node;
  }

  // Of the ways to write a product, the one that others will find as well: by the numbers of nodes,
  // and for a product of a tensor with itself by its labels.
  Part multiply(Part a, Part b, Variables kept) {
    if (b.node < a.node || (a.node == b.node && written(b, a, kept) < written(a, b, kept))) {
      std::swap(a, b);
    }
    Labels out = out_labels(a, b, kept);
    return {expression_.add_product(a.node, a.labels, b.node, b.labels, out), out};
  }

  static Labels out_labels(const Part& a, const Part& b, Variables kept) {
    Labels out;
    for (const Part* part : {&a, &b}) {
      for (const std::uint32_t label : part->labels) {
        const bool known = std::find(out.begin(), out.end(), label) != out.end();
        if (has(kept, label) && !known) out.push_back(label);
      }
    }
    return out;
  }

  // The labels of a product, renamed by appearance.
  static Labels written(const Part& a, const Part& b, Variables kept) {
    Labels all = out_labels(a, b, kept), seen;
    all.insert(all.end(), a.labels.begin(), a.labels.end());
    all.insert(all.end(), b.labels.begin(), b.labels.end());
    for (std::uint32_t& label : all) {
      auto at = std::find(seen.begin(), seen.end(), label);
      if (at == seen.end()) at = seen.insert(seen.end(), label);
      label = static_cast<std::uint32_t>(at - seen.begin());
    }
    return all;
  }

  Expression& expression_;
  const ContractionOptions& options_;
  std::vector<Part> parts_;
  std::map<std::uint32_t, std::uint32_t> sizes_;  // by label
  // Per subset of factors, as bits:
  std::vector<Choice> best_;
  std::vector<Variables> kept_;
  std::vector<bool> differentiated_;
  std::vector<Changes> changes_;
};

}  // namespace

NodeId contract(Expression& expression,
                const std::vector<Factor>& factors,
                const ContractionOptions& options) {
  return Contraction(expression, factors, options).build();
}

bool is_symmetric_product(const Node& node) {
  if (node.kind != NodeKind::kProduct || node.a != node.b) return false;
  if (node.a_labels.size() != 2 || node.out_labels.size() != 2) return false;
  // One axis is summed, at the same place in both.
  const auto summed = [&](std::size_t i) { return node.a_labels[i] == node.b_labels[i]; };
  return summed(0) != summed(1);
}

double operations_of(const Expression& expression,
                     NodeId id,
                     const std::function<double(NodeId)>& density) {
  const Node& node = expression[id];
  const auto out = static_cast<double>(num_elements(node.shape));
  switch (node.kind) {
    case NodeKind::kLeaf:
      return 0.0;
    case NodeKind::kSum:
      return out * static_cast<double>(node.terms.size());
    case NodeKind::kMap: {
      const auto in = static_cast<double>(num_elements(expression[node.a].shape));
      return std::max(out, in * density(node.a));
    }
    case NodeKind::kProduct:
      break;
  }
  double count = out;  // times the axes that are summed
  const std::vector<std::uint32_t>& shape = expression[node.a].shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto& kept = node.out_labels;
    if (std::find(kept.begin(), kept.end(), node.a_labels[i]) == kept.end()) count *= shape[i];
  }
  if (is_symmetric_product(node)) return count / 2;
  return count * density(node.a) * density(node.b);
}

}  // namespace sorites
