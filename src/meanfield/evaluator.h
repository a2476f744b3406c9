// Values of the nodes of an expression, and their change along a direction (tangents).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <variant>
#include <vector>

#include "base/thread_pool.h"
#include "meanfield/buffer.h"
#include "meanfield/expression.h"
#include "meanfield/linear_sum.h"
#include "meanfield/map.h"
#include "meanfield/memory_plan.h"
#include "meanfield/product.h"
#include "meanfield/sparse_product.h"

namespace sorites {

// Evidence of a closed predicate: the atoms that are true, as indices row by row, ascending.
struct Evidence {
  std::vector<std::uint64_t> atoms;
};

struct EvaluatorOptions {
  bool sparse_evidence = true;  // else evidence is a dense tensor like any other
};

template <class Real>
class TensorEvaluator {
 public:
  // `wanted` are the nodes whose values (and tangents) will be asked for; only what they need is
  // computed. `evidence` is by predicate (empty for others) and, as the expression and the pool,
  // must outlive the evaluator.
  TensorEvaluator(const Expression& expression,
                  std::vector<NodeId> wanted,
                  std::span<const Evidence> evidence,
                  ThreadPool& pool,
                  EvaluatorOptions options = {});

  // Weights of a formula (one, or one per combination of its `+` variables). All that depends on
  // them is computed when update() is next called.
  void set_weights(std::uint32_t formula, std::span<const double> weights);

  // Where the elements of a marginal leaf are when update() is called, which only reads them: a
  // place of the caller, or one of the evaluator's own, to be filled.
  void set_leaf(NodeId leaf, std::span<const Real> place);
  std::span<Real> leaf(NodeId leaf);

  // Computes all wanted nodes from the leaves.
  // Throws Interrupted, after which values are those of no marginals.
  void update(const std::stop_token& stop = {});
  // Of a wanted node or a marginal leaf.
  std::span<const Real> value(NodeId node) const;

  // Tangents: the same for the direction of a marginal leaf; all must have one. (Weights and
  // evidence have none.) update_tangents() computes the values that it needs, and no others.
  void set_leaf_tangent(NodeId leaf, std::span<const Real> place);
  std::span<Real> leaf_tangent(NodeId leaf);
  void update_tangents();
  // Of a node that does not change with the marginals: empty, which means zero.
  std::span<const Real> tangent(NodeId node) const;

 private:
  struct SparseStep {
    SparseProduct product;
    NodeId dense = kNoNode;  // none: a map
  };
  // A product of matrices that only one sum reads, and that is added to it as it is computed.
  struct AddedProduct {
    Product product;
    NodeId of = kNoNode;
    std::size_t term = 0;
  };
  // The same of a map that writes few elements, such as a diagonal.
  struct AddedMap {
    LoopNest map;
    NodeId a = kNoNode;
    std::size_t term = 0;
  };
  // What a sum reads for a term: its node, or what that is a view of; two if the term is their
  // product element by element; none if it is added in another way.
  struct SumOperands {
    NodeId data = kNoNode, times = kNoNode;
  };
  struct SumStep {
    SumPlan plan, tangent_plan;  // tangents of products are two terms
    std::vector<SumOperands> operands;
    std::optional<AddedProduct> first;  // computed in place of the sum; the rest is added to it
    std::vector<AddedProduct> products;
    std::vector<AddedMap> maps;
    std::vector<Real> factors;  // of each term, set when weights change
  };
  // How a node is computed. Nothing: a leaf.
  using Step = std::variant<std::monostate, Product, LoopNest, SparseStep, SumStep>;

  std::vector<bool> reachable_from(std::span<const NodeId> wanted) const;
  std::vector<bool> find_views(const std::vector<bool>& reachable) const;
  std::vector<NodeId> find_only_readers(const std::vector<bool>& reachable) const;
  Product plan_product_of(NodeId id) const;
  bool is_sparse(NodeId node) const;
  void plan_steps(const std::vector<bool>& reachable);
  void plan_step(NodeId id);
  void plan_product_step(NodeId id);
  void plan_sum_step(NodeId id);
  bool has_only_reader(NodeId id, NodeId sum) const;
  bool is_added(NodeId id, NodeId sum, bool symmetric) const;
  bool is_multiplied(NodeId id, NodeId sum) const;
  bool is_scattered(NodeId id, NodeId sum) const;
  std::vector<NodeId> products_of(NodeId id) const;
  std::vector<bool> nodes_to_keep(Changes changes) const;
  void allocate(std::span<const NodeId> order,
                const std::vector<bool>& keep,
                std::vector<Real*>& places);
  void prepare_tangents();
  void find_values_of_tangents();
  void set_scratch();
  void compute_constants();
  void apply_weights();
  void fill_leaf(NodeId id);
  double value_of(const WeightSum& coefficient) const;
  void set_factors(NodeId id);
  void compute(NodeId id);
  void compute_sum(NodeId id);
  void compute_sum_of_tangents(NodeId id);
  void add_maps(NodeId id, const std::vector<Real*>& places);
  void compute_tangent(NodeId id);

  std::size_t size_of(NodeId node) const { return num_elements(expression_[node].shape); }

  const Expression& expression_;
  std::span<const Evidence> evidence_;
  ThreadPool& pool_;
  EvaluatorOptions options_;
  std::vector<bool> wanted_;                  // by node
  std::vector<std::vector<double>> weights_;  // by formula
  bool weights_changed_ = true;

  std::vector<NodeId> order_[3];            // reachable nodes by Changes, each after what it reads
  std::vector<NodeId> values_of_tangents_;  // those that tangents need, in order
  std::vector<bool> is_view_;               // by node: a map that sums read through
  std::vector<NodeId> only_reader_;         // by node: kNoNode if there are more, or it is wanted
  std::vector<Step> steps_;                 // by node, as all below
  std::vector<std::vector<NodeId>> reads_;  // whose elements a node is computed from
  std::vector<Real*> values_, tangents_;    // null: none
  std::vector<Buffer<Real>> memory_;
  Buffer<Real> scratch_;  // of products
};

}  // namespace sorites
