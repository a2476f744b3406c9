#include "meanfield/unification.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace sorites {
namespace {

constexpr MeanFieldTerm variable(std::size_t index) {
  return {false, static_cast<std::uint32_t>(index)};
}

Substitution identity(std::size_t num_variables) {
  Substitution result;
  for (std::size_t i = 0; i < num_variables; ++i) result.push_back(variable(i));
  return result;
}

// Makes two terms equal; false if they are different constants.
bool equate(Substitution& substitution, MeanFieldTerm x, MeanFieldTerm y) {
  x = substituted(substitution, x);
  y = substituted(substitution, y);
  if (x == y) return true;
  if (x.is_constant && y.is_constant) return false;
  // A constant stands for a variable, else the variable that comes first.
  if (x.is_constant || (!y.is_constant && x.index < y.index)) std::swap(x, y);
  for (MeanFieldTerm& term : substitution) {
    if (term == x) term = y;
  }
  return true;
}

std::optional<Substitution> unifier(const MeanFieldLiteral& x,
                                    const MeanFieldLiteral& y,
                                    std::size_t num_variables) {
  if (x.predicate != y.predicate) return std::nullopt;
  Substitution result = identity(num_variables);
  for (std::size_t i = 0; i < x.terms.size(); ++i) {
    if (!equate(result, x.terms[i], y.terms[i])) return std::nullopt;
  }
  return result;
}

// The most general substitution that equates what either does.
std::optional<Substitution> join(Substitution x, const Substitution& y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!equate(x, variable(i), y[i])) return std::nullopt;
  }
  return x;
}

// Whether `special` equates all that `general` does.
bool refines(const Substitution& special, const Substitution& general) {
  for (std::size_t i = 0; i < general.size(); ++i) {
    if (substituted(special, variable(i)) != substituted(special, general[i])) return false;
  }
  return true;
}

// All ways to equate literals: unifiers of pairs and their joins, the identity first.
std::vector<Substitution> ways_to_equate(const MeanFieldClause& clause, std::size_t num_variables) {
  std::vector<Substitution> ways{identity(num_variables)};
  for (std::size_t i = 0; i < clause.size(); ++i) {
    for (std::size_t j = i + 1; j < clause.size(); ++j) {
      const auto pair = unifier(clause[i], clause[j], num_variables);
      if (!pair) continue;
      for (std::size_t k = 0, end = ways.size(); k < end; ++k) {
        const auto both = join(ways[k], *pair);
        if (both && std::find(ways.begin(), ways.end(), *both) == ways.end()) {
          ways.push_back(*both);
          if (ways.size() > kMostWaysToEquate) throw std::length_error("too many ways to equate");
        }
      }
    }
  }
  return ways;
}

std::vector<std::uint32_t> other_values(const MeanFieldModel& model,
                                        const MeanFieldLiteral& literal) {
  std::vector<std::uint32_t> others;
  for (std::uint32_t value = 0; value < model.predicates[literal.predicate].num_values(); ++value) {
    if (!std::binary_search(literal.values.begin(), literal.values.end(), value)) {
      others.push_back(value);
    }
  }
  return others;
}

std::vector<MeanFieldTerm> substituted(const Substitution& substitution,
                                       std::vector<MeanFieldTerm> terms) {
  for (MeanFieldTerm& term : terms) term = substituted(substitution, term);
  return terms;
}

// The violations under a substitution, one per atom; nothing if an atom would need a value that
// violates two literals and there is none.
std::optional<std::vector<Violation>> merged_violations(const MeanFieldModel& model,
                                                        const MeanFieldClause& clause,
                                                        const Substitution& substitution) {
  std::vector<Violation> result;
  for (const MeanFieldLiteral& literal : clause) {
    Violation violation{
        literal.predicate, substituted(substitution, literal.terms), other_values(model, literal)};
    const auto same = std::find_if(result.begin(), result.end(), [&](const Violation& other) {
      return other.predicate == violation.predicate && other.terms == violation.terms;
    });
    if (same == result.end()) {
      result.push_back(std::move(violation));
      continue;
    }
    std::vector<std::uint32_t> both;
    std::set_intersection(same->values.begin(),
                          same->values.end(),
                          violation.values.begin(),
                          violation.values.end(),
                          std::back_inserter(both));
    if (both.empty()) return std::nullopt;
    same->values = std::move(both);
  }
  return result;
}

// The literals under a substitution, one per atom; nothing if one of them holds whatever its value.
std::optional<MeanFieldClause> merged_literals(const MeanFieldModel& model,
                                               const MeanFieldClause& clause,
                                               const Substitution& substitution) {
  MeanFieldClause result;
  for (const MeanFieldLiteral& given : clause) {
    MeanFieldLiteral literal{given.predicate, substituted(substitution, given.terms), given.values};
    const auto same = std::find_if(result.begin(), result.end(), [&](const auto& other) {
      return other.predicate == literal.predicate && other.terms == literal.terms;
    });
    if (same == result.end()) {
      result.push_back(std::move(literal));
      continue;
    }
    std::vector<std::uint32_t> either;
    std::set_union(same->values.begin(),
                   same->values.end(),
                   literal.values.begin(),
                   literal.values.end(),
                   std::back_inserter(either));
    if (either.size() == model.predicates[literal.predicate].num_values()) return std::nullopt;
    same->values = std::move(either);
  }
  return result;
}

// The Moebius function of the order of substitutions, from `base` to each: sums over what refines
// base and is refined by something else are 1 for base itself and 0 else.
std::vector<double> moebius(const std::vector<Substitution>& ways, std::size_t base) {
  std::vector<double> mu(ways.size(), 0.0);
  std::vector<std::size_t> above;  // from general to special
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (refines(ways[i], ways[base])) above.push_back(i);
  }
  // Counted before sorting: the order must not depend on where elements stand meanwhile.
  std::vector<std::size_t> num_below(ways.size(), 0);
  for (const std::size_t i : above) {
    for (const std::size_t j : above) {
      if (refines(ways[i], ways[j])) ++num_below[i];
    }
  }
  std::stable_sort(above.begin(), above.end(), [&](std::size_t x, std::size_t y) {
    return num_below[x] < num_below[y];
  });
  for (const std::size_t i : above) {
    mu[i] = i == base ? 1.0 : 0.0;
    for (const std::size_t j : above) {
      if (j != i && refines(ways[i], ways[j])) mu[i] -= mu[j];
    }
  }
  return mu;
}

}  // namespace

MeanFieldTerm substituted(const Substitution& substitution, MeanFieldTerm term) {
  return term.is_constant ? term : substitution[term.index];
}

std::vector<ViolationProduct> expected_violations(const MeanFieldModel& model,
                                                  const MeanFieldFormula& formula,
                                                  const MeanFieldClause& clause) {
  const auto ways = ways_to_equate(clause, formula.variables.size());
  std::vector<ViolationProduct> result;
  for (std::size_t base = 0; base < ways.size(); ++base) {
    const auto violations = merged_violations(model, clause, ways[base]);
    if (!violations) continue;
    const std::vector<double> mu = moebius(ways, base);
    for (std::size_t way = 0; way < ways.size(); ++way) {
      if (mu[way] == 0.0) continue;
      ViolationProduct product{mu[way], ways[way], *violations};
      for (Violation& violation : product.violations) {
        violation.terms = substituted(ways[way], std::move(violation.terms));
      }
      result.push_back(std::move(product));
    }
  }
  return result;
}

std::vector<MergedClause> merged_clauses(const MeanFieldModel& model,
                                         const MeanFieldFormula& formula,
                                         const MeanFieldClause& clause) {
  std::vector<MergedClause> result;
  for (Substitution& way : ways_to_equate(clause, formula.variables.size())) {
    auto literals = merged_literals(model, clause, way);
    if (literals) result.push_back({std::move(*literals), std::move(way)});
  }
  return result;
}

}  // namespace sorites
