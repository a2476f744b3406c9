#include "solve/fold.h"

#include <algorithm>

namespace sorites {
namespace {

constexpr std::size_t kParts = 64;  // of the variables, shared by the threads

// An active hinge is w (a x + b) = rate (x - t), a squared one w (a x + b)^2 = rate (x - t)^2 / 2.
std::vector<double> rates_of(const Fold& fold, std::span<const double> rule_weights) {
  std::vector<double> rates;
  rates.reserve(fold.pieces.size());
  for (const FoldPiece& piece : fold.pieces) {
    const double weight = rule_weights[piece.rule];
    rates.push_back(piece.kind == TermKind::kHinge
                        ? weight * piece.coefficient
                        : 2.0 * weight * piece.coefficient * piece.coefficient);
  }
  return rates;
}

class Folder {
 public:
  Folder(const Fold& fold, std::span<const double> rule_weights)
      : fold_(fold), rates_(rates_of(fold, rule_weights)) {}

  // How many segments a variable has: one more than there are breakpoints within its bounds.
  std::size_t count(std::size_t variable, double lower, double upper) const {
    std::size_t segments = 1;
    double start = lower;
    for (std::size_t e = fold_.begin[variable]; e < fold_.begin[variable + 1]; ++e) {
      const double t = fold_.events[e].breakpoint;
      if (t <= start || t >= upper || !acts(e)) continue;
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
      if (!acts(e) || t >= upper) continue;
      if (t > sum.start) {
        out[k++] = sum;
        sum.start = t;
      }
      if (acts_right(e)) add(e, sum);
    }
    out[k++] = sum;
    Segment left;
    for (std::size_t e = last; e-- > first;) {
      if (acts_right(e) || !acts(e)) continue;
      while (k > 0 && out[k - 1].start >= fold_.events[e].breakpoint) accumulate(left, out[--k]);
      add(e, left);
    }
    while (k > 0) accumulate(left, out[--k]);
  }

 private:
  bool acts(std::size_t e) const { return rates_[fold_.events[e].piece] != 0.0; }
  bool acts_right(std::size_t e) const {
    return fold_.pieces[fold_.events[e].piece].coefficient > 0.0;
  }

  void add(std::size_t e, Segment& sum) const {
    const FoldEvent& event = fold_.events[e];
    const double rate = rates_[event.piece], t = event.breakpoint;
    if (fold_.pieces[event.piece].kind == TermKind::kHinge) {
      sum.slope += rate;
      sum.constant -= rate * t;
    } else {
      sum.curvature += rate;
      sum.slope -= rate * t;
      sum.constant += 0.5 * rate * t * t;
    }
  }

  static void accumulate(const Segment& from, Segment& to) {
    to.constant += from.constant;
    to.slope += from.slope;
    to.curvature += from.curvature;
  }

  const Fold& fold_;
  std::vector<double> rates_;  // per piece
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
  const std::size_t num_variables = lower.size();
  const Folder folder(fold, rule_weights);
  FoldedTerms folded;
  folded.begin.assign(num_variables + 1, 0);
  pool.for_each(kParts, [&](std::size_t p) {
    const Part part = part_of(num_variables, kParts, p);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      folded.begin[i + 1] = folder.count(i, lower[i], upper[i]);
    }
  });
  for (std::size_t i = 0; i < num_variables; ++i) folded.begin[i + 1] += folded.begin[i];
  folded.segments.resize(folded.begin[num_variables]);
  pool.for_each(kParts, [&](std::size_t p) {
    const Part part = part_of(num_variables, kParts, p);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const std::span<Segment> own(folded.segments.data() + folded.begin[i],
                                   folded.begin[i + 1] - folded.begin[i]);
      folder.fill(i, lower[i], upper[i], own);
    }
  });
  return folded;
}

}  // namespace sorites
