#include "hinge/presolve/fold.h"

#include <algorithm>

#include "hinge/presolve/folder.h"

namespace sorites {
void sort_events(Fold& fold, ThreadPool& pool) {
  const std::size_t num_variables = fold.begin.size() - 1;
  pool.for_each(kPresolveParts, [&](std::size_t p) {
    const Part part = part_of(num_variables, kPresolveParts, p);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      std::sort(fold.events.begin() + static_cast<std::ptrdiff_t>(fold.begin[i]),
                fold.events.begin() + static_cast<std::ptrdiff_t>(fold.begin[i + 1]),
                stands_before);
    }
  });
}

FoldedTerms folded_terms(const Fold& fold,
                         std::span<const double> rule_weights,
                         std::span<const double> lower,
                         std::span<const double> upper,
                         ThreadPool& pool) {
  FoldedTerms folded;
  refold_terms({fold, rule_weights, {lower, upper}}, pool, folded);
  return folded;
}

void refold_terms(const FoldInput& input, ThreadPool& pool, FoldedTerms& folded) {
  const Fold& fold = input.fold;
  const VariableBounds& bounds = input.bounds;
  const auto events_of = [&](std::size_t i) {
    return std::span<const FoldEvent>(fold.events)
        .subspan(fold.begin[i], fold.begin[i + 1] - fold.begin[i]);
  };
  const Folder folder(fold.pieces, input.rule_weights);
  fold_variables(
      bounds.lower.size(),
      [&](std::size_t i) { return folder.count(events_of(i), bounds.lower[i], bounds.upper[i]); },
      [&](std::size_t i, std::span<Segment> out) {
        folder.fill(events_of(i), {}, {}, bounds.lower[i], bounds.upper[i], out);
      },
      input.kinks_stay,
      pool,
      folded);
}

}  // namespace sorites
