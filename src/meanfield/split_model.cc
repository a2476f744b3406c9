#include "meanfield/split_model.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "base/joined_sets.h"

namespace sorites {
namespace {

constexpr std::uint32_t kNoPart = ~std::uint32_t{0};

std::size_t count_arguments(const MeanFieldPredicate& predicate, std::uint32_t domain) {
  return static_cast<std::size_t>(
      std::count(predicate.arguments.begin(), predicate.arguments.end(), domain));
}

// Whether a domain can be cut, and by which predicates its constants are connected.
class Connectors {
 public:
  Connectors(const MeanFieldModel& model, std::uint32_t domain) : model_(model), domain_(domain) {}

  // None: the domain cannot be cut.
  std::optional<std::set<std::uint32_t>> find() {
    for (const MeanFieldPredicate& predicate : model_.predicates) {
      const std::size_t count = count_arguments(predicate, domain_);
      // Atoms of no part, and unknown ones of two parts.
      if (!predicate.closed && (count == 0 || (count > 1 && !predicate.listed))) {
        return std::nullopt;
      }
    }
    for (const MeanFieldFormula& formula : model_.formulas) {
      if (!add(formula)) return std::nullopt;
    }
    return found_;
  }

 private:
  bool is_of_domain(const MeanFieldFormula& formula, std::uint32_t variable) const {
    return formula.variables[variable] == domain_;
  }

  // Its variables of the domain must be of one part wherever a clause can be violated.
  bool add(const MeanFieldFormula& formula) {
    std::vector<std::uint32_t> variables;
    for (std::uint32_t v = 0; v < formula.variables.size(); ++v) {
      if (is_of_domain(formula, v)) variables.push_back(v);
    }
    if (variables.empty()) return false;
    for (const std::uint32_t v : formula.weighted) {
      if (is_of_domain(formula, v)) return false;  // a weight per constant of all parts
    }
    return std::all_of(formula.clauses.begin(), formula.clauses.end(), [&](const auto& clause) {
      return !names_constants(clause) && stand_in(clause, variables) &&
             connect(clause, variables, formula.variables.size());
    });
  }

  bool names_constants(const MeanFieldClause& clause) const {
    return std::any_of(clause.begin(), clause.end(), [&](const MeanFieldLiteral& literal) {
      for (std::size_t k = 0; k < literal.terms.size(); ++k) {
        const bool of_domain = model_.predicates[literal.predicate].arguments[k] == domain_;
        if (of_domain && literal.terms[k].is_constant) return true;
      }
      return false;
    });
  }

  std::vector<std::uint32_t> variables_of(const MeanFieldLiteral& literal) const {
    std::vector<std::uint32_t> variables;
    for (std::size_t k = 0; k < literal.terms.size(); ++k) {
      const bool of_domain = model_.predicates[literal.predicate].arguments[k] == domain_;
      if (of_domain && !literal.terms[k].is_constant) variables.push_back(literal.terms[k].index);
    }
    return variables;
  }

  // Otherwise the clause counts once per constant of the others, of all parts.
  bool stand_in(const MeanFieldClause& clause, const std::vector<std::uint32_t>& variables) const {
    std::set<std::uint32_t> seen;
    for (const MeanFieldLiteral& literal : clause) {
      for (const std::uint32_t v : variables_of(literal)) seen.insert(v);
    }
    return seen.size() == variables.size();
  }

  std::size_t num_rows(std::uint32_t predicate) const { return model_.facts[predicate].size(); }

  // By literals that hold of all pairs that are in no row, those with the fewest rows first: what
  // `x % y` connects, `Next(x, y)` may connect as well.
  bool connect(const MeanFieldClause& clause,
               const std::vector<std::uint32_t>& variables,
               std::size_t num_variables) {
    std::vector<const MeanFieldLiteral*> literals;
    for (const MeanFieldLiteral& literal : clause) {
      const MeanFieldPredicate& predicate = model_.predicates[literal.predicate];
      const bool is_false = predicate.class_names.empty() && literal.values.front() == 0;
      if (is_false && (predicate.closed || predicate.listed)) literals.push_back(&literal);
    }
    std::stable_sort(literals.begin(), literals.end(), [&](const auto* a, const auto* b) {
      return num_rows(a->predicate) < num_rows(b->predicate);
    });
    JoinedSets sets(num_variables);
    for (const MeanFieldLiteral* literal : literals) {
      const std::vector<std::uint32_t> own = variables_of(*literal);
      for (const std::uint32_t v : own) {
        if (sets.find(own.front()) == sets.find(v)) continue;
        sets.join(own.front(), v);
        found_.insert(literal->predicate);
      }
    }
    return std::all_of(variables.begin(), variables.end(), [&](std::uint32_t v) {
      return sets.find(v) == sets.find(variables.front());
    });
  }

  const MeanFieldModel& model_;
  std::uint32_t domain_;
  std::set<std::uint32_t> found_;
};

// One domain cut into parts.
class Cut {
 public:
  Cut(const MeanFieldModel& model, std::uint32_t domain, const std::set<std::uint32_t>& connectors)
      : model_(model), domain_(domain), sets_(model.domains[domain].size()) {
    for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
      const bool connects = connectors.contains(p);
      for (const KnownAtom& fact : model.facts[p]) {
        if (connects && fact.value == 1) connect(p, fact.atom);
      }
    }
    for (const MeanFieldAtom& target : model.task.targets) connect(target.predicate, target.atom);
  }

  // Where there is only one component, there is nothing to cut.
  bool find_parts(std::size_t components_per_part) {
    const std::uint32_t size = model_.domains[domain_].size();
    std::vector<std::uint32_t> component(size, kNoPart);  // of the first constant of each
    std::uint32_t count = 0;
    for (const MeanFieldAtom& target : model_.task.targets) {
      const auto constants = atom_constants(model_, target.predicate, target.atom);
      std::uint32_t& own = component[sets_.find(first_of_domain(target.predicate, constants))];
      if (own == kNoPart) own = count++;
    }
    if (count < 2) return false;
    num_parts_ = (count + components_per_part - 1) / components_per_part;
    part_of_.assign(size, kNoPart);
    place_.assign(size, 0);
    codes_.resize(num_parts_);
    for (std::uint32_t c = 0; c < size; ++c) {
      const std::uint32_t own = component[sets_.find(c)];
      if (own == kNoPart) continue;
      part_of_[c] = static_cast<std::uint32_t>(own % num_parts_);
      std::vector<Code>& codes = codes_[part_of_[c]];
      place_[c] = static_cast<std::uint32_t>(codes.size());
      codes.push_back(model_.domains[domain_].codes[c]);
    }
    return true;
  }

  std::vector<MeanFieldPart> parts() {
    MeanFieldModel same = without_formulas(model_);
    same.formulas = model_.formulas;
    same.rules = model_.rules;
    same.weights = model_.weights;
    same.task = {};
    same.unaries.resize(model_.predicates.size());
    for (std::uint32_t p = 0; p < model_.predicates.size(); ++p) {
      if (is_cut(p)) same.facts[p].clear();
    }
    same.domains[domain_].codes.clear();  // all constants for each of many parts are too many
    parts_.assign(num_parts_, {same, {}, {}});
    for (std::size_t i = 0; i < num_parts_; ++i) {
      parts_[i].model.domains[domain_].codes = std::move(codes_[i]);
    }
    for (std::uint32_t p = 0; p < model_.predicates.size(); ++p) {
      if (!is_cut(p)) continue;
      add_facts(p);
      add_unaries(p);
    }
    add_task();
    return std::move(parts_);
  }

 private:
  struct Place {
    std::uint32_t part = kNoPart;  // of all constants of the atom, or none
    std::uint64_t atom = 0;
  };

  bool is_cut(std::uint32_t predicate) const {
    return count_arguments(model_.predicates[predicate], domain_) > 0;
  }

  std::uint32_t first_of_domain(std::uint32_t predicate,
                                const std::vector<std::uint32_t>& constants) const {
    const std::vector<std::uint32_t>& arguments = model_.predicates[predicate].arguments;
    const auto at = std::find(arguments.begin(), arguments.end(), domain_);
    return constants[static_cast<std::size_t>(at - arguments.begin())];
  }

  void connect(std::uint32_t predicate, std::uint64_t atom) {
    const auto constants = atom_constants(model_, predicate, atom);
    const std::uint32_t first = first_of_domain(predicate, constants);
    for (std::size_t k = 0; k < constants.size(); ++k) {
      if (model_.predicates[predicate].arguments[k] == domain_) sets_.join(first, constants[k]);
    }
  }

  Place place_of(std::uint32_t predicate, std::uint64_t atom) const {
    const std::vector<std::uint32_t>& arguments = model_.predicates[predicate].arguments;
    std::vector<std::uint32_t> constants = atom_constants(model_, predicate, atom);
    const std::uint32_t part = part_of_[first_of_domain(predicate, constants)];
    for (std::size_t k = 0; k < constants.size() && part != kNoPart; ++k) {
      if (arguments[k] != domain_) continue;
      if (part_of_[constants[k]] != part) return {};
      constants[k] = place_[constants[k]];
    }
    if (part == kNoPart) return {};
    return {part, atom_number(parts_[part].model, predicate, constants)};
  }

  // They stay ascending: constants of a part keep their order.
  void add_facts(std::uint32_t predicate) {
    for (const KnownAtom& fact : model_.facts[predicate]) {
      const Place place = place_of(predicate, fact.atom);
      if (place.part == kNoPart) continue;
      parts_[place.part].model.facts[predicate].push_back({place.atom, fact.value});
    }
  }

  void add_unaries(std::uint32_t predicate) {
    if (predicate >= model_.unaries.size() || model_.unaries[predicate].empty()) return;
    const std::vector<float>& all = model_.unaries[predicate];
    const std::size_t per_atom = all.size() / num_atoms(model_, predicate);
    for (MeanFieldPart& part : parts_) {
      part.model.unaries[predicate].resize(num_atoms(part.model, predicate) * per_atom);
    }
    for (std::uint64_t atom = 0; atom < all.size() / per_atom; ++atom) {
      const Place place = place_of(predicate, atom);
      if (place.part == kNoPart) continue;
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(atom * per_atom),
                  per_atom,
                  parts_[place.part].model.unaries[predicate].begin() +
                      static_cast<std::ptrdiff_t>(place.atom * per_atom));
    }
  }

  void add_task() {
    const MeanFieldTask& task = model_.task;
    for (std::uint32_t i = 0; i < task.targets.size(); ++i) {
      const Place place = place_of(task.targets[i].predicate, task.targets[i].atom);
      MeanFieldPart& part = parts_[place.part];
      part.targets.push_back(i);
      part.model.task.targets.push_back(
          {task.targets[i].predicate, place.atom, task.targets[i].value});
      part.model.task.labels.push_back(task.labels[i]);
    }
    for (std::uint32_t i = 0; i < task.outputs.size(); ++i) {
      const Place place = place_of(task.outputs[i].predicate, task.outputs[i].atom);
      if (place.part == kNoPart) continue;
      MeanFieldPart& part = parts_[place.part];
      part.outputs.push_back(i);
      part.model.task.outputs.push_back(
          {task.outputs[i].predicate, place.atom, task.outputs[i].value});
    }
  }

  const MeanFieldModel& model_;
  std::uint32_t domain_;
  JoinedSets sets_;  // of constants
  std::size_t num_parts_ = 0;
  std::vector<std::uint32_t> part_of_, place_;  // per constant
  std::vector<std::vector<Code>> codes_;        // per part
  std::vector<MeanFieldPart> parts_;
};

}  // namespace

std::vector<MeanFieldPart> split_by_constants(const MeanFieldModel& model,
                                              std::size_t components_per_part) {
  std::vector<std::uint32_t> domains(model.domains.size());
  std::iota(domains.begin(), domains.end(), std::uint32_t{0});
  std::stable_sort(domains.begin(), domains.end(), [&](std::uint32_t a, std::uint32_t b) {
    return model.domains[a].size() > model.domains[b].size();
  });
  for (const std::uint32_t domain : domains) {
    const auto connectors = Connectors(model, domain).find();
    if (!connectors) continue;
    Cut cut(model, domain, *connectors);
    if (cut.find_parts(std::max<std::size_t>(components_per_part, 1))) return cut.parts();
  }
  return {};
}

}  // namespace sorites
