// One mixed integer linear program through CBC.
#pragma once

#include <OsiClpSolverInterface.hpp>
#include <cstdint>
#include <vector>

#include "hinge/problem/clp_deadline.h"

namespace sorites {

inline constexpr double kNoBound = 1e50;  // CBC's infinity is this and more; its negative below

enum class BranchStatus : std::uint8_t { kSolved, kInfeasible, kStopped, kNodeLimit, kFailed };

// Values are those of the linear program.
struct BranchResult {
  BranchStatus status = BranchStatus::kFailed;
  std::vector<double> columns;   // the best point; empty if none was found
  double bound = -COIN_DBL_MAX;  // no feasible point has a smaller value; kInfeasible apart
  std::uint64_t nodes = 0;
};

struct BranchLimits {
  double gap = 0.0;              // a point this far from the bound will do
  double cutoff = COIN_DBL_MAX;  // a value that a known point has: worse ones are of no use
  std::uint64_t max_nodes = 0;   // 0: any number
  bool with_cuts = true;
};

// Prints nothing. `program` knows its integer columns, and that deadline.
BranchResult branch_and_bound(const OsiClpSolverInterface& program,
                              const BranchLimits& limits,
                              WatchedDeadline& deadline);

}  // namespace sorites
