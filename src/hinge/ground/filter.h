// The conditions of filters, decided for codes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

class FilterCondition {
 public:
  FilterCondition(const Formula& formula, const Program& program, const Database& database);

  // `codes` is per variable of the rule. An atom is true if it is observed with a value above 0.
  bool holds(std::span<const Code> codes) const { return holds(root_, codes); }

 private:
  struct Argument {
    std::optional<VariableId> variable;
    Code code = 0;     // of a constant; kNoCode if no row has it
    std::string text;  // of a constant
  };
  struct Node {
    FormulaKind kind = FormulaKind::kAtom;
    std::vector<Node> operands;
    PredicateId predicate = 0;
    ComparisonOperator op = ComparisonOperator::kEqual;
    DomainId domain = 0;
    std::vector<Argument> arguments;
  };

  Node translate(const Formula& formula, const Program& program) const;
  Argument argument(const Term& term, DomainId domain) const;
  bool holds(const Node& node, std::span<const Code> codes) const;
  bool atom_holds(const Node& node, std::span<const Code> codes) const;
  bool comparison_holds(const Node& node, std::span<const Code> codes) const;
  std::string text(const Argument& argument, DomainId domain, std::span<const Code> codes) const;

  const Database& database_;
  Node root_;
};

}  // namespace sorites
