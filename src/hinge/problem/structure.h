// What can be said of a problem apart from its numbers. Each part is made when it is first asked
// for, and serves as long as only numbers change.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hinge/problem/kkt_factor.h"
#include "hinge/problem/problem.h"

namespace sorites {

class ProblemStructure {
 public:
  explicit ProblemStructure(const Problem& problem) : problem_(problem) {}

  const Problem& problem() const { return problem_; }
  const Columns& columns();
  const std::vector<std::uint32_t>& component();  // per variable (components.h)

  // Per variable: whether it is in a row or a group.
  const std::vector<bool>& coupled();

  // Of the systems of active sets; nothing if the problem is not small.
  const std::optional<KktPattern>& kkt_pattern();

  // Per group: the most members of it that one row has.
  const std::vector<double>& most_siblings();

 private:
  const Problem& problem_;
  std::optional<Columns> columns_;
  std::optional<std::vector<std::uint32_t>> component_;
  std::optional<std::vector<bool>> coupled_;
  std::optional<std::optional<KktPattern>> kkt_pattern_;
  std::optional<std::vector<double>> most_siblings_;
};

}  // namespace sorites
