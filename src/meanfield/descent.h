// Mean-field updates of all atoms at once that never raise the free energy F.
//
// A step goes a part of the way from the log-odds z to where messages pull them, u - dE/dQ: a
// natural gradient step of F (Hoffman et al. 2013, section 2.2). If messages stayed as they are, F
// would fall by KL(Q || T) - KL(Q' || T), T being the softmax of the goals. A step that lowers F by
// less than a part of that is halved.
#pragma once

#include <stop_token>
#include <vector>

#include "meanfield/iterations.h"

namespace sorites {

template <class Real>
class DescentSteps {
 public:
  // From the softmax of the unary potentials, written to `marginals`. At least `keep` of the old
  // log-odds stays in a step. Iterations and unaries must outlive it. Throws Interrupted.
  DescentSteps(Iterations<Real>& iterations,
               const AtomValues<Real>& unaries,
               double keep,
               AtomValues<Real>& marginals,
               const std::stop_token& stop = {});

  double free_energy() const { return point_.free_energy; }
  const std::vector<std::vector<double>>& violations() const { return point_.violations; }
  const AtomValues<Real>& log_odds() const { return log_odds_; }
  // The largest change of a marginal if all went the whole way: zero at a fixed point, however
  // short steps are.
  double residual(const AtomValues<Real>& marginals);

  // One step from `before` to `after`, which may be the same. False, with nothing changed, if
  // rounding hides whether F falls. Throws Interrupted, with nothing changed either.
  bool step(const AtomValues<Real>& before,
            AtomValues<Real>& after,
            const std::stop_token& stop = {});
  // The share of the old log-odds that stayed in the last step.
  double kept() const { return kept_; }

 private:
  // Of marginals, with the goals there.
  struct Point {
    std::vector<std::vector<double>> violations;
    double free_energy = 0.0;
    double rounding = 0.0;
    double entropy = 0.0;  // with its sign changed
  };
  Point evaluate(const AtomValues<Real>& marginals,
                 AtomValues<Real>& goals,
                 const std::stop_token& stop = {});
  void try_step();
  double expected(const AtomValues<Real>& numbers, const AtomValues<Real>& marginals) const;

  Iterations<Real>& iterations_;
  const AtomValues<Real>& unaries_;
  double longest_;
  double length_;  // of the next step
  double kept_ = 0.0;
  Point point_;
  int num_good_ = 0;                                       // steps since one was too long
  AtomValues<Real> log_odds_, goals_;                      // of the current marginals
  AtomValues<Real> trial_log_odds_, trial_goals_, trial_;  // of those that are tried
};

}  // namespace sorites
