#include "join/join_plan.h"

#include <algorithm>

#include "base/check.h"
#include "base/constant.h"
#include "join/join_order.h"

namespace sorites {
namespace {

using Kind = JoinArgument::Kind;

// Per variable: when it is bound.
std::vector<int> depths_of(const JoinOrder& order) {
  std::vector<int> depth_of(order.variables.size(), 0);
  for (std::size_t d = 0; d < order.variables.size(); ++d) {
    depth_of[order.variables[d]] = static_cast<int>(d);
  }
  return depth_of;
}

// The columns of an atom in the order of its trie: constants, variables by their depth, summed
// ones.
std::vector<std::uint32_t> trie_columns(const JoinAtom& atom, const std::vector<int>& depth_of) {
  const auto rank = [&](std::uint32_t column) {
    const JoinArgument& argument = atom.arguments[column];
    switch (argument.kind) {
      case Kind::kConstant:
        return -1;
      case Kind::kVariable:
        return depth_of[argument.value];
      case Kind::kSummed:
        return static_cast<int>(depth_of.size());
    }
    return 0;  // not reached: the switch is complete
  };
  std::vector<std::uint32_t> columns;
  for (std::uint32_t c = 0; c < atom.arguments.size(); ++c) columns.push_back(c);
  std::stable_sort(
      columns.begin(), columns.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
  return columns;
}

// Goes down the levels of the constants.
Range start_of(const JoinAtom& atom, const std::vector<std::uint32_t>& columns, const Trie& trie) {
  Range range = trie.all();
  for (std::size_t level = 0; level < columns.size(); ++level) {
    const JoinArgument& argument = atom.arguments[columns[level]];
    if (argument.kind != Kind::kConstant || range.empty()) break;
    range = argument.value == kNoCode ? Range{} : trie.find(level, range, argument.value);
  }
  return range;
}

void add_participants(const JoinAtom& atom,
                      std::uint32_t atom_number,
                      const std::vector<std::uint32_t>& columns,
                      const std::vector<int>& depth_of,
                      JoinPlan& plan) {
  int before = -1;  // depth of the level before
  for (std::uint32_t level = 0; level < columns.size(); ++level) {
    const JoinArgument& argument = atom.arguments[columns[level]];
    if (argument.kind != Kind::kVariable) continue;
    const int at = depth_of[argument.value];
    JoinDepth& depth = plan.depths[static_cast<std::size_t>(at)];
    auto& list = atom.optional ? depth.optionals : depth.drivers;
    if (before == at) {
      ++list.back().num_levels;
    } else {
      list.push_back({atom_number, level, 1, before});
      if (!atom.optional) depth.depends_on = std::max(depth.depends_on, before);
    }
    before = at;
  }
}

int depth_of_argument(const JoinArgument& argument, const std::vector<int>& depth_of) {
  return argument.kind == Kind::kVariable ? depth_of[argument.value] : -1;
}

void add_comparison(const JoinComparison& comparison,
                    const std::vector<int>& depth_of,
                    JoinPlan& plan) {
  const int left = depth_of_argument(comparison.left, depth_of);
  const int right = depth_of_argument(comparison.right, depth_of);
  const int at = std::max(left, right);
  SORITES_CHECK(at >= 0, "comparisons of two constants are decided before planning");
  JoinDepth& depth = plan.depths[static_cast<std::size_t>(at)];
  const bool equality = comparison.op == ComparisonOperator::kEqual && !comparison.negated;
  if (equality && left != right && !depth.pinned) {
    depth.pinned = left == at ? comparison.right : comparison.left;
    depth.depends_on = std::max(depth.depends_on, std::min(left, right));
  } else {
    depth.comparisons.push_back(comparison);
  }
}

}  // namespace

bool text_less(ConstantType type, const std::string& left, const std::string& right) {
  switch (type) {
    case ConstantType::kText:
      return left < right;
    case ConstantType::kInteger:
      return parse_integer(left) < parse_integer(right);
    case ConstantType::kReal:
      return parse_real(left) < parse_real(right);
  }
  return false;  // not reached: the switch is complete
}

bool holds(const JoinComparison& comparison, Code left, Code right, const Database& database) {
  const Dictionary& dictionary = database.dictionary(comparison.domain);
  const auto less = [&] {
    if (left != kNoCode && right != kNoCode) return dictionary.less(left, right);
    return text_less(dictionary.type(),
                     left == kNoCode ? comparison.left_text : dictionary.text(left),
                     right == kNoCode ? comparison.right_text : dictionary.text(right));
  };
  bool result = false;
  switch (comparison.op) {
    case ComparisonOperator::kEqual:
      result = left == right;
      break;
    case ComparisonOperator::kNotEqual:
      result = left != right;
      break;
    case ComparisonOperator::kLess:
      result = less();
      break;
  }
  return result != comparison.negated;
}

void want_tries(const JoinQuery& query, const JoinOrder& order, TrieStore& tries) {
  const std::vector<int> depth_of = depths_of(order);
  for (const JoinAtom& atom : query.atoms) {
    if (atom.implied) continue;
    tries.want(atom.predicate, atom.rows, trie_columns(atom, depth_of));
  }
}

JoinPlan make_plan(const JoinQuery& query, ColumnStatistics& statistics, TrieStore& tries) {
  return make_plan(query, best_order(query, statistics), tries);
}

JoinPlan make_plan(const JoinQuery& query, const JoinOrder& order, TrieStore& tries) {
  JoinPlan plan;
  const std::vector<int> depth_of = depths_of(order);
  for (std::size_t d = 0; d < order.variables.size(); ++d) {
    plan.depths.push_back({.variable = order.variables[d], .estimated_size = order.sizes[d]});
    plan.estimated_cost += order.sizes[d];
  }
  for (std::uint32_t a = 0; a < query.atoms.size(); ++a) {
    const JoinAtom& atom = query.atoms[a];
    if (atom.implied) {
      plan.tries.push_back(nullptr);
      plan.start.emplace_back();
      continue;
    }
    const std::vector<std::uint32_t> columns = trie_columns(atom, depth_of);
    const Trie& trie = tries.get(atom.predicate, atom.rows, columns);
    plan.tries.push_back(&trie);
    plan.start.push_back(start_of(atom, columns, trie));
    plan.empty |= !atom.optional && plan.start.back().empty();
    add_participants(atom, a, columns, depth_of, plan);
  }
  for (const JoinComparison& comparison : query.comparisons) {
    add_comparison(comparison, depth_of, plan);
  }
  for (JoinDepth& depth : plan.depths) {
    SORITES_CHECK(depth.variable < query.domain_sizes.size(), "every variable has a domain");
    depth.domain_size = query.domain_sizes[depth.variable];
    plan.empty |= depth.drivers.empty() && depth.domain_size == 0;
  }
  return plan;
}

}  // namespace sorites
