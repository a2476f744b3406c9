// Presolve: from a ground model to the Problem that solvers work on, and back.
//
// Lossless: equal atoms become one variable, fixed atoms go, terms of one variable are folded into
// its own function, equal rows are merged, disjoint sums become groups. Nothing depends on weights,
// so new weights only change numbers; terms with network outputs are kept apart from what depends
// on offsets, so new outputs only change numbers too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/thread_pool.h"
#include "hinge/presolve/fold.h"
#include "hinge/presolve/fold_window.h"
#include "hinge/presolve/output_terms.h"
#include "hinge/presolve/reduce_atoms.h"
#include "hinge/presolve/row_weights.h"
#include "hinge/problem/deadline.h"
#include "hinge/problem/problem.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// Where a term went, if not to a row.
inline constexpr std::uint32_t kFoldedTerm = ~std::uint32_t{0} - 1;
inline constexpr std::uint32_t kGoneTerm = ~std::uint32_t{0};  // aliases, bounds, constants

// The equality that is a group: coefficient (sum of atoms) + offset = 0.
struct GroupTerm {
  TermId term;
  double coefficient = 0.0;
};

struct Presolved {
  Problem problem;
  AtomMap atoms;
  Fold fold;
  std::vector<std::uint32_t> row_of_term;   // per term: its row, or one of the above
  std::vector<GroupTerm> group_terms;       // per group
  std::vector<TermId> constant_terms;       // whose atoms are all fixed
  RowWeights row_weights;                   // made when weights change for the first time
  std::optional<OutputTerms> output_terms;  // the same of outputs
  Parameters parameters;                    // that are in `problem`
  std::vector<double> centre;  // of the window that functions in `problem` are of; empty: whole
  std::optional<FoldWindow> window;  // of the fold as it is
  PresolveSummary summary;
  bool infeasible = false;  // hard terms contradict each other already here
};

Presolved presolve(const Model& model, const Parameters& parameters, ThreadPool& pool);
// The same; nothing if that takes longer than there is time.
std::optional<Presolved> presolve_in_time(const Model& model,
                                          const Parameters& parameters,
                                          const Deadline& deadline,
                                          ThreadPool& pool);

// Where the functions of variables must be right.
enum class Extent : std::uint8_t {
  kEverywhere,
  kWindow,  // in Presolved::window, if there is one; outside they lie below
};

// Puts other numbers into a presolved model. Other outputs move terms, so that there is no window
// any more.
void set_parameters(Presolved& presolved,
                    const Model& model,
                    const Parameters& parameters,
                    Extent extent,
                    ThreadPool& pool);

}  // namespace sorites
