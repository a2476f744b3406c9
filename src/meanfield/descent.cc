#include "meanfield/descent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "meanfield/atom_state.h"

namespace sorites {
namespace {

// Of the fall that goals promise, what a step must bring.
constexpr double kEnough = 0.1;
constexpr double kShortest = 1e-6;
// Steps that went well between two that are longer than the ones before: a step that is too long
// costs as much as one that is not.
constexpr int kBeforeLonger = 2;

template <class Real>
double largest_difference(const AtomValues<Real>& x, const AtomValues<Real>& y) {
  Real largest = 0;
  for (std::size_t p = 0; p < x.size(); ++p) {
    for (std::size_t i = 0; i < x[p].size(); ++i) {
      largest = std::max(largest, std::abs(x[p][i] - y[p][i]));
    }
  }
  return static_cast<double>(largest);
}

}  // namespace

template <class Real>
DescentSteps<Real>::DescentSteps(Iterations<Real>& iterations,
                                 const AtomValues<Real>& unaries,
                                 double keep,
                                 AtomValues<Real>& marginals,
                                 const std::stop_token& stop)
    : iterations_(iterations),
      unaries_(unaries),
      longest_(1.0 - keep),
      length_(longest_),
      log_odds_(unaries) {
  iterations.start(log_odds_, marginals);
  point_ = evaluate(marginals, goals_, stop);
}

template <class Real>
typename DescentSteps<Real>::Point DescentSteps<Real>::evaluate(const AtomValues<Real>& marginals,
                                                                AtomValues<Real>& goals,
                                                                const std::stop_token& stop) {
  Point point;
  point.violations = iterations_.pull(unaries_, marginals, goals, stop);
  const auto& layouts = iterations_.layouts();
  for (std::size_t p = 0; p < layouts.size(); ++p) {
    if (layouts[p].closed) continue;
    point.entropy += negative_entropy<Real>(layouts[p], channels_of(layouts[p], marginals[p]));
  }
  const double unary = expected(unaries_, marginals);
  point.free_energy = iterations_.weight_of(point.violations) - unary + point.entropy;
  constexpr double kRounding = 4.0 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  point.rounding =
      kRounding * (iterations_.largest_part() + std::abs(unary) + std::abs(point.entropy));
  return point;
}

template <class Real>
double DescentSteps<Real>::expected(const AtomValues<Real>& numbers,
                                    const AtomValues<Real>& marginals) const {
  double sum = 0.0;
  const auto& layouts = iterations_.layouts();
  for (std::size_t p = 0; p < layouts.size(); ++p) {
    if (layouts[p].closed) continue;
    sum += expectation<Real>(layouts[p], numbers[p], channels_of(layouts[p], marginals[p]));
  }
  return sum;
}

template <class Real>
double DescentSteps<Real>::residual(const AtomValues<Real>& marginals) {
  iterations_.start(goals_, trial_);
  return largest_difference(trial_, marginals);
}

// Log-odds and marginals of a step of the current length.
template <class Real>
void DescentSteps<Real>::try_step() {
  trial_log_odds_ = log_odds_;
  const auto length = static_cast<Real>(length_);
  for (std::size_t p = 0; p < goals_.size(); ++p) {
    for (std::size_t i = 0; i < goals_[p].size(); ++i) {
      trial_log_odds_[p][i] += length * (goals_[p][i] - log_odds_[p][i]);
    }
  }
  iterations_.start(trial_log_odds_, trial_);
}

template <class Real>
bool DescentSteps<Real>::step(const AtomValues<Real>& before,
                              AtomValues<Real>& after,
                              const std::stop_token& stop) {
  const double distance = point_.entropy - expected(goals_, before);  // from the goals
  for (; length_ >= kShortest; length_ /= 2.0, num_good_ = 0) {
    try_step();
    Point next = evaluate(trial_, trial_goals_, stop);
    const double promised = distance - (next.entropy - expected(goals_, trial_));
    const double rounding = std::max(point_.rounding, next.rounding);
    if (!(point_.free_energy - next.free_energy >= kEnough * promised - rounding)) continue;
    kept_ = 1.0 - length_;
    point_ = std::move(next);
    std::swap(log_odds_, trial_log_odds_);
    std::swap(goals_, trial_goals_);
    after = trial_;
    if (++num_good_ >= kBeforeLonger) length_ = std::min(longest_, 2.0 * length_);
    return true;
  }
  return false;
}

template class DescentSteps<float>;
template class DescentSteps<double>;

}  // namespace sorites
