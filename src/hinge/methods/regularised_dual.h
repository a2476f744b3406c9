// The dual of a problem whose objective has  sum_i eps_i (x_i - c_i)^2  added:
//
//   D(mu) = sum_r (mu_r b_r - phi_r*(mu_r)) + sum_i min over x of f_i(x) + g_i x + eps_i (x -
//   c_i)^2
//
// with g = A'mu. It is concave and smooth, and piecewise quadratic along every multiplier, so that
// a step to the maximum along one is exact. Groups are not known: see with_groups_as_rows.
#pragma once

#include <cstdint>
#include <vector>

#include "hinge/problem/problem.h"

namespace sorites {

class RegularisedDual {
 public:
  // The problem must outlive it. All eps are 1, all c are 0.
  RegularisedDual(const Problem& problem, std::vector<double> multipliers);

  // eps: positive. centre: c.
  void regularise(std::vector<double> eps, std::vector<double> centre);

  // What a step along a row works with; one per thread.
  struct Entry {
    std::uint32_t variable, piece;
    double a, linear;
  };
  using Scratch = std::vector<Entry>;

  // Maximises D along the multiplier of the row. Gives |dD/dmu| before. If nothing in the bounds
  // can meet a hard row, D grows without end, and the step is only a long one.
  double ascend(const RowBlock& block, std::size_t row, Scratch& scratch);

  // The same while other threads do it for other rows. What they do meanwhile is seen in part,
  // so D may fall.
  double ascend_shared(const RowBlock& block, std::size_t row, Scratch& scratch);

  // Computes g from the multipliers again, against the growth of rounding errors.
  void refresh();

  double value() const;
  double x(std::size_t variable);  // the minimiser in D
  const std::vector<double>& multipliers() const { return multipliers_; }
  const std::vector<double>& eps() const { return eps_; }
  const std::vector<double>& centre() const { return centre_; }

 private:
  template <bool kShared>
  double ascend_along(const RowBlock& block, std::size_t row, Scratch& scratch);
  template <bool kShared>
  void move(const RowBlock& block, std::size_t row, double change, const Scratch& scratch);
  struct Stretch;
  Stretch stretch_ahead(Scratch& scratch, double curvature) const;
  double walk_to_maximum(Scratch& scratch, double derivative, double curvature, double room) const;

  // x_i as a function of its linear term g is made of pieces: 2k where x_i is the start of segment
  // k, 2k + 1 where it is inside segment k; the last is the upper bound. g falls as pieces rise.
  double border(std::size_t variable, std::uint32_t piece) const;  // to the next piece
  std::uint32_t last_piece(std::size_t variable) const;
  std::uint32_t piece_at(std::size_t variable, double linear, std::uint32_t hint) const;
  Minimum minimum(const Entry& entry) const;

  const Problem& problem_;
  std::vector<double> multipliers_, eps_, centre_;
  std::vector<double> linear_;        // per variable: g_i - 2 eps_i c_i
  std::vector<std::uint32_t> piece_;  // per variable: where it was last
};

}  // namespace sorites
