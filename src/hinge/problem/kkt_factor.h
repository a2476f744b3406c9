// Linear systems of active sets: which variables and rows take part changes, the pattern does not.
//
//   [ C   A' ] [ x  ]
//   [ A  -D  ] [ mu ],    C and D diagonal and positive,
//
// over the variables and rows of a problem, groups as rows. Such a matrix is quasidefinite: it has
// a factorisation LDL' in every order (Vanderbei, "Symmetric quasidefinite matrices", 1995), so
// that order and pattern of L are found once for all active sets.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hinge/problem/problem.h"

namespace sorites {

// Unknowns are the variables, then the rows, then the groups; each has a place in the order.
struct KktPattern {
  // The entries of A, row by row.
  struct Entry {
    std::uint32_t variable, row;  // unknowns
    double coefficient;
  };
  std::vector<Entry> entries;

  std::vector<std::uint32_t> place;  // per unknown
  // A by places: the entries of place k that are with earlier places.
  std::vector<std::size_t> begin;  // per place, and the end
  std::vector<std::uint32_t> with;
  std::vector<double> coefficient;
  // L: the earlier places in row k, ascending, and the rows of every column.
  std::vector<std::size_t> row_begin;  // per place, and the end
  std::vector<std::uint32_t> row_places;
  std::vector<std::size_t> column_begin;  // per place, and the end
  std::vector<std::uint32_t> column_rows;

  std::size_t size() const { return place.size(); }
};

// Nothing if L would have more entries than `most_factor_entries`.
std::optional<KktPattern> kkt_pattern_of(const Problem& problem, std::size_t most_factor_entries);

class KktFactor {
 public:
  explicit KktFactor(const KktPattern& pattern);

  // Both per unknown: the diagonal (C, -D), and whether the unknown takes part. Where it does not,
  // its equation is  unknown = right side.
  void factorise(std::span<const double> diagonal, std::span<const char> takes_part);

  // The right side becomes the solution.
  void solve(std::span<double> right);

 private:
  const KktPattern& pattern_;
  std::unique_ptr<double[]> lower_;  // per entry of a column of L; not set before factorise()
  std::vector<double> pivot_;        // per place
  std::vector<double> work_;         // per place; 0 between calls
  std::vector<std::size_t> next_;    // per column: where its next entry goes
  std::vector<char> takes_part_;     // per place
};

}  // namespace sorites
