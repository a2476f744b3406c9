// The folded functions near a point, for weights that change a little.
//
// Most terms of a variable have their kink far from where the variable is: there each is either
// active or not. A window keeps the kinks near x one by one, and sums up the others by piece, so
// that new weights cost little. Within its ends the function is the whole one. Outside it lies
// below: terms that are active within go on along their tangent where they would end, those that
// are not stay 0. So lower bounds hold wherever x goes, and objectives wherever x is within the
// window.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "hinge/presolve/fold.h"

namespace sorites {

// The terms of a piece that are active all over a window: of a hinge,
// count line (x - mean); of a squared one, bend (count (x - mean)^2 + spread) / 2.
struct ActiveTerms {
  std::uint32_t piece = 0;
  double count = 0.0, mean = 0.0, spread = 0.0;
};

struct FoldWindow {
  std::vector<double> centre;             // per variable: what it is around, or kNoWindow
  std::vector<double> low, high;          // per variable: where the function is the whole one
  std::vector<std::size_t> active_begin;  // per variable, and the end
  std::vector<ActiveTerms> active;
  std::vector<std::size_t> events_begin;  // the same of the kinks within
  std::vector<FoldEvent> events;
};

// The centre of a variable whose function is whole everywhere: no truth value.
inline constexpr double kNoWindow = 2.0;

// Around a centre per variable, within its bounds or kNoWindow. Events of the fold must be sorted.
FoldWindow window_around(const Fold& fold, std::vector<double> centre);

bool is_within(const FoldWindow& window, std::span<const double> x);

// Variables that are not within their window have none any more. How many variables have none.
std::size_t open_windows(const Fold& fold, std::span<const double> x, FoldWindow& window);

// As refold_terms, with functions that are whole within the window only.
void fold_window(const FoldInput& input,
                 const FoldWindow& window,
                 ThreadPool& pool,
                 FoldedTerms& folded);

}  // namespace sorites
