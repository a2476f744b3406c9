// Presolve: the terms that touch one variable alone become its own function.
//
// Such a term is a hinge with its kink at a breakpoint t = -b / a: it is active right of t if a >
// 0, left of t if a < 0. A fold keeps breakpoints sorted, so that new weights need no sorting.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "hinge/problem/folded.h"
#include "sorites/model.h"

namespace sorites {

// Parts that passes of presolve are cut into: the same whatever the number of threads, and enough
// that threads end together.
inline constexpr std::size_t kPresolveParts = 64;

// What the terms of a block have in common.
struct FoldPiece {
  std::uint32_t rule = 0;
  TermKind kind = TermKind::kHinge;
  double coefficient = 0.0;  // a
  bool has_outputs = false;  // breakpoints move with network outputs
};

struct FoldEvent {
  double breakpoint = 0.0;
  std::uint32_t piece = 0;
};

// The order of the events of a variable: one that does not depend on how they came about, so that
// sums over them do not either.
inline bool stands_before(const FoldEvent& a, const FoldEvent& b) {
  return a.breakpoint != b.breakpoint ? a.breakpoint < b.breakpoint : a.piece < b.piece;
}

struct Fold {
  std::vector<FoldPiece> pieces;
  std::vector<std::size_t> begin;  // per variable, and the end
  std::vector<FoldEvent> events;   // per variable, in ascending order once they are sorted
};

struct VariableBounds {
  std::span<const double> lower, upper;  // per variable
};

void sort_events(Fold& fold, ThreadPool& pool);

// The functions for given weights of rules. Events must be sorted.
FoldedTerms folded_terms(const Fold& fold,
                         std::span<const double> rule_weights,
                         std::span<const double> lower,
                         std::span<const double> upper,
                         ThreadPool& pool);

// What functions are made of.
struct FoldInput {
  const Fold& fold;
  std::span<const double> rule_weights;
  VariableBounds bounds;
  // What is there are functions of this fold (and window) for weights of which the same are 0: then
  // all segments stay.
  bool kinks_stay = false;
};

// The same as folded_terms, in the place of other functions.
void refold_terms(const FoldInput& input, ThreadPool& pool, FoldedTerms& folded);

}  // namespace sorites
