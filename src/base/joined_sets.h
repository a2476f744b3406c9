// Sets of connected numbers, by union and find.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sorites {

class JoinedSets {
 public:
  explicit JoinedSets(std::size_t size) : parent_(size) { part_all(); }

  // Every number is a set of its own again.
  void part_all() { std::iota(parent_.begin(), parent_.end(), std::uint32_t{0}); }

  // The least number of the set.
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace sorites
