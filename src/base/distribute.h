// Conjunctions of clauses under "and" and "or", whatever a literal is. A clause is a list of
// literals, any of which holds; a conjunction that has become too long is none.
//
// `simplify` takes a list of clauses and returns an equal one without what always holds or stands
// twice, or none if it is longer than may be.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace sorites {

template <class Clause>
using Clauses = std::optional<std::vector<Clause>>;

template <class Clause, class Simplify>
Clauses<Clause> all_of(const std::vector<const Clauses<Clause>*>& parts,
                       std::size_t max_clauses,
                       const Simplify& simplify) {
  std::vector<Clause> clauses;
  for (const Clauses<Clause>* part : parts) {
    if (!*part) return std::nullopt;
    clauses.insert(clauses.end(), (*part)->begin(), (*part)->end());
    // Twice the limit leaves room for duplicates, and bounds the work.
    if (clauses.size() > 2 * max_clauses) {
      Clauses<Clause> fewer = simplify(std::move(clauses));
      if (!fewer) return std::nullopt;
      clauses = std::move(*fewer);
    }
  }
  return simplify(std::move(clauses));
}

// Distributes: (a & b) | (c & d) is (a | c) & (a | d) & (b | c) & (b | d).
template <class Clause, class Simplify>
Clauses<Clause> any_of(const std::vector<const Clauses<Clause>*>& parts, const Simplify& simplify) {
  std::vector<Clause> clauses(1);  // the empty clause, which is false
  for (const Clauses<Clause>* part : parts) {
    if (!*part) return std::nullopt;
    if ((*part)->size() == 1) {
      for (Clause& clause : clauses) {
        clause.insert(clause.end(), (*part)->front().begin(), (*part)->front().end());
      }
      continue;
    }
    std::vector<Clause> products;
    for (const Clause& clause : clauses) {
      for (const Clause& other : **part) {
        Clause& product = products.emplace_back(clause);
        product.insert(product.end(), other.begin(), other.end());
      }
    }
    Clauses<Clause> simpler = simplify(std::move(products));
    if (!simpler) return std::nullopt;
    clauses = std::move(*simpler);
  }
  return simplify(std::move(clauses));
}

}  // namespace sorites
