#include "solve/fold.h"

#include <algorithm>

namespace sorites {
namespace {

constexpr std::size_t kParts = 64;  // of the variables, shared by the threads

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
};

class Folder {
 public:
  Folder(const Fold& fold, std::span<const double> rule_weights) : fold_(fold) {
    pieces_.reserve(fold.pieces.size());
    for (const FoldPiece& piece : fold.pieces) {
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

  // How many segments a variable has: one more than there are breakpoints within its bounds.
  std::size_t count(std::size_t variable, double lower, double upper) const {
    std::size_t segments = 1;
    double start = lower;
    for (std::size_t e = fold_.begin[variable]; e < fold_.begin[variable + 1]; ++e) {
      const double t = fold_.events[e].breakpoint;
      if (t <= start || t >= upper || !piece_of(e).acts) continue;
      start = t;
      ++segments;
    }
    return segments;
  }

  // The segments of a variable. Terms that are active right of their breakpoint are summed from the
  // left, the others from the right: nothing is ever subtracted, so curvature stays positive and
  // slopes ascend.
  void fill(std::size_t variable, double lower, double upper, std::span<Segment> out) const {
    const std::size_t first = fold_.begin[variable], last = fold_.begin[variable + 1];
    std::size_t k = 0;
    Segment sum{.start = lower};
    for (std::size_t e = first; e < last; ++e) {
      const double t = fold_.events[e].breakpoint;
      if (t >= upper) break;
      const Piece& piece = piece_of(e);
      if (t > sum.start && piece.acts) {
        out[k++] = sum;
        sum.start = t;
      }
      piece.right.add(t, sum);
    }
    out[k++] = sum;
    Segment left;
    std::size_t e = last;
    while (k-- > 0) {
      for (; e > first && fold_.events[e - 1].breakpoint > out[k].start; --e) {
        piece_of(e - 1).left.add(fold_.events[e - 1].breakpoint, left);
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
  const Piece& piece_of(std::size_t e) const { return pieces_[fold_.events[e].piece]; }

  const Fold& fold_;
  std::vector<Piece> pieces_;
};

}  // namespace

void sort_events(Fold& fold, ThreadPool& pool) {
  const std::size_t num_variables = fold.begin.size() - 1;
  pool.for_each(kParts, [&](std::size_t p) {
    const Part part = part_of(num_variables, kParts, p);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      std::stable_sort(
          fold.events.begin() + static_cast<std::ptrdiff_t>(fold.begin[i]),
          fold.events.begin() + static_cast<std::ptrdiff_t>(fold.begin[i + 1]),
          [](const FoldEvent& a, const FoldEvent& b) { return a.breakpoint < b.breakpoint; });
    }
  });
}

FoldedTerms folded_terms(const Fold& fold,
                         std::span<const double> rule_weights,
                         std::span<const double> lower,
                         std::span<const double> upper,
                         ThreadPool& pool) {
  FoldedTerms folded;
  refold_terms(fold, rule_weights, lower, upper, false, pool, folded);
  return folded;
}

void refold_terms(const Fold& fold,
                  std::span<const double> rule_weights,
                  std::span<const double> lower,
                  std::span<const double> upper,
                  bool kinks_stay,
                  ThreadPool& pool,
                  FoldedTerms& folded) {
  const std::size_t num_variables = lower.size();
  const Folder folder(fold, rule_weights);
  if (!kinks_stay) {
    folded.begin.assign(num_variables + 1, 0);
    pool.for_each(kParts, [&](std::size_t p) {
      const Part part = part_of(num_variables, kParts, p);
      for (std::size_t i = part.begin; i < part.end; ++i) {
        folded.begin[i + 1] = folder.count(i, lower[i], upper[i]);
      }
    });
    for (std::size_t i = 0; i < num_variables; ++i) folded.begin[i + 1] += folded.begin[i];
    folded.segments.resize(folded.begin[num_variables]);
  }
  pool.for_each(kParts, [&](std::size_t p) {
    const Part part = part_of(num_variables, kParts, p);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const std::span<Segment> own(folded.segments.data() + folded.begin[i],
                                   folded.begin[i + 1] - folded.begin[i]);
      folder.fill(i, lower[i], upper[i], own);
    }
  });
}

}  // namespace sorites
