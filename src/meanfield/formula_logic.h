// The formula of a rule with some variables bound to constants, as a tree over numbered atoms.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "meanfield/comparisons.h"
#include "meanfield/narrow_domains.h"
#include "meanfield/normal_form.h"
#include "meanfield/rule_weights.h"

namespace sorites::meanfield {

// The atoms of one formula, each once.
struct FormulaAtoms {
  struct Atom {
    std::uint32_t predicate = 0;
    std::vector<MeanFieldTerm> terms;
  };
  std::vector<Atom> atoms;
  std::vector<std::uint32_t> num_values;  // per atom
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
};

class FormulaLogic {
 public:
  FormulaLogic(const Program& program,
               const Database& database,
               const NarrowedDomains& domains,
               MeanFieldModel& model)
      : program_(program),
        database_(database),
        domains_(domains),
        model_(model),
        comparisons_(database, model) {}

  // None if it has too many literals or a constant is unknown: see below. Atoms that facts decide
  // are true or false.
  std::optional<LogicNode> logic(std::size_t rule, const Formula& formula, Binding binding);

  const FormulaAtoms& atoms() const { return atoms_; }
  bool used_facts() const { return used_facts_; }
  // Why there was none: a constant of an open world that is in no data, or else the size.
  const std::string& unknown_constant() const { return unknown_constant_; }

 private:
  LogicNode node_of(const Formula& formula);
  LogicNode quantified(const Formula& formula);
  LogicNode settle(const LogicNode& node, std::size_t num_literals_before);
  bool is_too_large() const;
  LogicNode atom(const Atom& atom);
  LogicNode comparison(const Comparison& comparison);
  LogicNode less_than_constant(const Comparison& comparison);
  LogicNode literal(std::uint32_t predicate,
                    std::vector<MeanFieldTerm> terms,
                    std::vector<std::uint32_t> values);
  std::optional<MeanFieldTerm> term(const Term& term, std::uint32_t domain);
  bool is_fact(std::uint32_t predicate, const std::vector<MeanFieldTerm>& terms) const;
  std::optional<std::string> constant_text(const Term& term) const;

  const Program& program_;
  const Database& database_;
  const NarrowedDomains& domains_;
  MeanFieldModel& model_;
  Comparisons comparisons_;
  // Of the formula at hand.
  std::size_t rule_ = 0;
  Binding binding_;
  FormulaAtoms atoms_;
  std::size_t num_literals_ = 0;  // that facts leave open, and ...
  std::size_t num_decided_ = 0;   // ... those that they do not
  bool used_facts_ = false;
  std::string unknown_constant_;
};

}  // namespace sorites::meanfield
