// Makes Clp look at a deadline. An interrupted linear program is neither solved nor infeasible, but
// CBC takes it for infeasible: so `hit` must be asked before believing what came out.
#pragma once

#include <ClpEventHandler.hpp>

#include "hinge/problem/deadline.h"

namespace sorites {

struct WatchedDeadline {
  Deadline deadline;
  bool hit = false;  // a linear program was interrupted

  bool check() {
    if (!hit) hit = deadline.passed();
    return hit;
  }
};

class ClpDeadline : public ClpEventHandler {
 public:
  explicit ClpDeadline(WatchedDeadline& watched) : watched_(&watched) {}

  int event(Event which) override {
    constexpr int kGoOn = -1, kEnd = 0;  // of ClpEventHandler.hpp, event()
    const bool at_a_safe_place = which == endOfIteration || which == endOfFactorization;
    return at_a_safe_place && watched_->check() ? kEnd : kGoOn;
  }
  ClpEventHandler* clone() const override { return new ClpDeadline(*this); }

 private:
  WatchedDeadline* watched_;
};

}  // namespace sorites
