// The connected components of a problem: parts that share no row and no group, and so can be solved
// on their own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/problem/problem.h"

namespace sorites {

// Components are numbered by their first variable. Within one, everything ascends. A row without
// entries belongs to no component.
struct Components {
  std::vector<std::uint32_t> of_variable;  // per variable: its component
  std::vector<std::size_t> variables_begin, rows_begin, groups_begin;  // per component, and the end
  std::vector<std::uint32_t> variables, rows, groups;

  std::size_t count() const { return variables_begin.size() - 1; }
  std::span<const std::uint32_t> variables_of(std::size_t component) const {
    return between(variables, variables_begin, component);
  }
  std::span<const std::uint32_t> rows_of(std::size_t component) const {
    return between(rows, rows_begin, component);
  }
  std::span<const std::uint32_t> groups_of(std::size_t component) const {
    return between(groups, groups_begin, component);
  }

 private:
  static std::span<const std::uint32_t> between(const std::vector<std::uint32_t>& items,
                                                const std::vector<std::size_t>& begin,
                                                std::size_t component) {
    return {items.data() + begin[component], begin[component + 1] - begin[component]};
  }
};

Components components_of(const Problem& problem);

// Only Components::of_variable.
std::vector<std::uint32_t> component_of_variables(const Problem& problem);

}  // namespace sorites
