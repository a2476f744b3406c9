#include "hinge/problem/components.h"

#include <gtest/gtest.h>

#include "hinge/problem/random_problem.h"

namespace sorites {
namespace {

// Repeats "a row or group gives all its variables the smallest label" until nothing changes.
std::vector<std::uint32_t> labels_by_spreading(const Problem& problem) {
  std::vector<std::vector<std::uint32_t>> sets;
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const auto variables = problem.variables_of(block, row);
      sets.emplace_back(variables.begin(), variables.end());
    }
  }
  for (const Group& group : problem.groups) {
    const auto first = problem.group_variables.begin() + group.first;
    sets.emplace_back(first, first + group.count);
  }
  std::vector<std::uint32_t> label(problem.num_variables);
  for (std::uint32_t i = 0; i < label.size(); ++i) label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& set : sets) {
      std::uint32_t smallest = label[set[0]];
      for (const std::uint32_t i : set) smallest = std::min(smallest, label[i]);
      for (const std::uint32_t i : set) {
        changed = changed || label[i] != smallest;
        label[i] = smallest;
      }
    }
  }
  return label;
}

TEST(Components, AreThoseOfSpreadingLabels) {
  std::size_t with_several = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem problem = random_problem(seed).problem;
    const Components components = components_of(problem);
    const std::vector<std::uint32_t> label = labels_by_spreading(problem);
    with_several += components.count() > 1;
    for (std::size_t i = 0; i < label.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_EQ(label[i] == label[j], components.of_variable[i] == components.of_variable[j]);
      }
    }
    std::size_t variables = 0, rows = 0, groups = 0;
    for (std::size_t c = 0; c < components.count(); ++c) {
      for (const std::uint32_t i : components.variables_of(c)) {
        EXPECT_EQ(components.of_variable[i], c);
      }
      variables += components.variables_of(c).size();
      rows += components.rows_of(c).size();
      groups += components.groups_of(c).size();
    }
    EXPECT_EQ(variables, problem.num_variables);
    EXPECT_EQ(rows, problem.num_rows());
    EXPECT_EQ(groups, problem.groups.size());
  }
  EXPECT_GT(with_several, 100U);
}

}  // namespace
}  // namespace sorites
