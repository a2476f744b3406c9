// Groundings in which different literals of a clause are the same atom. There the clause has fewer
// atoms than literals, and its probability of being violated is not the product over literals.
#pragma once

#include <cstdint>
#include <vector>

#include "meanfield/model.h"

namespace sorites {

// What stands for each variable of a formula: another variable or a constant. Idempotent: what
// stands for something stands for itself.
using Substitution = std::vector<MeanFieldTerm>;

MeanFieldTerm substituted(const Substitution& substitution, MeanFieldTerm term);

// A literal's atom with the values at which the literal does not hold.
struct Violation {
  std::uint32_t predicate = 0;
  std::vector<MeanFieldTerm> terms;
  std::vector<std::uint32_t> values;

  bool operator==(const Violation&) const = default;
};

// factor * sum over all variables of the product of P(violation), with what `substitution` equates.
struct ViolationProduct {
  double factor = 1.0;
  Substitution substitution;
  std::vector<Violation> violations;
};

// Of seven literals of one predicate there are 877, which take seconds; eight would take minutes.
inline constexpr std::size_t kMostWaysToEquate = 1000;

// Products that add up to the expected number of groundings that violate the clause. The first one
// takes literals for different atoms; the others, over fewer variables, correct it where they are
// not, by inclusion and exclusion over the ways to equate literals. Throws std::length_error if
// these are more than kMostWaysToEquate.
std::vector<ViolationProduct> expected_violations(const MeanFieldModel& model,
                                                  const MeanFieldFormula& formula,
                                                  const MeanFieldClause& clause);

// A clause where some of its literals are one atom: these are merged, their values united.
struct MergedClause {
  MeanFieldClause literals;  // after the substitution
  Substitution substitution;
};
// The clause itself and what it is in all ways to equate literals, but for those in which it always
// holds. Throws as above.
std::vector<MergedClause> merged_clauses(const MeanFieldModel& model,
                                         const MeanFieldFormula& formula,
                                         const MeanFieldClause& clause);

}  // namespace sorites
