// The derivative of a weighted sum of scalars of an expression by its leaves, as nodes of the same
// expression: reverse-mode differentiation of the graph. It shares what the derivatives have in
// common with each other and with the scalars; all messages of a formula cost about two times its
// value.
#pragma once

#include <functional>
#include <map>

#include "meanfield/expression.h"

namespace sorites {

// Scalars and what each counts.
using Roots = std::map<NodeId, WeightSum>;

void add_root(Roots& roots, NodeId node, const WeightSum& coefficient);

// Per leaf for which `is_wanted`: the derivative of sum of coefficient * root, kNoNode if it is
// zero.
std::map<NodeId, NodeId> differentiate(Expression& expression,
                                       const Roots& roots,
                                       const std::function<bool(NodeId)>& is_wanted);

}  // namespace sorites
