#include "meanfield/narrow_domains.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

namespace sorites::meanfield {
namespace {

constexpr DomainId kNumBuiltin = 3;  // of builtin_domains(): text, integer, real

// Argument places and variables that stand for each other's constants, by union and find (Tarjan
// 1975; with path halving).
class Places {
 public:
  std::uint32_t add(DomainId domain) {
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    domain_.push_back(domain);
    return parent_.back();
  }
  std::uint32_t find(std::uint32_t place) {
    while (parent_[place] != place) place = parent_[place] = parent_[parent_[place]];
    return place;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(b)] = find(a); }
  DomainId domain(std::uint32_t place) const { return domain_[place]; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<DomainId> domain_;
};

class Narrowing {
 public:
  Narrowing(const Program& program, const Database& database)
      : program_(program), database_(database) {
    for (const Predicate& predicate : program.predicates) {
      std::vector<std::uint32_t>& places = arguments_.emplace_back();
      for (std::size_t k = 0; k < predicate.arity(); ++k) {
        places.push_back(places_.add(predicate.domain(k)));
      }
    }
    for (const Rule& rule : program.rules) {
      std::vector<std::uint32_t>& places = variables_.emplace_back();
      for (const Variable& variable : rule.variables) {
        places.push_back(places_.add(variable.domain));
      }
    }
  }

  NarrowedDomains narrow() {
    for (std::size_t r = 0; r < program_.rules.size(); ++r) {
      const auto* logical = std::get_if<LogicalRule>(&program_.rules[r].body);
      if (logical != nullptr) visit(logical->formula, r);
    }
    for (PredicateId p = 0; p < program_.predicates.size(); ++p) add_columns(p);
    for (const auto& [place, text] : constants_) add_constant(place, text);
    for (const std::uint32_t place : whole_) {
      if (places_.domain(place) >= kNumBuiltin) continue;
      std::vector<bool>& codes = seen(place);
      codes.assign(codes.size(), true);
    }
    NarrowedDomains result;
    for (const auto& places : arguments_) result.of_argument.push_back(domains_of(places, result));
    for (const auto& places : variables_) result.of_variable.push_back(domains_of(places, result));
    return result;
  }

 private:
  void visit(const Formula& formula, std::size_t rule) {
    // Quantifiers range over all constants, whatever the data of the atoms below has.
    for (const VariableId variable : formula.quantified) {
      whole_.push_back(variables_[rule][variable]);
    }
    for (const Formula& operand : formula.operands) visit(operand, rule);
    if (formula.kind == FormulaKind::kAtom) {
      const std::vector<std::uint32_t>& places = arguments_[formula.atom.predicate];
      for (std::size_t k = 0; k < places.size(); ++k) {
        visit(formula.atom.arguments[k], places[k], rule);
      }
    }
    if (formula.kind == FormulaKind::kComparison) {
      const auto* left = std::get_if<VariableId>(&formula.comparison.left);
      const auto* right = std::get_if<VariableId>(&formula.comparison.right);
      if (left != nullptr && right != nullptr) {
        places_.join(variables_[rule][*left], variables_[rule][*right]);
      }
    }
  }

  void visit(const Term& term, std::uint32_t place, std::size_t rule) {
    if (const auto* variable = std::get_if<VariableId>(&term)) {
      places_.join(place, variables_[rule][*variable]);
    } else {
      constants_.emplace_back(place, std::get<std::string>(term));
    }
  }

  // The constants of a group of places that were seen.
  std::vector<bool>& seen(std::uint32_t place) {
    std::vector<bool>& result = seen_[places_.find(place)];
    result.resize(database_.dictionary(places_.domain(place)).size(), false);
    return result;
  }

  void add_columns(PredicateId p) {
    const Predicate& predicate = program_.predicates[p];
    const Relation& relation = database_.relation(p);
    for (std::size_t k = 0; k < predicate.arity(); ++k) {
      if (predicate.domain(k) >= kNumBuiltin) continue;
      std::vector<bool>& codes = seen(arguments_[p][k]);
      if (predicate.open_world) codes.assign(codes.size(), true);
      for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
        for (const Code code : relation.table(partition).columns[k]) codes[code] = true;
      }
      for (const Code code : database_.potentials(p).columns[k]) codes[code] = true;
    }
  }

  void add_constant(std::uint32_t place, const std::string& text) {
    if (places_.domain(place) >= kNumBuiltin) return;
    const auto code = database_.dictionary(places_.domain(place)).find(text);
    if (code) seen(place)[*code] = true;
  }

  std::vector<std::uint32_t> domains_of(const std::vector<std::uint32_t>& places,
                                        NarrowedDomains& result) {
    std::vector<std::uint32_t> domains;
    for (const std::uint32_t place : places) {
      const DomainId domain = places_.domain(place);
      const bool named = domain >= kNumBuiltin;
      const std::pair key{named, named ? domain : places_.find(place)};
      const auto [found, added] = numbers_.emplace(key, result.domains.size());
      if (added) result.domains.push_back({domain, codes_of(place)});
      domains.push_back(found->second);
    }
    return domains;
  }

  // A variable that no atom has runs over the whole domain.
  std::vector<Code> codes_of(std::uint32_t place) {
    const auto found = seen_.find(places_.find(place));
    if (found == seen_.end()) return all_codes(database_, places_.domain(place));
    std::vector<Code> codes;
    for (Code code = 0; code < found->second.size(); ++code) {
      if (found->second[code]) codes.push_back(code);
    }
    return codes;
  }

  const Program& program_;
  const Database& database_;
  Places places_;
  std::vector<std::vector<std::uint32_t>> arguments_, variables_;  // places
  std::vector<std::pair<std::uint32_t, std::string>> constants_;   // of rules, and where
  std::vector<std::uint32_t> whole_;                 // places that run over all constants
  std::map<std::uint32_t, std::vector<bool>> seen_;  // by the first of a group
  std::map<std::pair<bool, std::uint32_t>, std::uint32_t> numbers_;  // of domains that are made
};

}  // namespace

std::vector<Code> all_codes(const Database& database, DomainId domain) {
  std::vector<Code> codes(database.dictionary(domain).size());
  std::iota(codes.begin(), codes.end(), Code{0});
  return codes;
}

NarrowedDomains narrow_domains(const Program& program, const Database& database) {
  return Narrowing(program, database).narrow();
}

}  // namespace sorites::meanfield
