#include "meanfield/grounding_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "meanfield/model.h"

namespace sorites {
namespace {

constexpr std::uint32_t kUnbound = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kNoPredicate = std::numeric_limits<std::uint32_t>::max();

std::vector<std::uint32_t> other_values(std::uint32_t num_values,
                                        const std::vector<std::uint32_t>& values) {
  std::vector<std::uint32_t> others;
  for (std::uint32_t value = 0; value < num_values; ++value) {
    if (!std::binary_search(values.begin(), values.end(), value)) others.push_back(value);
  }
  return others;
}

bool is_harder(const MeanFieldGrounding& a, const MeanFieldGrounding& b) {
  return std::abs(a.push) > std::abs(b.push);
}

// What all clauses of a formula are searched for.
struct Search {
  const MeanFieldModel& model;
  const MeanFieldFormula& formula;
  const AtomProbabilities& probabilities;
  const MeanFieldExplainOptions& options;
  std::uint32_t predicate = kNoPredicate;  // of the atom, if there is one
  std::uint64_t atom = 0;
  std::size_t steps = 0;       // that are left
  GroundingSearch found = {};  // a heap, the weakest of the hardest in front
};

// All groundings of one clause, or those in which one literal, and none before it, is the atom.
class ClauseSearch {
 public:
  ClauseSearch(Search& search, std::size_t clause)
      : search_(search), clause_index_(clause), clause_(search.formula.clauses[clause]) {}

  // False if it ran out of steps.
  bool search(std::size_t literal) {
    constants_.assign(search_.formula.variables.size(), kUnbound);
    if (!unify(clause_[literal])) return true;
    literal_ = literal;
    order_variables();
    return bind(0, {});
  }

  // The same without an atom.
  bool search_all() {
    constants_.assign(search_.formula.variables.size(), kUnbound);
    order_variables();
    return bind(0, {});
  }

 private:
  // What the clause's complete literals ask for: to fail, each atom must have one of these values.
  struct Failing {
    std::vector<MeanFieldCondition> others;
    std::optional<std::vector<std::uint32_t>> own;  // of the atom itself
    double probability = 1.0;
  };

  bool unify(const MeanFieldLiteral& literal) {
    const auto wanted = atom_constants(search_.model, search_.predicate, search_.atom);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const MeanFieldTerm& term = literal.terms[k];
      if (term.is_constant && term.index != wanted[k]) return false;
      if (term.is_constant) continue;
      std::uint32_t& bound = constants_[term.index];
      if (bound != kUnbound && bound != wanted[k]) return false;
      bound = wanted[k];
    }
    return true;
  }

  std::size_t domain_size(std::uint32_t variable) const {
    return search_.model.domains[search_.formula.variables[variable]].size();
  }

  // First those that the weight hangs on, then literal by literal, the fewest groundings first.
  // Variables that stand in other clauses alone only say how often a grounding counts.
  void order_variables() {
    std::vector<bool> placed(constants_.size());
    for (std::size_t v = 0; v < placed.size(); ++v) placed[v] = constants_[v] != kUnbound;
    order_.clear();
    const auto place = [&](std::uint32_t variable) {
      if (placed[variable]) return;
      placed[variable] = true;
      order_.push_back(variable);
    };
    if (!search_.formula.hard) {
      for (const std::uint32_t variable : search_.formula.weighted) place(variable);
    }
    num_weighted_ = order_.size();
    std::vector<bool> done(clause_.size(), false);
    for (std::size_t round = 0; round < clause_.size(); ++round) {
      std::size_t best = clause_.size();
      double fewest = std::numeric_limits<double>::infinity();
      for (std::size_t l = 0; l < clause_.size(); ++l) {
        if (done[l]) continue;
        if (const double count = num_bindings(clause_[l], placed); count < fewest) {
          fewest = count;
          best = l;
        }
      }
      done[best] = true;
      for (const MeanFieldTerm& term : clause_[best].terms) {
        if (!term.is_constant) place(term.index);
      }
    }
    multiplicity_ = 1.0;
    for (std::uint32_t v = 0; v < placed.size(); ++v) {
      if (!placed[v]) multiplicity_ *= static_cast<double>(domain_size(v));
    }
  }

  double num_bindings(const MeanFieldLiteral& literal, std::vector<bool> placed) const {
    double count = 1.0;
    for (const MeanFieldTerm& term : literal.terms) {
      if (term.is_constant || placed[term.index]) continue;
      placed[term.index] = true;
      count *= static_cast<double>(domain_size(term.index));
    }
    return count;
  }

  bool is_complete(const MeanFieldLiteral& literal) const {
    return std::all_of(literal.terms.begin(), literal.terms.end(), [&](const MeanFieldTerm& term) {
      return term.is_constant || constants_[term.index] != kUnbound;
    });
  }

  std::uint64_t number_of(const MeanFieldLiteral& literal) const {
    std::vector<std::uint32_t> constants;
    for (const MeanFieldTerm& term : literal.terms) {
      constants.push_back(term.is_constant ? term.index : constants_[term.index]);
    }
    return atom_number(search_.model, literal.predicate, constants);
  }

  // Takes up the literals that the last constant completed. None if the grounding is found
  // elsewhere or cannot fail.
  std::optional<Failing> with_complete(Failing failing, std::vector<bool>& taken) const {
    for (std::size_t l = 0; l < clause_.size(); ++l) {
      if (taken[l] || !is_complete(clause_[l])) continue;
      taken[l] = true;
      const MeanFieldLiteral& literal = clause_[l];
      const std::uint64_t number = number_of(literal);
      const auto failing_values =
          other_values(search_.model.predicates[literal.predicate].num_values(), literal.values);
      if (literal.predicate == search_.predicate && number == search_.atom) {
        if (l < literal_) return std::nullopt;  // found from that literal
        failing.own = failing.own ? both(*failing.own, failing_values) : failing_values;
        if (failing.own->empty()) return std::nullopt;
      } else {
        require(literal.predicate, number, failing_values, failing.others);
      }
    }
    failing.probability = 1.0;
    for (const MeanFieldCondition& other : failing.others) failing.probability *= other.probability;
    if (failing.probability == 0.0) return std::nullopt;
    return failing;
  }

  static std::vector<std::uint32_t> both(const std::vector<std::uint32_t>& a,
                                         const std::vector<std::uint32_t>& b) {
    std::vector<std::uint32_t> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    return common;
  }

  void require(std::uint32_t predicate,
               std::uint64_t number,
               const std::vector<std::uint32_t>& values,
               std::vector<MeanFieldCondition>& conditions) const {
    const auto same = std::find_if(
        conditions.begin(), conditions.end(), [&](const MeanFieldCondition& condition) {
          return condition.predicate == predicate && condition.atom == number;
        });
    MeanFieldCondition& condition =
        same == conditions.end()
            ? conditions.emplace_back(MeanFieldCondition{predicate, number, values})
            : *same;
    condition.values = both(condition.values, values);
    condition.probability = search_.probabilities.of(predicate, number, condition.values);
  }

  double weight() const {
    if (search_.formula.hard) return search_.options.mean_field.hard_weight;
    std::size_t index = 0;
    for (const std::uint32_t v : search_.formula.weighted)
      index = index * domain_size(v) + constants_[v];
    return search_.formula.weights[index];
  }

  // How hard a grounding must push to be among the hardest.
  double needed() const {
    return search_.found.hardest.size() < search_.options.max_groundings
               ? 0.0
               : std::abs(search_.found.hardest.front().push);
  }

  bool bind(std::size_t depth, const std::vector<bool>& taken_before) {
    std::vector<bool> taken = depth == 0 ? std::vector<bool>(clause_.size(), false) : taken_before;
    const auto failing = with_complete(depth == 0 ? Failing{} : failing_.back(), taken);
    if (!failing) return true;
    if (depth >= num_weighted_ &&
        std::abs(weight()) * multiplicity_ * failing->probability <= needed()) {
      return true;
    }
    if (depth == order_.size()) {
      keep(*failing);
      return true;
    }
    failing_.push_back(*failing);
    bool enough = true;
    const std::uint32_t variable = order_[depth];
    const auto size = static_cast<std::uint32_t>(domain_size(variable));
    for (std::uint32_t c = 0; enough && c < size; ++c) {
      if (search_.steps == 0) {
        enough = false;
        break;
      }
      --search_.steps;
      constants_[variable] = c;
      enough = bind(depth + 1, taken);
    }
    constants_[variable] = kUnbound;
    failing_.pop_back();
    return enough;
  }

  void keep(const Failing& failing) {
    std::vector<std::uint32_t> values;
    if (failing.own)
      values = other_values(search_.model.predicates[search_.predicate].num_values(), *failing.own);
    search_.found.hardest.push_back({clause_index_,
                                     weight() * multiplicity_ * failing.probability,
                                     std::move(values),
                                     failing.others});
    std::push_heap(search_.found.hardest.begin(), search_.found.hardest.end(), is_harder);
    if (search_.found.hardest.size() <= search_.options.max_groundings) return;
    std::pop_heap(search_.found.hardest.begin(), search_.found.hardest.end(), is_harder);
    search_.found.hardest.pop_back();
  }

  Search& search_;
  std::size_t clause_index_;
  const MeanFieldClause& clause_;

  std::size_t literal_ = 0;               // the one that is the atom
  std::vector<std::uint32_t> constants_;  // per variable of the formula
  std::vector<std::uint32_t> order_;      // of the variables that are not bound by the atom
  std::size_t num_weighted_ = 0;          // of them, in front: those that the weight hangs on
  double multiplicity_ = 1.0;
  std::vector<Failing> failing_;  // per depth
};

}  // namespace

AtomProbabilities::AtomProbabilities(const MeanFieldModel& model,
                                     const AtomValues<double>& marginals)
    : model_(model), marginals_(marginals), true_atoms_(model.predicates.size()) {
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    if (!model.predicates[p].closed) continue;
    for (const KnownAtom& fact : model.facts[p]) {
      if (fact.value == 1) true_atoms_[p].push_back(fact.atom);
    }
  }
}

double AtomProbabilities::of(std::uint32_t predicate,
                             std::uint64_t atom,
                             const std::vector<std::uint32_t>& values) const {
  const MeanFieldPredicate& declared = model_.predicates[predicate];
  double sum = 0.0;
  for (const std::uint32_t value : values) {
    if (declared.closed) {
      const auto& facts = true_atoms_[predicate];
      const bool is_true = std::binary_search(facts.begin(), facts.end(), atom);
      sum += is_true == (value == 1) ? 1.0 : 0.0;
    } else if (declared.class_names.empty()) {
      sum += value == 1 ? marginals_[predicate][atom] : 1.0 - marginals_[predicate][atom];
    } else {
      sum += marginals_[predicate][atom * declared.num_classes() + value];
    }
  }
  return sum;
}

namespace {

GroundingSearch hardest_first(GroundingSearch found) {
  std::sort(found.hardest.begin(), found.hardest.end(), is_harder);
  return found;
}

}  // namespace

GroundingSearch search_groundings(const MeanFieldModel& model,
                                  const MeanFieldFormula& formula,
                                  const AtomProbabilities& probabilities,
                                  std::uint32_t predicate,
                                  std::uint64_t atom,
                                  const MeanFieldExplainOptions& options) {
  Search search{model, formula, probabilities, options, predicate, atom, options.max_steps};
  bool& all_seen = search.found.all_seen;
  for (std::size_t c = 0; c < formula.clauses.size(); ++c) {
    ClauseSearch in_clause(search, c);
    for (std::size_t l = 0; l < formula.clauses[c].size() && options.max_groundings > 0; ++l) {
      if (formula.clauses[c][l].predicate != predicate) continue;
      all_seen = in_clause.search(l) && all_seen;
    }
  }
  return hardest_first(std::move(search.found));
}

GroundingSearch search_violations(const MeanFieldModel& model,
                                  const MeanFieldFormula& formula,
                                  const AtomProbabilities& probabilities,
                                  const MeanFieldExplainOptions& options) {
  Search search{model, formula, probabilities, options, kNoPredicate, 0, options.max_steps};
  bool& all_seen = search.found.all_seen;
  for (std::size_t c = 0; c < formula.clauses.size() && options.max_groundings > 0; ++c) {
    all_seen = ClauseSearch(search, c).search_all() && all_seen;
  }
  return hardest_first(std::move(search.found));
}

}  // namespace sorites
