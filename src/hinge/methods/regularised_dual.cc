#include "hinge/methods/regularised_dual.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "hinge/problem/row_loop.h"

namespace sorites {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Of a residual: so far a hard row may miss a corner of the box. Rounding errors of g are sums of
// thousands of steps (refresh), and tolerances of hard rows are far above.
constexpr double kRounding = 1e-10;

template <bool kShared, class Value>
Value load(Value& from) {
  if constexpr (kShared) return std::atomic_ref<Value>(from).load(std::memory_order_relaxed);
  return from;
}
template <bool kShared, class Value>
void store(Value& to, Value value) {
  if constexpr (kShared) {
    std::atomic_ref<Value>(to).store(value, std::memory_order_relaxed);
  } else {
    to = value;
  }
}
template <bool kShared>
void add(double& to, double change) {
  if constexpr (kShared) {
    std::atomic_ref<double>(to).fetch_add(change, std::memory_order_relaxed);
  } else {
    to += change;
  }
}

}  // namespace

RegularisedDual::RegularisedDual(const Problem& problem, std::vector<double> multipliers)
    : problem_(problem), multipliers_(std::move(multipliers)), piece_(problem.num_variables, 0) {
  regularise(std::vector<double>(problem.num_variables, 1.0),
             std::vector<double>(problem.num_variables, 0.0));
}

void RegularisedDual::regularise(std::vector<double> eps, std::vector<double> centre) {
  eps_ = std::move(eps);
  centre_ = std::move(centre);
  refresh();
}

void RegularisedDual::refresh() {
  linear_.assign(problem_.num_variables, 0.0);
  for_blocks(problem_,
             {0, problem_.num_rows()},
             [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
               const std::uint32_t* entry = problem_.variables_of(block, first).data();
               for (std::size_t row = first; row < last; ++row, entry += width.value(block)) {
                 scatter(block, width, entry, multipliers_[row], linear_.data());
               }
             });
  for (std::size_t i = 0; i < linear_.size(); ++i) linear_[i] -= 2.0 * eps_[i] * centre_[i];
}

std::uint32_t RegularisedDual::last_piece(std::size_t variable) const {
  return static_cast<std::uint32_t>(2 * problem_.folded.of(variable).size());
}

double RegularisedDual::border(std::size_t variable, std::uint32_t piece) const {
  const auto segments = problem_.folded.of(variable);
  const std::size_t k = piece / 2;
  double x = segments[k].start;
  if (piece % 2 == 1)
    x = k + 1 < segments.size() ? segments[k + 1].start : problem_.upper[variable];
  return -(segments[k].slope + (segments[k].curvature + 2.0 * eps_[variable]) * x);
}

std::uint32_t RegularisedDual::piece_at(std::size_t variable,
                                        double linear,
                                        std::uint32_t hint) const {
  while (hint > 0 && linear > border(variable, hint - 1)) --hint;
  while (hint < last_piece(variable) && linear < border(variable, hint)) ++hint;
  return hint;
}

Minimum RegularisedDual::minimum(const Entry& entry) const {
  const auto segments = problem_.folded.of(entry.variable);
  const std::size_t k = entry.piece / 2;
  if (k == segments.size()) return {problem_.upper[entry.variable], 0.0};
  if (entry.piece % 2 == 0) return {segments[k].start, 0.0};
  const double inverse = 1.0 / (segments[k].curvature + 2.0 * eps_[entry.variable]);
  return {-(segments[k].slope + entry.linear) * inverse, inverse};
}

// A part of a line on which all entries stay on their pieces.
struct RegularisedDual::Stretch {
  double slope;                   // by which the derivative falls
  double length = kInfinity;      // until an entry comes to the border of its piece
  Entry* crossing = nullptr;      // that entry, if there is one
  double linear_at_border = 0.0;  // of that entry
};

RegularisedDual::Stretch RegularisedDual::stretch_ahead(Scratch& scratch, double curvature) const {
  Stretch ahead{.slope = curvature};
  for (Entry& entry : scratch) {
    ahead.slope += entry.a * entry.a * minimum(entry).inverse_curvature;
    const bool rises = entry.a > 0.0;
    if (rises ? entry.piece == 0 : entry.piece == last_piece(entry.variable)) continue;
    const double at = border(entry.variable, rises ? entry.piece - 1 : entry.piece);
    const double distance = std::max(0.0, (at - entry.linear) / entry.a);
    if (distance < ahead.length) {
      ahead.length = distance;
      ahead.crossing = &entry;
      ahead.linear_at_border = at;
    }
  }
  return ahead;
}

// How far to go while the derivative is positive and falls with `curvature` plus what the entries
// add; `a` of the entries has the direction in it. At most `room`, which may be infinite.
double RegularisedDual::walk_to_maximum(Scratch& scratch,
                                        double derivative,
                                        double curvature,
                                        double room) const {
  double gone = 0.0;
  while (derivative > 0.0) {
    const Stretch ahead = stretch_ahead(scratch, curvature);
    const double to_maximum = ahead.slope > 0.0 ? derivative / ahead.slope : kInfinity;
    const double step = std::min({to_maximum, room - gone, ahead.length});
    if (step == kInfinity) {
      if (derivative > kRounding) gone = kInfinity;
      break;
    }
    gone += step;
    if (step < ahead.length || ahead.crossing == nullptr) break;
    derivative -= step * ahead.slope;
    for (Entry& entry : scratch) entry.linear += entry.a * step;
    ahead.crossing->linear = ahead.linear_at_border;
    ahead.crossing->piece += ahead.crossing->a > 0.0 ? std::uint32_t(-1) : 1U;
  }
  return gone;
}

template <bool kShared>
void RegularisedDual::move(const RowBlock& block,
                           std::size_t row,
                           double change,
                           const Scratch& scratch) {
  multipliers_[row] += change;  // no other thread has this row
  for (std::size_t k = 0; k < scratch.size(); ++k) {
    const std::uint32_t i = scratch[k].variable;
    add<kShared>(linear_[i], block.coefficients[k] * change);
    store<kShared>(piece_[i], scratch[k].piece);
  }
}

template <bool kShared>
double RegularisedDual::ascend_along(const RowBlock& block, std::size_t row, Scratch& scratch) {
  const auto variables = problem_.variables_of(block, row);
  const double w = problem_.weight[row], mu = multipliers_[row];
  const bool squared = block.kind == TermKind::kSquaredHinge && w > 0.0;
  const double curvature = squared ? 0.5 / w : 0.0;
  double derivative = problem_.offset[row] - curvature * mu;
  scratch.resize(variables.size());
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const std::uint32_t i = variables[k];
    const double linear = load<kShared>(linear_[i]);
    scratch[k] = {i, piece_at(i, linear, load<kShared>(piece_[i])), block.coefficients[k], linear};
    derivative += scratch[k].a * minimum(scratch[k]).x;
  }
  const Interval domain = domain_of(block.kind, w);
  const double room = derivative > 0.0 ? domain.high - mu : mu - domain.low;
  if (derivative == 0.0 || !(room > 0.0)) return 0.0;
  const double direction = derivative > 0.0 ? 1.0 : -1.0;
  for (Entry& entry : scratch) entry.a *= direction;
  double step = walk_to_maximum(scratch, std::abs(derivative), curvature, room);
  if (step == kInfinity) step = std::max(1.0, std::abs(mu));
  const double target = step < room ? std::clamp(mu + direction * step, domain.low, domain.high)
                        : direction > 0.0 ? domain.high
                                          : domain.low;
  move<kShared>(block, row, target - mu, scratch);
  return std::abs(derivative);
}

double RegularisedDual::ascend(const RowBlock& block, std::size_t row, Scratch& scratch) {
  return ascend_along<false>(block, row, scratch);
}
double RegularisedDual::ascend_shared(const RowBlock& block, std::size_t row, Scratch& scratch) {
  return ascend_along<true>(block, row, scratch);
}

double RegularisedDual::x(std::size_t variable) {
  piece_[variable] = piece_at(variable, linear_[variable], piece_[variable]);
  return std::clamp(
      minimum({static_cast<std::uint32_t>(variable), piece_[variable], 1.0, linear_[variable]}).x,
      problem_.lower[variable],
      problem_.upper[variable]);
}

double RegularisedDual::value() const {
  double sum = problem_.constant;
  for (const RowBlock& block : problem_.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const double mu = multipliers_[row];
      sum += mu * problem_.offset[row] - conjugate(block.kind, problem_.weight[row], mu);
    }
  }
  for (std::size_t i = 0; i < problem_.num_variables; ++i) {
    const auto segments = problem_.folded.of(i);
    std::uint32_t hint = 0;
    const double at = minimise(segments, problem_.upper[i], linear_[i], 2.0 * eps_[i], hint).x;
    sum += segments[hint].value(at) + (linear_[i] + eps_[i] * at) * at +
           eps_[i] * centre_[i] * centre_[i];
  }
  return sum;
}

}  // namespace sorites
