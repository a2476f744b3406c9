// The sum over all variables of a product of tensors, as pairwise products in the cheapest order.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "meanfield/expression.h"

namespace sorites {

// What a multiply-add costs inside a matrix product, beside other passes, which wait for memory.
// BLAS does ten times as many per second on large matrices (product_benchmark), and fewer on small
// ones.
inline constexpr double kMatrixProductCost = 0.25;

inline constexpr std::size_t kMostLabels = 64;  // a set of them is the bits of a number

// A tensor whose axes are variables (labels) or constants (fixed); a variable may stand on several.
struct Factor {
  NodeId node = kNoNode;
  std::vector<Axis> axes;
};

struct ContractionOptions {
  bool order = true;             // the cheapest order; else from left to right
  std::size_t max_elements = 0;  // of a tensor; a plan that needs a larger one is none
  // Whether the derivative by this node will be wanted: then the products it takes part in are done
  // once more.
  std::function<bool(NodeId)> is_differentiated;
  // The share of a tensor that is not zero, which is what a product with it costs.
  std::function<double(NodeId)> density;
};

// A scalar: the sum over all variables that occur in the factors. kNoNode if every order needs a
// tensor of more than max_elements.
NodeId contract(Expression& expression,
                const std::vector<Factor>& factors,
                const ContractionOptions& options);

// Multiply-adds of the node itself. A product of a tensor with itself that gives a symmetric matrix
// needs half of them.
double operations_of(const Expression& expression,
                     NodeId node,
                     const std::function<double(NodeId)>& density);

// Whether a product is that of a matrix with its own transpose.
bool is_symmetric_product(const Node& node);

}  // namespace sorites
