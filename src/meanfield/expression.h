// What is computed, as a graph of tensors: leaves (marginals, evidence, weights), products that sum
// over shared axes, maps from axes to axes, and linear combinations. Equal nodes are one node, so
// that whatever two formulas or two messages have in common is computed once.
//
// Axes are told apart by labels: small numbers that mean something only within one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sorites {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;

// When a value has to be computed anew.
enum class Changes : std::uint8_t { kNever, kWithWeights, kWithMarginals };

enum class NodeKind : std::uint8_t { kLeaf, kProduct, kMap, kSum };

enum class LeafKind : std::uint8_t {
  kMarginal,  // Q(value) of all atoms of a predicate
  kEvidence,  // 0 or 1 for all atoms of a closed predicate
  kWeight,    // the weights of a formula, one per combination of its `+` variables
};

struct Leaf {
  LeafKind kind = LeafKind::kMarginal;
  std::uint32_t of = 0;     // predicate, or formula for weights
  std::uint32_t value = 1;  // for marginals: of which value of the predicate

  auto operator<=>(const Leaf&) const = default;
};

// An axis of an operand or of a result: a label that runs over all its indices, or one index.
struct Axis {
  bool fixed = false;
  std::uint32_t at = 0;  // the label, or the index

  auto operator<=>(const Axis&) const = default;
};

using Labels = std::vector<std::uint32_t>;

// constant + sum over formulas of factor * weight. (Of formulas with one weight.)
struct WeightSum {
  double constant = 0.0;
  std::vector<std::pair<std::uint32_t, double>> factors;  // by formula, ascending

  auto operator<=>(const WeightSum&) const = default;
};

struct SumTerm {
  NodeId node = kNoNode;
  WeightSum coefficient;

  auto operator<=>(const SumTerm&) const = default;
};

struct Node {
  NodeKind kind = NodeKind::kLeaf;
  std::vector<std::uint32_t> shape;  // row by row, the last axis runs fastest; {} is a scalar
  Changes changes = Changes::kWithMarginals;

  Leaf leaf;

  // Product: out[out_labels] = sum over labels that are not in out of a[a_labels] * b[b_labels].
  // Within each list labels differ; every label of a is in b or out, of b in a or out, of out in a
  // or b. Map (of `a` alone): out = 0; then for all values of all labels that occur on either side
  // out[out_axes] += a[a_axes]. So it sums axes out, takes diagonals and slices, transposes, and,
  // the other way round, broadcasts, and puts values on diagonals and into slices.
  NodeId a = kNoNode, b = kNoNode;
  Labels a_labels, b_labels, out_labels;  // product
  std::vector<Axis> a_axes, out_axes;     // map

  // Sum: out = offset + sum of coefficient * node, all of one shape. There may be no term.
  std::vector<SumTerm> terms;
  double offset = 0.0;
};

std::size_t num_elements(std::span<const std::uint32_t> shape);

std::vector<NodeId> operands_of(const Node& node);

void add_up(WeightSum& sum, const WeightSum& more);

// The nodes, each after those it uses. Adding a node that is there already gives its number.
class Expression {
 public:
  NodeId add_leaf(Leaf leaf, std::vector<std::uint32_t> shape, Changes changes);
  NodeId add_product(NodeId a, Labels a_labels, NodeId b, Labels b_labels, Labels out_labels);
  // `sizes` are those of the axes of the result.
  NodeId add_map(NodeId a,
                 std::vector<Axis> a_axes,
                 std::vector<Axis> out_axes,
                 std::vector<std::uint32_t> sizes);
  // Terms of one node are added up, those with no coefficient left out.
  NodeId add_sum(std::vector<SumTerm> terms, double offset = 0.0);

  NodeId add_one();  // the scalar 1

  // What was added after `count` nodes were there is taken back.
  void shrink_to(std::size_t count);
  // From now on no two nodes are taken for one.
  void stop_sharing() { share_ = false; }

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }

 private:
  NodeId add(Node node, std::string key);

  std::vector<Node> nodes_;
  std::map<std::string, NodeId> known_;
  std::vector<std::map<std::string, NodeId>::iterator> keys_;  // per node
  bool share_ = true;
};

}  // namespace sorites
