// The cheapest state of a flow network whose arcs have capacity 1.
#pragma once

#include <cstdint>
#include <vector>

#include "hinge/integer/binary_domains.h"
#include "hinge/integer/flow_network.h"

namespace sorites {

// Cheapest flows in one network, within the domains of its variables. Method: successive shortest
// paths with potentials (Edmonds and Karp 1972), from the state in which every arc of negative cost
// is full.
class CheapestFlow {
 public:
  // Both must outlive it.
  CheapestFlow(const BinaryPart& part, const FlowNetwork& network);

  // False if no flow is within the domains. `work` counts arcs that were looked at.
  bool solve(const BinaryDomains& domains);
  const std::vector<char>& state() const { return state_; }  // per variable
  double cost() const { return cost_; }
  std::uint64_t work() const { return work_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Reached {
    double distance = 0.0;
    std::uint32_t node = 0;

    bool operator>(const Reached& other) const { return distance > other.distance; }
  };

  void begin(const BinaryDomains& domains);
  bool augment();
  std::uint32_t search();
  void relax(std::uint32_t node, double distance);

  const BinaryPart& part_;
  const FlowNetwork& network_;
  std::vector<char> state_, is_free_;      // per variable
  std::vector<int> excess_;                // per node: inflow - outflow - demand
  std::vector<double> potential_;          // per node
  std::vector<double> distance_;           // per node
  std::vector<std::uint32_t> arrived_by_;  // per node: variable
  std::vector<char> is_settled_;           // per node
  std::vector<std::uint32_t> touched_, settled_;
  std::vector<Reached> heap_;
  double cost_ = 0.0;
  std::uint64_t work_ = 0;
};

}  // namespace sorites
