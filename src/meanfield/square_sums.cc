#include "meanfield/square_sums.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sorites {
namespace {

// Products out[a,b] of a matrix with itself.
enum class Square : std::uint8_t {
  kRows,     // M M': sum over c of M[a,c] M[b,c]
  kColumns,  // M' M
  kPlain,    // M M
};

struct SquareTerm {
  NodeId matrix = kNoNode;
  Square kind = Square::kPlain;
};

std::optional<SquareTerm> square_of(const Expression& expression, NodeId id) {
  const Node& node = expression[id];
  if (node.kind != NodeKind::kProduct || node.a != node.b || node.out_labels.size() != 2) {
    return std::nullopt;
  }
  const std::vector<std::uint32_t>& shape = expression[node.a].shape;
  if (shape.size() != 2 || shape[0] != shape[1]) return std::nullopt;
  // By convention of Expression the axes of the result are 0 and 1, and 2 is summed.
  Labels x = node.a_labels, y = node.b_labels;
  if (x > y) std::swap(x, y);
  if (x == Labels{0, 2} && y == Labels{1, 2}) return SquareTerm{node.a, Square::kRows};
  if (x == Labels{2, 0} && y == Labels{2, 1}) return SquareTerm{node.a, Square::kColumns};
  if (x == Labels{0, 2} && y == Labels{2, 1}) return SquareTerm{node.a, Square::kPlain};
  return std::nullopt;
}

NodeId transposed(Expression& expression, NodeId matrix) {
  const std::vector<std::uint32_t> shape = expression[matrix].shape;
  return expression.add_map(
      matrix, {{false, 1}, {false, 0}}, {{false, 0}, {false, 1}}, {shape[1], shape[0]});
}

}  // namespace

NodeId with_squares(Expression& expression, NodeId sum) {
  if (expression[sum].kind != NodeKind::kSum) return sum;
  std::vector<SumTerm> terms = expression[sum].terms;
  const auto find = [&](const SquareTerm& wanted, const WeightSum& coefficient) {
    return std::find_if(terms.begin(), terms.end(), [&](const SumTerm& term) {
      const auto square = square_of(expression, term.node);
      return square && square->matrix == wanted.matrix && square->kind == wanted.kind &&
             term.coefficient == coefficient;
    });
  };
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto plain = square_of(expression, terms[i].node);
    if (!plain || plain->kind != Square::kPlain) continue;
    const NodeId matrix = plain->matrix;
    const auto rows = find({matrix, Square::kRows}, terms[i].coefficient);
    const auto columns = find({matrix, Square::kColumns}, terms[i].coefficient);
    if (rows == terms.end() || columns == terms.end()) continue;

    const WeightSum one{1.0, {}};
    const NodeId both = expression.add_sum({{matrix, one}, {transposed(expression, matrix), one}});
    rows->node = expression.add_product(both, {0, 2}, both, {1, 2}, {0, 1});
    columns->node = expression.add_product(matrix, {1, 2}, matrix, {2, 0}, {0, 1});
    columns->coefficient.constant *= -1.0;
    for (auto& [formula, factor] : columns->coefficient.factors) factor *= -1.0;
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(i));
    return with_squares(expression, expression.add_sum(std::move(terms), expression[sum].offset));
  }
  return sum;
}

}  // namespace sorites
