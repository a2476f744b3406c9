#include "join/join_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace sorites {
namespace {

using VariableSet = std::uint64_t;

// That are expected of an atom at least: an estimate of 0 would hide the cost of what follows. Less
// than one row, so that what is likely to be empty still comes first.
constexpr double kLeastRows = 1e-3;

// Of binding the first variable: less than any other cost, so that it decides only between orders
// that cost the same.
constexpr double kFirstStepCost = 1e-6;

// What the estimate knows of a variable in an atom.
struct VariableSize {
  std::uint32_t variable = 0;
  double distinct = 0;  // codes it can take
  double scale = 0;     // codes it could take if all rows were chosen
};

// One driving atom, as the estimate sees it.
struct AtomSize {
  double rows = 0;  // that agree with its constants
  std::vector<VariableSize> variables;
};

AtomSize size_of(const JoinAtom& atom, ColumnStatistics& statistics) {
  AtomSize size{statistics.num_rows(atom.predicate, atom.rows), {}};
  for (std::size_t column = 0; column < atom.arguments.size(); ++column) {
    const JoinArgument& argument = atom.arguments[column];
    const double distinct =
        std::max(1.0, statistics.num_distinct(atom.predicate, atom.rows, column));
    if (argument.kind == JoinArgument::Kind::kConstant) size.rows /= distinct;
    if (argument.kind == JoinArgument::Kind::kVariable) {
      const double all = statistics.num_distinct(atom.predicate, RowSet::kAll, column);
      size.variables.push_back({argument.value, distinct, std::max(distinct, all)});
    }
  }
  size.rows = std::max(size.rows, kLeastRows);
  for (VariableSize& variable : size.variables) {
    const double most = std::max(1.0, size.rows);
    if (atom.rows == RowChoice()) variable.scale = std::min(variable.scale, most);
    variable.distinct = std::min(variable.distinct, most);
  }
  return size;
}

// Expected bindings of the variables in `bound`, if columns were independent (Selinger et al.
// 1979): the product of the atoms' projections, where every variable shared by k atoms divides by
// all but the smallest of its k counts. Of an atom of which some rows are chosen, the counts of all
// rows divide: the chosen ones are as likely to be found in the others as the rest.
double expected_size(VariableSet bound, const std::vector<AtomSize>& atoms) {
  double size = 1.0;
  std::vector<std::pair<std::uint32_t, double>> smallest;
  for (const AtomSize& atom : atoms) {
    double projection = 1.0;
    bool all = true;
    for (const auto& [variable, distinct, scale] : atom.variables) {
      if ((bound >> variable & 1U) == 0) {
        all = false;
        continue;
      }
      projection *= distinct;
      const auto seen = std::find_if(
          smallest.begin(), smallest.end(), [&, v = variable](auto& s) { return s.first == v; });
      if (seen == smallest.end()) {
        smallest.emplace_back(variable, scale);
      } else {
        size /= std::max(seen->second, scale);
        seen->second = std::min(seen->second, scale);
      }
    }
    size *= all ? atom.rows : std::min(projection, atom.rows);
  }
  return size;
}

// What binding one more variable costs: the bindings it makes, wherever it is not the first. The
// first one is free, so that work is cut into tasks along a variable with many codes rather than
// few.
double step_cost(VariableSet before, double size) {
  return before == 0 ? kFirstStepCost / (1 + size) : size;
}

JoinOrder exact_order(std::size_t num_variables, const std::vector<AtomSize>& atoms) {
  const std::size_t num_sets = std::size_t{1} << num_variables;
  std::vector<double> size(num_sets), cost(num_sets, std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> last(num_sets, 0);
  for (VariableSet set = 0; set < num_sets; ++set) size[set] = expected_size(set, atoms);
  cost[0] = 0.0;
  for (VariableSet set = 1; set < num_sets; ++set) {
    for (std::uint32_t v = 0; v < num_variables; ++v) {
      if ((set >> v & 1U) == 0) continue;
      const VariableSet before = set ^ VariableSet { 1 } << v;
      const double total = cost[before] + step_cost(before, size[set]);
      if (total < cost[set]) {
        cost[set] = total;
        last[set] = v;
      }
    }
  }
  JoinOrder order;
  for (VariableSet set = num_sets - 1; set != 0; set ^= VariableSet{1} << last[set]) {
    order.variables.push_back(last[set]);
    order.sizes.push_back(size[set]);
  }
  std::reverse(order.variables.begin(), order.variables.end());
  std::reverse(order.sizes.begin(), order.sizes.end());
  return order;
}

JoinOrder greedy_order(std::size_t num_variables, const std::vector<AtomSize>& atoms) {
  JoinOrder order;
  VariableSet bound = 0;
  while (order.variables.size() < num_variables) {
    std::uint32_t best = 0;
    double best_size = 0.0, best_cost = std::numeric_limits<double>::infinity();
    for (std::uint32_t v = 0; v < num_variables; ++v) {
      if ((bound >> v & 1U) != 0) continue;
      const double size = expected_size(bound | VariableSet{1} << v, atoms);
      if (step_cost(bound, size) < best_cost) {
        best = v;
        best_size = size;
        best_cost = step_cost(bound, size);
      }
    }
    bound |= VariableSet{1} << best;
    order.variables.push_back(best);
    order.sizes.push_back(best_size);
  }
  return order;
}

// Of very many variables, more than a VariableSet has room for: next comes the one that an atom
// leaves the fewest codes for, given those bound before. Each atom is looked at once per variable
// of it, so that this takes time in proportion to the rule.
class WideOrder {
 public:
  WideOrder(std::size_t num_variables, const std::vector<AtomSize>& atoms)
      : atoms_(atoms), rows_(atoms.size()), bound_(num_variables, false), atoms_of_(num_variables) {
    for (std::uint32_t a = 0; a < atoms.size(); ++a) {
      rows_[a] = atoms[a].rows;
      for (const auto& [variable, distinct, scale] : atoms[a].variables) {
        atoms_of_[variable].push_back(a);
        queue_.push({-std::min(distinct, rows_[a]), variable});
      }
    }
  }

  JoinOrder run() {
    JoinOrder order;
    double size = 1.0;
    while (!queue_.empty()) {
      const auto [codes, variable] = queue_.top();
      queue_.pop();
      if (bound_[variable]) continue;  // an older estimate
      bound_[variable] = true;
      size *= -codes;
      order.variables.push_back(variable);
      order.sizes.push_back(size);
      for (const std::uint32_t a : atoms_of_[variable]) shrink(a, variable);
    }
    return order;
  }

 private:
  // The variable of the atom is bound: fewer of its rows are left, and codes for its others.
  void shrink(std::uint32_t a, std::uint32_t variable) {
    for (const auto& [other, distinct, scale] : atoms_[a].variables) {
      if (other == variable) rows_[a] = std::max(rows_[a] / distinct, kLeastRows);
    }
    for (const auto& [other, distinct, scale] : atoms_[a].variables) {
      if (!bound_[other]) queue_.push({-std::min(distinct, rows_[a]), other});
    }
  }

  const std::vector<AtomSize>& atoms_;
  std::vector<double> rows_;  // per atom: that agree with what is bound
  std::vector<bool> bound_;
  std::vector<std::vector<std::uint32_t>> atoms_of_;
  std::priority_queue<std::pair<double, std::uint32_t>> queue_;  // the fewest codes first
};

// A variable that no atom drives is as if a relation held all codes of its domain.
void add_domains(const JoinQuery& query, std::vector<AtomSize>& atoms) {
  std::vector<bool> driven(query.num_variables, false);
  for (const AtomSize& atom : atoms) {
    for (const VariableSize& variable : atom.variables) driven[variable.variable] = true;
  }
  for (std::uint32_t v = 0; v < query.num_variables; ++v) {
    if (driven[v]) continue;
    const double size = std::max(kLeastRows, static_cast<double>(query.domain_sizes[v]));
    atoms.push_back({size, {{v, std::max(1.0, size), std::max(1.0, size)}}});
  }
}

}  // namespace

JoinOrder best_order(const JoinQuery& query, ColumnStatistics& statistics) {
  constexpr std::size_t kMostForExact = 12;  // 4,096 subsets: less than a millisecond
  std::vector<AtomSize> atoms;
  for (const JoinAtom& atom : query.atoms) {
    if (!atom.optional && !atom.implied) atoms.push_back(size_of(atom, statistics));
  }
  add_domains(query, atoms);
  constexpr std::size_t kMostForGreedy = 64;  // what a VariableSet has room for
  if (query.num_variables > kMostForGreedy) return WideOrder(query.num_variables, atoms).run();
  return query.num_variables <= kMostForExact ? exact_order(query.num_variables, atoms)
                                              : greedy_order(query.num_variables, atoms);
}

}  // namespace sorites
