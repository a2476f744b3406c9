// How terms of one variable are summed to segments: what fold.cc and fold_window.cc share.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "hinge/presolve/fold.h"

namespace sorites {

// What an active term of a piece adds, if its breakpoint is t: a hinge w (a x + b) = line (x - t),
// a squared one w (a x + b)^2 = bend (x - t)^2 / 2. The other number is 0, which costs less than a
// branch that nothing can foresee.
struct Rates {
  double line = 0.0, bend = 0.0;

  void add(double t, Segment& sum) const {
    sum.curvature += bend;
    sum.slope += line - bend * t;
    sum.constant += 0.5 * bend * t * t - line * t;
  }
  void add(double t, double count, Segment& sum) const {
    Rates{line * count, bend * count}.add(t, sum);
  }
};

// The pieces of a fold with the weights of their rules.
class Folder {
 public:
  Folder(std::span<const FoldPiece> pieces, std::span<const double> rule_weights) {
    pieces_.reserve(pieces.size());
    for (const FoldPiece& piece : pieces) {
      const double w = rule_weights[piece.rule], a = piece.coefficient;
      Rates rates;
      if (piece.kind == TermKind::kHinge) {
        rates.line = w * a;
      } else {
        rates.bend = 2.0 * w * a * a;
      }
      pieces_.push_back({a > 0.0 ? rates : Rates{}, a > 0.0 ? Rates{} : rates, w != 0.0});
    }
  }

  Rates rates(std::uint32_t piece) const {
    const Piece& of = pieces_[piece];
    return {of.right.line + of.left.line, of.right.bend + of.left.bend};
  }

  // How many segments a variable has: one more than there are breakpoints within its bounds.
  std::size_t count(std::span<const FoldEvent> events, double lower, double upper) const {
    std::size_t segments = 1;
    double start = lower;
    for (const FoldEvent& event : events) {
      if (event.breakpoint <= start || event.breakpoint >= upper) continue;
      if (!pieces_[event.piece].acts) continue;
      start = event.breakpoint;
      ++segments;
    }
    return segments;
  }

  // The segments of a variable. Terms that are active right of their breakpoint are summed from the
  // left, the others from the right: nothing is ever subtracted, so curvature stays positive and
  // slopes ascend. `right` and `left` are what each of the sums starts from.
  void fill(std::span<const FoldEvent> events,
            Segment right,
            Segment left,
            double lower,
            double upper,
            std::span<Segment> out) const {
    std::size_t k = 0;
    right.start = lower;
    for (const FoldEvent& event : events) {
      const double t = event.breakpoint;
      if (t >= upper) break;
      const Piece& piece = pieces_[event.piece];
      if (t > right.start && piece.acts) {
        out[k++] = right;
        right.start = t;
      }
      piece.right.add(t, right);
    }
    out[k++] = right;
    std::size_t e = events.size();
    while (k-- > 0) {
      for (; e > 0 && events[e - 1].breakpoint > out[k].start; --e) {
        pieces_[events[e - 1].piece].left.add(events[e - 1].breakpoint, left);
      }
      out[k].constant += left.constant;
      out[k].slope += left.slope;
      out[k].curvature += left.curvature;
    }
  }

 private:
  struct Piece {
    Rates right, left;  // of terms that are active right and left of their breakpoint
    bool acts = false;
  };
  std::vector<Piece> pieces_;
};

// Whether weights are 0 where others were: then kinks are where they were.
inline bool have_same_zeros(std::span<const double> weights, std::span<const double> others) {
  return std::equal(
      weights.begin(), weights.end(), others.begin(), others.end(), [](double a, double b) {
        return (a == 0.0) == (b == 0.0);
      });
}

// The segments of all variables, by count(i) and fill(i, segments). If `kinks_stay`, there are as
// many as `folded` has already.
template <class Count, class Fill>
void fold_variables(std::size_t num_variables,
                    const Count& count,
                    const Fill& fill,
                    bool kinks_stay,
                    ThreadPool& pool,
                    FoldedTerms& folded) {
  constexpr std::size_t kFew = 1000;  // variables that take less time than waking a thread
  const std::size_t parts = num_variables < kFew ? 1 : kPresolveParts;
  const auto for_variables = [&](const auto& visit) {
    pool.for_each(parts, [&](std::size_t p) {
      const Part part = part_of(num_variables, parts, p);
      for (std::size_t i = part.begin; i < part.end; ++i) visit(i);
    });
  };
  if (!kinks_stay || folded.begin.empty()) {
    folded.begin.assign(num_variables + 1, 0);
    for_variables([&](std::size_t i) { folded.begin[i + 1] = count(i); });
    for (std::size_t i = 0; i < num_variables; ++i) folded.begin[i + 1] += folded.begin[i];
    folded.segments.resize(folded.begin[num_variables]);
  }
  for_variables([&](std::size_t i) {
    fill(i,
         std::span<Segment>(folded.segments.data() + folded.begin[i],
                            folded.begin[i + 1] - folded.begin[i]));
  });
}

}  // namespace sorites
