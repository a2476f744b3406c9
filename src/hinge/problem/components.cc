#include "hinge/problem/components.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sorites {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Sets that are joined; the smallest member stands for its set.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t item) {
    while (parent_[item] != item) {
      parent_[item] = parent_[parent_[item]];
      item = parent_[item];
    }
    return item;
  }
  void join_all(std::span<const std::uint32_t> items) {
    if (items.empty()) return;
    std::uint32_t root = find(items[0]);
    for (const std::uint32_t item : items.subspan(1)) {
      const std::uint32_t other = find(item);
      parent_[root < other ? other : root] = root < other ? root : other;
      root = root < other ? root : other;
    }
  }

 private:
  std::vector<std::uint32_t> parent_;
};

std::span<const std::uint32_t> members_of(const Problem& problem, const Group& group) {
  return {problem.group_variables.data() + group.first, group.count};
}

// Sorts items 0, 1, ... by their component; those of kNone are left out.
void sort_by_component(const std::vector<std::uint32_t>& component_of,
                       std::size_t num_components,
                       std::vector<std::size_t>& begin,
                       std::vector<std::uint32_t>& items) {
  begin.assign(num_components + 1, 0);
  for (const std::uint32_t component : component_of) {
    if (component != kNone) ++begin[component + 1];
  }
  for (std::size_t c = 0; c < num_components; ++c) begin[c + 1] += begin[c];
  items.resize(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t item = 0; item < component_of.size(); ++item) {
    if (component_of[item] == kNone) continue;
    items[next[component_of[item]]++] = static_cast<std::uint32_t>(item);
  }
}

}  // namespace

std::vector<std::uint32_t> component_of_variables(const Problem& problem) {
  DisjointSets sets(problem.num_variables);
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      sets.join_all(problem.variables_of(block, row));
    }
  }
  for (const Group& group : problem.groups) sets.join_all(members_of(problem, group));

  std::vector<std::uint32_t> component(problem.num_variables);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < problem.num_variables; ++i) {
    const std::uint32_t root = sets.find(i);
    component[i] = root == i ? count++ : component[root];
  }
  return component;
}

Components components_of(const Problem& problem) {
  Components components;
  components.of_variable = component_of_variables(problem);
  std::uint32_t count = 0;
  for (const std::uint32_t component : components.of_variable)
    count = std::max(count, component + 1);
  std::vector<std::uint32_t> of_row(problem.num_rows(), kNone), of_group(problem.groups.size());
  for (const RowBlock& block : problem.blocks) {
    if (block.width() == 0) continue;
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      of_row[row] = components.of_variable[problem.variables_of(block, row)[0]];
    }
  }
  for (std::size_t g = 0; g < of_group.size(); ++g) {
    const auto members = members_of(problem, problem.groups[g]);
    of_group[g] = members.empty() ? kNone : components.of_variable[members[0]];
  }
  sort_by_component(
      components.of_variable, count, components.variables_begin, components.variables);
  sort_by_component(of_row, count, components.rows_begin, components.rows);
  sort_by_component(of_group, count, components.groups_begin, components.groups);
  return components;
}

}  // namespace sorites
