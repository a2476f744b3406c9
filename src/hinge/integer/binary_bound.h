// A lower bound on the objective of a binary part within its domains, from multipliers m_r of its
// rows. With reduced costs c = cost + A'm,
//
//   bound = sum_r [m_r b_r - sum_k l_k max(m_r - s_k, 0)] + sum_i min of c_i y_i over what is left
//   of y_i,
//
// whatever the multipliers are (weak duality), with m_r >= 0 for rows that are no equalities, and
// at most the last slope of soft rows. A variable that is fixed against the sign of its reduced
// cost lifts the bound by that cost at once. Multipliers go up by exact steps along one of them at
// a time: for an exactly-one row that is to the middle between its two smallest reduced costs,
// which is the step of max-sum diffusion (Werner 2007).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/integer/binary_domains.h"
#include "hinge/integer/binary_part.h"

namespace sorites {

class BinaryBound {
 public:
  // Both must outlive it. Multipliers are 0.
  BinaryBound(const BinaryPart& part, const BinaryDomains& domains);

  double value() const { return value_; }
  double reduced_cost(std::uint32_t variable) const { return reduced_[variable]; }

  // What a variable would like to be.
  int preferred(std::uint32_t variable) const {
    if (domains_.is_fixed(variable)) return domains_.value(variable);
    return reduced_[variable] < 0.0 ? 1 : 0;
  }

  // To be called for what domains fix, and before they let go.
  void fixed(std::span<const std::uint32_t> variables);
  void freed(std::span<const std::uint32_t> variables);

  // The best multiplier of a row while the others stay.
  void ascend(std::uint32_t row);
  // All rows, forth and back, until a pass gains less than `least_gain`, or the bound is `enough`.
  void ascend_all(int max_passes, double least_gain, double enough);

  // What the bound misses of the objective at the preferred state because of this row: infinite if
  // the row is hard and broken. Over all rows they add up to objective - bound.
  double missing(std::uint32_t row) const;

  // Sums anew what rounding errors may have crept into.
  void refresh();

 private:
  double at_fixed(std::uint32_t i) const { return domains_.value(i) == 1 ? reduced_[i] : 0.0; }
  double at_free(std::uint32_t i) const { return reduced_[i] < 0.0 ? reduced_[i] : 0.0; }
  double conjugate(const BinaryRow& row, double multiplier) const;
  double best_multiplier(std::uint32_t row);
  double unit_multiplier(std::uint32_t row) const;
  void set_multiplier(std::uint32_t row, double multiplier);

  struct Break {
    double at = 0.0, drop = 0.0;
  };

  const BinaryPart& part_;
  const BinaryDomains& domains_;
  std::vector<double> multiplier_;  // per row
  std::vector<double> reduced_;     // per variable
  std::vector<Break> breaks_;       // scratch
  double value_ = 0.0;
};

}  // namespace sorites
