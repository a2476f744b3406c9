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

  // The segments of a variable. Terms that are active right of their breakpoint are summed from the
  // left, the others from the right: nothing is ever subtracted, so curvature stays positive and
  // slopes ascend.
  void segments(std::size_t variable, double lower, double upper, std::vector<Segment>& out) const {
    const std::size_t first = fold_.begin[variable], last = fold_.begin[variable + 1];
    out.clear();
    Segment sum{.start = lower};
    for (std::size_t e = first; e < last; ++e) {
      if (!acts_right(e)) {
        if (fold_.events[e].breakpoint > lower && acts(e))
          open(fold_.events[e].breakpoint, lower, upper, sum, out);
        continue;
      }
      const double t = fold_.events[e].breakpoint;
      if (t >= upper || !acts(e)) continue;
      open(t, lower, upper, sum, out);
      add(e, sum);
    }
    out.push_back(sum);
    Segment left;
    std::size_t k = out.size();
    for (std::size_t e = last; e-- > first;) {
      if (acts_right(e) || !acts(e)) continue;
      const double t = fold_.events[e].breakpoint;
      while (k > 0 && out[k - 1].start >= t) accumulate(left, out[--k]);
      add(e, left);
    }
    while (k > 0) accumulate(left, out[--k]);
  }

 private:
  bool acts(std::size_t e) const { return rates_[fold_.events[e].piece] != 0.0; }
  bool acts_right(std::size_t e) const {
    return fold_.pieces[fold_.events[e].piece].coefficient > 0.0;
  }

  // Closes the segment `sum` at a breakpoint within the bounds.
  static void open(double t, double lower, double upper, Segment& sum, std::vector<Segment>& out) {
    if (t <= lower || t >= upper || t <= sum.start) return;
    out.push_back(sum);
    sum.start = t;
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
  std::vector<std::vector<Segment>> segments(kParts);
  FoldedTerms folded;
  folded.begin.assign(num_variables + 1, 0);
  pool.for_each(kParts, [&](std::size_t p) {
    const Part part = part_of(num_variables, kParts, p);
    std::vector<Segment> own;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      folder.segments(i, lower[i], upper[i], own);
      folded.begin[i + 1] = own.size();
      segments[p].insert(segments[p].end(), own.begin(), own.end());
    }
  });
  for (std::size_t i = 0; i < num_variables; ++i) folded.begin[i + 1] += folded.begin[i];
  folded.segments.resize(folded.begin[num_variables]);
  pool.for_each(kParts, [&](std::size_t p) {
    const std::size_t first = folded.begin[part_of(num_variables, kParts, p).begin];
    std::copy(segments[p].begin(),
              segments[p].end(),
              folded.segments.begin() + static_cast<std::ptrdiff_t>(first));
    std::vector<Segment>().swap(segments[p]);
  });
  return folded;
}

}  // namespace sorites
