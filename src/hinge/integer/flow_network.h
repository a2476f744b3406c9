// The flow inside a binary part: equalities whose coefficients are 1 and -1, with every variable in
// at most two of them, of which it can be said that it enters one and leaves the other. Such
// equalities are the nodes of a network, variables are its arcs of capacity 1, and without the
// other rows the cheapest state is a cheapest flow, which is integer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hinge/integer/binary_part.h"

namespace sorites {

struct FlowArc {
  std::uint32_t tail = 0, head = 0;  // nodes
};

struct FlowNetwork {
  std::vector<FlowArc> arcs;          // per variable; tail = head if it stands in no node
  std::vector<int> demand;            // per node: inflow - outflow
  std::vector<std::uint32_t> side;    // rows of the part that are no nodes
  std::vector<std::uint32_t> begin;   // per node, and the end: in `around`
  std::vector<std::uint32_t> around;  // variables whose arc touches the node

  std::size_t num_nodes() const { return demand.size(); }
};

// Nothing if the part has soft rows, or equalities that are no nodes, or no nodes at all.
std::optional<FlowNetwork> flow_network_of(const BinaryPart& part);

}  // namespace sorites
