#include "meanfield/hard_propagation.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/between_looks.h"
#include "meanfield/binding.h"
#include "meanfield/excluded_values.h"
#include "meanfield/unification.h"

namespace sorites {
namespace {

constexpr std::size_t kNone = Binding::kNone;

// A clause of a hard formula, or what it is where some of its literals are one atom.
struct HardClause {
  std::uint32_t formula = 0, clause = 0;
  MergedClause merged;
};

// A grounding of one of them, by its number: constants per variable.
struct Reason {
  std::size_t clause = 0;
  std::vector<std::uint32_t> constants;
};

// A value that an atom cannot have, and why.
struct Entailed {
  std::uint32_t predicate = 0, value = 0;
  std::uint64_t atom = 0;
  Reason reason;
};

class Propagator {
 public:
  Propagator(const MeanFieldModel& model, HardPropagationOptions options)
      : model_(model), options_(std::move(options)), excluded_(model) {
    for (std::uint32_t f = 0; f < model.formulas.size(); ++f) {
      const MeanFieldFormula& formula = model.formulas[f];
      for (std::uint32_t c = 0; formula.hard && c < formula.clauses.size(); ++c) {
        for (MergedClause& merged : merged_clauses(model, formula, formula.clauses[c])) {
          clauses_.push_back({f, c, std::move(merged)});
        }
      }
    }
  }

  HardPropagation run() {
    for (clause_ = 0; clause_ < clauses_.size() && goes_on(); ++clause_) {
      binding_.constants.assign(num_variables(), Binding::kFree);
      search(kNone);
    }
    // What each value that was excluded makes of the clauses with such a literal.
    for (std::size_t i = 0; i < entailed_.size() && goes_on(); ++i) {
      for (clause_ = 0; clause_ < clauses_.size() && goes_on(); ++clause_) follow(i);
    }
    HardPropagation result;
    result.determined = determined();
    if (conflict_.clause != kNone) result.conflict = groundings_of_conflict();
    result.complete = complete_;
    return result;
  }

 private:
  const MeanFieldClause& literals() const { return clauses_[clause_].merged.literals; }
  std::size_t num_variables() const {
    return model_.formulas[clauses_[clause_].formula].variables.size();
  }
  bool is_closed(const MeanFieldLiteral& literal) const {
    return model_.predicates[literal.predicate].closed;
  }
  bool goes_on() const { return conflict_.clause == kNone && complete_; }

  bool spend_step() {
    if (++steps_ > options_.max_steps) complete_ = false;
    if (steps_ % kBetweenLooks == 0 && options_.stop.stop_requested()) complete_ = false;
    return complete_;
  }

  // Looks for groundings, with the constants there are, in which all literals but one fail,
  // whichever that is: an open one, or none if there is no open one. `failed` fails already.
  void search(std::size_t failed) {
    const Binding given = binding_;
    bool has_open = false;
    for (std::size_t left = 0; left < literals().size() && goes_on(); ++left) {
      if (is_closed(literals()[left])) continue;
      has_open = true;
      if (left == failed) continue;
      join(others_than(left, failed), left);
      binding_ = given;
    }
    if (!has_open) join(others_than(kNone, failed), kNone);
  }

  std::vector<std::size_t> others_than(std::size_t left, std::size_t failed) const {
    std::vector<std::size_t> others;
    for (std::size_t l = 0; l < literals().size(); ++l) {
      if (l != left && l != failed) others.push_back(l);
    }
    return others;
  }

  void follow(std::size_t number) {
    const Entailed& last = entailed_[number];
    const auto [predicate, value, atom] = std::tuple(last.predicate, last.value, last.atom);
    for (std::size_t l = 0; l < literals().size() && goes_on(); ++l) {
      const MeanFieldLiteral& literal = literals()[l];
      if (literal.predicate != predicate) continue;
      if (!std::binary_search(literal.values.begin(), literal.values.end(), value)) continue;
      if (!excluded_.are_excluded(predicate, atom, literal.values)) continue;
      binding_.constants.assign(num_variables(), Binding::kFree);
      if (matches(literal, atom)) search(l);
    }
  }

  bool matches(const MeanFieldLiteral& literal, std::uint64_t atom) {
    return binding_.match(literal, atom_constants(model_, literal.predicate, atom));
  }
  std::size_t domain_size(std::size_t variable) const {
    const MeanFieldFormula& formula = model_.formulas[clauses_[clause_].formula];
    return model_.domains[formula.variables[variable]].size();
  }
  bool fails(const MeanFieldLiteral& literal) const {
    const auto atom = atom_number(model_, literal.predicate, binding_.of(literal));
    return excluded_.are_excluded(literal.predicate, atom, literal.values);
  }

  // Binds what is free such that the pending literals fail; then the literal that is left must
  // hold.
  void join(std::vector<std::size_t> pending, std::size_t left) {
    if (!spend_step()) return;
    std::size_t best = kNone;
    double fewest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < pending.size(); ++i) {
      const double count = num_choices(literals()[pending[i]]);
      if (count >= fewest) continue;
      fewest = count;
      best = i;
    }
    if (best == kNone) return hold(left);
    if (fewest == 0.0) return;
    const MeanFieldLiteral& literal = literals()[pending[best]];
    const std::size_t variable = binding_.free_variable(literal);
    if (variable != kNone && !excluded_.has_list(literal.predicate, literal.values[0])) {
      return for_constants(variable, [&] { join(pending, left); });
    }
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(best));
    if (variable == kNone) return join(std::move(pending), left);
    join_list(literal, pending, left);
  }

  // In how many ways the literal may fail; at most one if it has all its constants.
  double num_choices(const MeanFieldLiteral& literal) {
    if (binding_.free_variable(literal) == kNone)
      return fails(literal) ? 0.5 : 0.0;  // first of all
    if (excluded_.has_list(literal.predicate, literal.values[0])) {
      return static_cast<double>(
          excluded_.atoms(literal.predicate, literal.values[0], binding_.of(literal)).size());
    }
    double count = 1.0;
    for (const MeanFieldTerm& term : literal.terms) {
      if (binding_.of(term) == Binding::kFree)
        count *= static_cast<double>(domain_size(term.index));
    }
    return count;
  }

  void join_list(const MeanFieldLiteral& literal,
                 const std::vector<std::size_t>& pending,
                 std::size_t left) {
    const auto& atoms = excluded_.atoms(literal.predicate, literal.values[0], binding_.of(literal));
    const Binding before = binding_;
    // What is added meanwhile is followed later.
    for (std::size_t i = 0, count = atoms.size(); i < count && goes_on(); ++i) {
      if (!spend_step()) return;
      const std::uint64_t atom = atoms[i];
      if (excluded_.are_excluded(literal.predicate, atom, literal.values) &&
          matches(literal, atom)) {
        join(pending, left);
      }
      binding_ = before;
    }
  }

  template <class Work>
  void for_constants(std::size_t variable, const Work& work) {
    const auto size = static_cast<std::uint32_t>(domain_size(variable));
    for (std::uint32_t c = 0; c < size && goes_on() && spend_step(); ++c) {
      binding_.constants[variable] = c;
      work();
    }
    binding_.constants[variable] = Binding::kFree;
  }

  // All others fail.
  void hold(std::size_t left) {
    if (left == kNone) {
      conflict_ = {clause_, binding_.constants};
      return;
    }
    const MeanFieldLiteral& literal = literals()[left];
    const std::size_t variable = binding_.free_variable(literal);
    if (variable != kNone) return for_constants(variable, [&] { hold(left); });
    const auto atom = atom_number(model_, literal.predicate, binding_.of(literal));
    if (excluded_.are_excluded(literal.predicate, atom, literal.values)) {
      conflict_ = {clause_, binding_.constants};
      return;
    }
    const std::uint32_t num_values = model_.predicates[literal.predicate].num_values();
    for (std::uint32_t value = 0; value < num_values; ++value) {
      if (std::binary_search(literal.values.begin(), literal.values.end(), value)) continue;
      if (excluded_.is_excluded(literal.predicate, atom, value)) continue;
      excluded_.exclude(literal.predicate, atom, value);
      entailed_.push_back({literal.predicate, value, atom, {clause_, binding_.constants}});
    }
  }

  std::vector<std::vector<KnownAtom>> determined() const {
    std::vector<std::vector<KnownAtom>> result(model_.predicates.size());
    for (const Entailed& entailed : entailed_) {
      std::vector<std::uint32_t> possible;
      const std::uint32_t num_values = model_.predicates[entailed.predicate].num_values();
      for (std::uint32_t value = 0; value < num_values; ++value) {
        if (!excluded_.is_excluded(entailed.predicate, entailed.atom, value)) {
          possible.push_back(value);
        }
      }
      if (possible.size() == 1) result[entailed.predicate].push_back({entailed.atom, possible[0]});
    }
    for (std::vector<KnownAtom>& atoms : result) {
      const auto before = [](const KnownAtom& a, const KnownAtom& b) { return a.atom < b.atom; };
      const auto same = [](const KnownAtom& a, const KnownAtom& b) { return a.atom == b.atom; };
      std::sort(atoms.begin(), atoms.end(), before);
      atoms.erase(std::unique(atoms.begin(), atoms.end(), same), atoms.end());
    }
    return result;
  }

  // The grounding that cannot hold, and those that its literals fail by, and so on.
  std::vector<HardGrounding> groundings_of_conflict() const {
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>, std::size_t> numbers;
    for (std::size_t i = 0; i < entailed_.size(); ++i) {
      numbers[{entailed_[i].predicate, entailed_[i].atom, entailed_[i].value}] = i;
    }
    std::map<std::size_t, HardGrounding> by_number;  // in the order of what follows from what
    std::vector<std::size_t> todo{entailed_.size()};
    while (!todo.empty()) {
      const std::size_t number = todo.back();
      todo.pop_back();
      if (by_number.count(number) > 0) continue;
      const Reason& reason = number < entailed_.size() ? entailed_[number].reason : conflict_;
      HardGrounding& grounding = by_number[number];
      grounding = grounding_of(reason);
      for (std::size_t l = 0; l < grounding.atoms.size(); ++l) {
        const MeanFieldLiteral& literal =
            model_.formulas[grounding.formula].clauses[grounding.clause][l];
        bool by_facts =
            excluded_.are_excluded(literal.predicate, grounding.atoms[l], literal.values);
        for (const std::uint32_t value : literal.values) {
          const auto found = numbers.find({literal.predicate, grounding.atoms[l], value});
          if (found == numbers.end()) continue;
          by_facts = false;
          if (found->second < number) todo.push_back(found->second);
        }
        grounding.fails_by_facts.push_back(by_facts);
      }
    }
    std::vector<HardGrounding> result;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint64_t>>> seen;
    for (auto& [number, grounding] : by_number) {
      if (seen.emplace(grounding.formula, grounding.clause, grounding.atoms).second) {
        result.push_back(std::move(grounding));
      }
    }
    return result;
  }

  HardGrounding grounding_of(const Reason& reason) const {
    const HardClause& clause = clauses_[reason.clause];
    HardGrounding result{clause.formula, clause.clause, {}, {}};
    for (const MeanFieldLiteral& literal : model_.formulas[clause.formula].clauses[clause.clause]) {
      std::vector<std::uint32_t> constants;
      for (const MeanFieldTerm& term : literal.terms) {
        const MeanFieldTerm stands = substituted(clause.merged.substitution, term);
        constants.push_back(stands.is_constant ? stands.index : reason.constants[stands.index]);
      }
      result.atoms.push_back(atom_number(model_, literal.predicate, constants));
    }
    return result;
  }

  const MeanFieldModel& model_;
  HardPropagationOptions options_;
  ExcludedValues excluded_;
  std::vector<HardClause> clauses_;
  std::vector<Entailed> entailed_;
  Reason conflict_{kNone, {}};
  bool complete_ = true;
  std::size_t steps_ = 0;
  // Of the search: the clause, and what its variables stand for.
  std::size_t clause_ = 0;
  Binding binding_;
};

}  // namespace

HardPropagation propagate_hard(const MeanFieldModel& model, const HardPropagationOptions& options) {
  return Propagator(model, options).run();
}

}  // namespace sorites
