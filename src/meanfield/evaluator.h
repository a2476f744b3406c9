// Values of the nodes of an expression, and their change along a direction (tangents).
#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "meanfield/expression.h"

namespace sorites {

// Evidence of a closed predicate: the atoms that are true, as indices row by row, ascending.
struct Evidence {
  std::vector<std::uint64_t> atoms;
};

struct EvaluatorOptions {
  bool sparse_evidence = true;  // else evidence is a dense tensor like any other
};

template <class Real>
class Evaluator {
 public:
  // `wanted` are the nodes whose values (and tangents) will be asked for; only what they need is
  // computed. `evidence` is by predicate (empty for others) and, as the expression and the pool,
  // must outlive the evaluator.
  Evaluator(const Expression& expression,
            std::vector<NodeId> wanted,
            std::span<const Evidence> evidence,
            ThreadPool& pool,
            EvaluatorOptions options = {});

  // Weights of a formula (one, or one per combination of its `+` variables). All that depends on
  // them is computed when update() is next called.
  void set_weights(std::uint32_t formula, std::span<const double> weights);

  // The place of a marginal leaf, to be filled before update(). Nothing is written to it else.
  std::span<Real> leaf(NodeId leaf);

  // Computes all wanted nodes from the leaves.
  void update();
  std::span<const Real> value(NodeId node) const;

  // Tangents: the place of the direction of a marginal leaf; all must be filled. (Weights and evidence
  // have none.) update_tangents() needs the values of the last update().
  std::span<Real> leaf_tangent(NodeId leaf);
  void update_tangents();
  // Of a node that does not change with the marginals: empty, which means zero.
  std::span<const Real> tangent(NodeId node) const;
};

}  // namespace sorites
