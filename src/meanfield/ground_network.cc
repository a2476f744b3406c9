#include "meanfield/ground_network.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/between_looks.h"
#include "meanfield/binding.h"
#include "meanfield/excluded_values.h"

namespace sorites {
namespace {

constexpr std::uint32_t kKnown = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kNone = Binding::kNone;

ValueBits bits_of(std::span<const std::uint32_t> values) {
  ValueBits bits = 0;
  for (const std::uint32_t value : values) bits |= ValueBits{1} << value;
  return bits;
}

class Grounder {
 public:
  Grounder(const MeanFieldModel& model,
           const std::vector<std::vector<KnownAtom>>& determined,
           GroundLimits limits)
      : model_(model), limits_(std::move(limits)), excluded_(model) {
    for (std::uint32_t p = 0; p < determined.size(); ++p) {
      for (const KnownAtom& known : determined[p]) {
        for (std::uint32_t v = 0; v < model.predicates[p].num_values(); ++v) {
          if (v != known.value) excluded_.exclude(p, known.atom, v);
        }
      }
    }
  }

  GroundNetwork run(const AtomValues<double>& unaries) {
    add_atoms(unaries);
    for (const MeanFieldFormula& formula : model_.formulas) {
      for (const MeanFieldClause& clause : formula.clauses) {
        if (!network_.complete) return std::move(network_);
        ground(formula, clause);
      }
    }
    for (auto& [literals, made] : clauses_) {
      if (!made.hard && made.weight == 0.0) continue;
      network_.clauses.push_back({literals, made.weight, made.hard, made.formula});
    }
    return std::move(network_);
  }

 private:
  void add_atoms(const AtomValues<double>& unaries) {
    index_.resize(model_.predicates.size());
    for (std::uint32_t p = 0; p < model_.predicates.size(); ++p) {
      const MeanFieldPredicate& predicate = model_.predicates[p];
      if (predicate.closed || predicate.num_values() > kMostGroundValues) continue;
      index_[p].assign(num_atoms(model_, p), kKnown);
      for (std::uint64_t atom = 0; atom < index_[p].size(); ++atom) {
        const ValueBits possible = possible_values(p, atom);
        if ((possible & (possible - 1)) == 0) continue;
        network_.complete = network_.complete && network_.atoms.size() < limits_.max_atoms;
        if (!network_.complete) return;
        index_[p][atom] = static_cast<std::uint32_t>(network_.atoms.size());
        network_.atoms.push_back({p, atom, possible, potentials(unaries[p], predicate, atom)});
      }
    }
  }

  static std::vector<double> potentials(const std::vector<double>& unaries,
                                        const MeanFieldPredicate& predicate,
                                        std::uint64_t atom) {
    if (predicate.num_classes() == 0) return {0.0, unaries[atom]};
    const auto first =
        unaries.begin() + static_cast<std::ptrdiff_t>(atom * predicate.num_classes());
    return {first, first + predicate.num_classes()};
  }

  ValueBits possible_values(std::uint32_t predicate, std::uint64_t atom) const {
    ValueBits bits = 0;
    for (std::uint32_t v = 0; v < model_.predicates[predicate].num_values(); ++v) {
      if (!excluded_.is_excluded(predicate, atom, v)) bits |= ValueBits{1} << v;
    }
    return bits;
  }

  // All groundings of one clause. Variables of other clauses alone only say how often they count.
  void ground(const MeanFieldFormula& formula, const MeanFieldClause& clause) {
    formula_ = &formula;
    clause_ = &clause;
    binding_.constants.assign(formula.variables.size(), Binding::kFree);
    std::vector<bool> matters(formula.variables.size(), false);
    for (const MeanFieldLiteral& literal : clause) {
      for (const MeanFieldTerm& term : literal.terms) {
        if (!term.is_constant) matters[term.index] = true;
      }
    }
    for (const std::uint32_t v : weighted()) matters[v] = true;
    count_ = 1.0;
    for (std::size_t v = 0; v < matters.size(); ++v) {
      if (!matters[v]) count_ *= static_cast<double>(domain_size(v));
    }
    std::vector<std::size_t> pending(clause.size());
    for (std::size_t l = 0; l < pending.size(); ++l) pending[l] = l;
    bind(pending);
  }

  std::span<const std::uint32_t> weighted() const {
    if (formula_->hard) return {};
    return formula_->weighted;
  }
  std::size_t domain_size(std::size_t variable) const {
    return model_.domains[formula_->variables[variable]].size();
  }
  bool spend_step() {
    if (++steps_ > limits_.max_steps) network_.complete = false;
    if (steps_ % kBetweenLooks == 0 && limits_.stop.stop_requested()) network_.complete = false;
    return network_.complete;
  }

  // Binds what is free, literal by literal. What evidence makes true needs no grounding, so lists
  // of evidence are gone through first, the shortest before the others.
  void bind(std::vector<std::size_t> pending) {
    if (!spend_step()) return;
    std::size_t best = kNone, fewest = kNone, free = kNone;
    for (auto at = pending.begin(); at != pending.end();) {
      const MeanFieldLiteral& literal = (*clause_)[*at];
      const std::size_t variable = binding_.free_variable(literal);
      if (variable == kNone) {
        if (holds_for_sure(literal)) return;
        at = pending.erase(at);
        continue;
      }
      if (free == kNone) free = variable;
      if (model_.predicates[literal.predicate].closed && literal.values[0] == 0) {
        const std::size_t count =
            excluded_.atoms(literal.predicate, 0, binding_.of(literal)).size();
        if (count < fewest) std::tie(best, fewest) = std::pair(*at, count);
      }
      ++at;
    }
    if (best != kNone) return bind_evidence(best, pending);
    for (const std::uint32_t v : weighted()) {
      if (free == kNone && binding_.constants[v] == Binding::kFree) free = v;
    }
    if (free == kNone) return add_grounding();
    for (std::uint32_t c = 0; c < domain_size(free) && network_.complete; ++c) {
      binding_.constants[free] = c;
      bind(pending);
    }
    binding_.constants[free] = Binding::kFree;
  }

  void bind_evidence(std::size_t literal_index, const std::vector<std::size_t>& pending) {
    const MeanFieldLiteral& literal = (*clause_)[literal_index];
    const Binding before = binding_;
    for (const std::uint64_t atom : excluded_.atoms(literal.predicate, 0, binding_.of(literal))) {
      const auto wanted = atom_constants(model_, literal.predicate, atom);
      if (binding_.match(literal, wanted)) bind(pending);
      binding_ = before;
      if (!network_.complete) return;
    }
  }

  bool holds_for_sure(const MeanFieldLiteral& literal) const {
    const auto atom = atom_number(model_, literal.predicate, binding_.of(literal));
    const ValueBits possible = possible_values(literal.predicate, atom);
    return (possible & ~bits_of(literal.values)) == 0;
  }

  void add_grounding() {
    std::map<std::uint32_t, ValueBits> merged;  // by atom
    for (const MeanFieldLiteral& literal : *clause_) {
      if (model_.predicates[literal.predicate].closed) continue;  // it fails
      const auto atom = atom_number(model_, literal.predicate, binding_.of(literal));
      const std::uint32_t index = index_[literal.predicate][atom];
      if (index != kKnown) merged[index] |= bits_of(literal.values);
    }
    std::vector<GroundLiteral> literals;
    for (const auto& [atom, bits] : merged) {
      const ValueBits possible = network_.atoms[atom].possible, holds = bits & possible;
      if (holds == possible) return;
      if (holds != 0) literals.push_back({atom, holds});
    }
    const double weight = formula_->hard ? 0.0 : count_ * weight_of_grounding();
    if (literals.empty()) {
      network_.contradiction = network_.contradiction || formula_->hard;
      network_.constant += weight;
      return;
    }
    const auto formula = static_cast<std::uint32_t>(formula_ - model_.formulas.data());
    Made& made = clauses_.try_emplace(std::move(literals), Made{0.0, false, formula}).first->second;
    made.weight += weight;
    if (formula_->hard && !made.hard) made.formula = formula;
    made.hard = made.hard || formula_->hard;
    if (clauses_.size() > limits_.max_clauses) network_.complete = false;
  }

  double weight_of_grounding() const {
    std::size_t number = 0;
    for (const std::uint32_t v : formula_->weighted)
      number = number * domain_size(v) + binding_.constants[v];
    return formula_->weights[number];
  }

  const MeanFieldModel& model_;
  GroundLimits limits_;
  ExcludedValues excluded_;
  GroundNetwork network_;
  std::vector<std::vector<std::uint32_t>> index_;  // per predicate and atom: in network_.atoms
  struct Made {
    double weight = 0.0;
    bool hard = false;
    std::uint32_t formula = 0;
  };
  std::map<std::vector<GroundLiteral>, Made> clauses_;
  std::size_t steps_ = 0;
  // Of the clause at hand.
  const MeanFieldFormula* formula_ = nullptr;
  const MeanFieldClause* clause_ = nullptr;
  Binding binding_;
  double count_ = 1.0;
};

}  // namespace

GroundNetwork ground_network(const MeanFieldModel& model,
                             const AtomValues<double>& unaries,
                             const std::vector<std::vector<KnownAtom>>& determined,
                             const GroundLimits& limits) {
  return Grounder(model, determined, limits).run(unaries);
}

}  // namespace sorites
