// Three products of a matrix with itself for the price of one and a half: a rule such as
// transitivity asks for
//
//   M M + M M' + M' M  =  (M + M')(M + M') - (M M)'
//
// where the first product on the right is symmetric, so that half of it is computed.
#pragma once

#include "meanfield/expression.h"

namespace sorites {

// The sum, or an equal one that costs less.
NodeId with_squares(Expression& expression, NodeId sum);

}  // namespace sorites
