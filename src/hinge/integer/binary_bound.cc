#include "hinge/integer/binary_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hinge/integer/mixed_program.h"

namespace sorites {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFlat = 1e-9;  // a slope that is 0: of a sum of a few coefficients

}  // namespace

BinaryBound::BinaryBound(const BinaryPart& part, const BinaryDomains& domains)
    : part_(part), domains_(domains), multiplier_(part.rows.size(), 0.0), reduced_(part.cost) {
  refresh();
}

double BinaryBound::conjugate(const BinaryRow& row, double multiplier) const {
  double sum = 0.0;
  const auto pieces = part_.pieces_of(row);
  for (std::size_t k = 0; k + 1 < pieces.size() && pieces[k].slope < multiplier; ++k) {
    sum += pieces[k].length * (multiplier - pieces[k].slope);
  }
  return sum;
}

void BinaryBound::refresh() {
  reduced_ = part_.cost;
  value_ = 0.0;
  for (std::size_t r = 0; r < part_.rows.size(); ++r) {
    const double m = multiplier_[r];
    if (m == 0.0) continue;
    value_ += m * part_.rows[r].offset - conjugate(part_.rows[r], m);
    for (const RowEntry& entry : part_.entries_of(part_.rows[r])) {
      reduced_[entry.variable] += m * entry.coefficient;
    }
  }
  for (std::uint32_t i = 0; i < part_.num_variables(); ++i) {
    value_ += domains_.is_fixed(i) ? at_fixed(i) : at_free(i);
  }
}

void BinaryBound::fixed(std::span<const std::uint32_t> variables) {
  for (const std::uint32_t i : variables) value_ += at_fixed(i) - at_free(i);
}

void BinaryBound::freed(std::span<const std::uint32_t> variables) {
  for (const std::uint32_t i : variables) value_ -= at_fixed(i) - at_free(i);
}

void BinaryBound::set_multiplier(std::uint32_t r, double multiplier) {
  const BinaryRow& row = part_.rows[r];
  const double step = multiplier - multiplier_[r];
  if (step == 0.0) return;
  double change = step * row.offset - conjugate(row, multiplier) + conjugate(row, multiplier_[r]);
  for (const auto& [i, a] : part_.entries_of(row)) {
    if (domains_.is_fixed(i)) {
      change += domains_.value(i) == 1 ? step * a : 0.0;
      reduced_[i] += step * a;
    } else {
      const double before = at_free(i);
      reduced_[i] += step * a;
      change += at_free(i) - before;
    }
  }
  multiplier_[r] = multiplier;
  value_ += change;
}

// Of a sum of variables that is 1, none of them fixed at 1.
double BinaryBound::unit_multiplier(std::uint32_t r) const {
  double first = kInfinity, second = kInfinity;  // the smallest reduced costs
  for (const auto& [i, a] : part_.entries_of(part_.rows[r])) {
    if (domains_.is_fixed(i)) continue;
    const double c = reduced_[i];
    if (c < first) {
      second = first;
      first = c;
    } else if (c < second) {
      second = c;
    }
  }
  if (second == kInfinity) return multiplier_[r];
  return multiplier_[r] - 0.5 * (first + second);
}

// The bound is concave in one multiplier, and its slope is the residual of the row at what the
// variables then prefer: it falls by |a_i| where c_i changes its sign, by l_k at s_k.
double BinaryBound::best_multiplier(std::uint32_t r) {
  const BinaryRow& row = part_.rows[r];
  const double now = multiplier_[r];
  double slope = row.offset;
  breaks_.clear();
  for (const auto& [i, a] : part_.entries_of(row)) {
    if (domains_.is_fixed(i)) {
      slope += domains_.value(i) == 1 ? a : 0.0;
    } else {
      slope += std::max(a, 0.0);
      breaks_.push_back({now - reduced_[i] / a, std::abs(a)});
    }
  }
  const auto pieces = part_.pieces_of(row);
  for (std::size_t k = 0; k + 1 < pieces.size(); ++k) {
    breaks_.push_back({pieces[k].slope, pieces[k].length});
  }
  std::sort(
      breaks_.begin(), breaks_.end(), [](const Break& a, const Break& b) { return a.at < b.at; });
  double least = 0.0, most = kInfinity;
  if (row.is_equality) least = -kInfinity;
  if (!pieces.empty()) most = pieces.back().slope;
  std::size_t k = 0;
  while (k < breaks_.size() && slope > kFlat) slope -= breaks_[k++].drop;
  // The slope is no longer above 0 from the last break on, and is 0 up to the next, if it is 0.
  double begin = k > 0 ? breaks_[k - 1].at : least;
  double end = begin;
  if (slope > kFlat) {
    begin = end = std::isfinite(most) ? most : std::max(begin, now);  // nothing holds it
  } else if (slope >= -kFlat) {
    end = k < breaks_.size() ? breaks_[k].at : begin;
    if (!std::isfinite(begin)) begin = end;
  }
  if (!std::isfinite(begin) || !std::isfinite(end)) return now;
  begin = std::clamp(begin, least, most);
  end = std::clamp(end, least, most);
  return 0.5 * (begin + end);
}

void BinaryBound::ascend(std::uint32_t r) {
  const BinaryRow& row = part_.rows[r];
  if (domains_.num_free(r) == 0 && row.is_equality) return;
  // Least residual -1: a sum that must be 1, with nothing at 1 yet.
  const bool is_exactly_one =
      row.is_unit && domains_.num_free(r) > 1 && std::abs(domains_.least(r) + 1.0) < kFlat;
  set_multiplier(r, is_exactly_one ? unit_multiplier(r) : best_multiplier(r));
}

void BinaryBound::ascend_all(int max_passes, double least_gain, double enough) {
  const auto num_rows = static_cast<std::uint32_t>(part_.rows.size());
  for (int pass = 0; pass < max_passes; ++pass) {
    const double before = value_;
    for (std::uint32_t k = 0; k < num_rows; ++k) ascend(pass % 2 == 0 ? k : num_rows - 1 - k);
    if (value_ >= enough || (pass > 1 && value_ - before < least_gain)) return;
  }
}

double BinaryBound::missing(std::uint32_t r) const {
  const BinaryRow& row = part_.rows[r];
  double residual = row.offset;
  for (const auto& [i, a] : part_.entries_of(row)) {
    if (preferred(i) == 1) residual += a;
  }
  const double m = multiplier_[r];
  if (!row.is_hard()) {
    return cost_of(part_.pieces_of(row), residual) - m * residual + conjugate(row, m);
  }
  const bool is_broken = residual > kFeasible || (row.is_equality && residual < -kFeasible);
  return is_broken ? kInfinity : -m * residual;
}

}  // namespace sorites
