#include "hinge/integer/branch_and_bound.h"

#include <CbcEventHandler.hpp>
#include <CbcHeuristicFPump.hpp>
#include <CbcModel.hpp>
#include <CbcStrategy.hpp>
#include <algorithm>
#include <climits>
#include <mutex>

namespace sorites {
namespace {

// Ends the search at the deadline, and remembers the last bound from before: what CBC makes of
// interrupted linear programs is no bound.
class SearchWatch : public CbcEventHandler {
 public:
  SearchWatch(CbcModel* search, WatchedDeadline& deadline, double& bound)
      : CbcEventHandler(search), search_(search), deadline_(&deadline), bound_(&bound) {}

  CbcAction event(CbcEvent) override {
    if (deadline_->check()) return stop;
    // Heuristics search smaller programs, whose bounds do not count, with copies of this.
    const double bound = search_->getBestPossibleObjValue();
    if (getModel() == search_ && bound < kNoBound) *bound_ = std::max(*bound_, bound);
    return noAction;
  }
  CbcEventHandler* clone() const override { return new SearchWatch(*this); }

 private:
  CbcModel* search_;
  WatchedDeadline* deadline_;
  double* bound_;
};

void configure(CbcModel& search, const BranchLimits& limits, const WatchedDeadline& deadline) {
  search.setLogLevel(0);
  search.messageHandler()->setLogLevel(0);
  search.solver()->messageHandler()->setLogLevel(0);
  search.solver()->setHintParam(OsiDoReducePrint, true, OsiHintTry);
  search.setUseElapsedTime(true);
  search.setMaximumSeconds(deadline.deadline.seconds_left());
  search.setAllowableGap(limits.gap);
  search.setAllowableFractionGap(0.0);
  constexpr double kProgress = 1e-9;  // equal objectives are none; CBC's 1e-5 may skip some
  search.setCutoffIncrement(kProgress);
  // CBC's 1e-6 lets an atom be so far from 0 or 1 that a hard row with many of them breaks when
  // they are rounded.
  constexpr double kInteger = 1e-7;
  search.setIntegerTolerance(kInteger);
  if (limits.cutoff < COIN_DBL_MAX) search.setCutoff(limits.cutoff);
  if (limits.max_nodes > 0) {
    search.setMaximumNodes(static_cast<int>(std::min<std::uint64_t>(limits.max_nodes, INT_MAX)));
  }
}

BranchStatus status_of(const CbcModel& search, const WatchedDeadline& deadline) {
  if (deadline.hit || search.isSecondsLimitReached()) return BranchStatus::kStopped;
  if (search.isProvenInfeasible()) return BranchStatus::kInfeasible;
  if (search.isProvenOptimal()) return BranchStatus::kSolved;
  if (search.isNodeLimitReached()) return BranchStatus::kNodeLimit;
  return BranchStatus::kFailed;
}

}  // namespace

BranchResult branch_and_bound(const OsiClpSolverInterface& program,
                              const BranchLimits& limits,
                              WatchedDeadline& deadline) {
  // CBC keeps some of what it does in global variables.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  BranchResult result;
  if (deadline.check()) {
    result.status = BranchStatus::kStopped;
    return result;
  }
  CbcModel search(program);
  configure(search, limits, deadline);
  const SearchWatch watch(&search, deadline, result.bound);
  search.passInEventHandler(&watch);
  CbcStrategyDefault strategy(limits.with_cuts ? 1 : -1);
  search.setStrategy(strategy);
  if (limits.with_cuts) {
    CbcHeuristicFPump pump(search);
    pump.setMaximumPasses(20);  // each is a linear program
    search.addHeuristic(&pump, "feasibility pump");
  }
  search.initialSolve();
  search.branchAndBound();

  result.status = status_of(search, deadline);
  result.nodes = static_cast<std::uint64_t>(std::max(0, search.getNodeCount()));
  if (const double* best = search.bestSolution()) {
    result.columns.assign(best, best + program.getNumCols());
  }
  if (result.status == BranchStatus::kSolved || result.status == BranchStatus::kNodeLimit) {
    result.bound = std::max(result.bound, search.getBestPossibleObjValue());
  }
  return result;
}

}  // namespace sorites
