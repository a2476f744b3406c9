// When the multipliers of an augmented Lagrangian follow: what coordinate_descent.cc and
// gradient.cc share.
//
// Following at once is fastest where it works, but multipliers that run ahead of the minimum may
// circle. Once checks show that, they wait until the minimum is known to a fraction of the last
// change, which converges (Rockafellar 1976, inexact steps).
#pragma once

#include <algorithm>
#include <limits>

namespace sorites {

class MultiplierPace {
 public:
  // After a check that found this gap or violation.
  void see_gap(double gap) {
    poor_checks_ = gap > kPoor * last_gap_ ? poor_checks_ + 1 : 0;
    waits_for_minimum_ |= poor_checks_ >= kPoorChecks;
    last_gap_ = gap;
  }

  // Whether to follow now, if variables have moved by at most `moved` of late.
  bool may_follow(double moved) const {
    return !waits_for_minimum_ || moved <= std::max(kInnerAccuracy * last_change_, kLeastMove);
  }
  // `change`: the largest of a multiplier, as a residual.
  void followed(double change) { last_change_ = change; }

 private:
  // Checks in a row that each leave more of the gap than this tell that multipliers circle. Sooner
  // (0.6, twice) costs coordinate descent 1.2 times as many sweeps on twelve models, later (0.9, or
  // six times) costs the gradient method 1.1 to 1.2 times as many iterations.
  static constexpr double kPoor = 0.7;
  static constexpr int kPoorChecks = 3;
  // How far moves are to have shrunk beside the last change. From 0.003 to 0.1 both methods take
  // the same within 7 %.
  static constexpr double kInnerAccuracy = 0.01;
  static constexpr double kLeastMove = 1e-12;  // rounding errors move variables as well

  double last_gap_ = std::numeric_limits<double>::infinity();
  double last_change_ = std::numeric_limits<double>::infinity();
  int poor_checks_ = 0;
  bool waits_for_minimum_ = false;
};

}  // namespace sorites
