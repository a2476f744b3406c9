// Formulas over atoms with values as clauses of which at most one is violated.
//
// The expected truth of a formula is 1 minus the sum of its clauses' probabilities to be violated
// only if no two of them can be violated at once; of a & b, the clauses a and (!a v b) are such
// clauses, a and b are not. (logicmp theorem 3.2 takes this for granted.)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sorites::meanfield {

// Clauses of a formula that exclude each other: each is a product to plan and compute.
inline constexpr std::size_t kMaxClauses = 256;

// The atom has one of the values, which ascend.
struct ValueLiteral {
  std::uint32_t atom = 0;
  std::vector<std::uint32_t> values;

  bool operator==(const ValueLiteral&) const = default;
};

using ValueClause = std::vector<ValueLiteral>;  // each atom once

enum class LogicKind : std::uint8_t { kIff, kImplies, kOr, kAnd, kNot, kLiteral };

// kOr of nothing is false, kAnd of nothing is true.
struct LogicNode {
  LogicKind kind = LogicKind::kLiteral;
  std::vector<LogicNode> operands;
  ValueLiteral literal;
};

// None if there are more than kMaxClauses. No clause: the formula is true; an empty clause: false.
// num_values[a] is the number of values of atom a.
std::optional<std::vector<ValueClause>> to_disjoint_clauses(
    const LogicNode& formula, const std::vector<std::uint32_t>& num_values);

}  // namespace sorites::meanfield
