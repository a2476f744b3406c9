// The yardstick for grounding: nested loops over hash indexes, one atom after the other in the
// order of the text. What one would write in an afternoon; no plan, no batches, no threads, one
// allocation per term.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "lang/clauses.h"
#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

class NestedLoops {
 public:
  NestedLoops(const Program& program, const Database& database)
      : program_(program), database_(database) {}

  // The number of terms, all of which were made. Rules with summation variables are left out.
  std::size_t ground() {
    for (const Rule& rule : program_.rules) {
      if (const auto* logical = std::get_if<LogicalRule>(&rule.body)) {
        for (const Clause& clause : to_clauses(logical->formula)) ground_clause(rule, clause);
      } else {
        ground_arithmetic(rule, std::get<ArithmeticRule>(rule.body));
      }
    }
    return terms_.size();
  }

 private:
  struct LinearTerm {
    std::vector<std::uint64_t> atoms;
    std::vector<double> coefficients;
    double offset;
  };
  using Index = std::unordered_multimap<std::uint64_t, RowId>;

  static std::uint64_t mix(std::uint64_t hash, Code code) {
    return (hash ^ code) * 0x9E3779B97F4A7C15U ^ hash >> 29U;
  }

  // The rows of a predicate by their codes in some columns.
  const Index& index(PredicateId predicate, const std::vector<std::size_t>& columns) {
    const auto [entry, added] = indexes_.try_emplace({predicate, columns});
    if (!added) return entry->second;
    for (const Partition partition : {Partition::kObserved, Partition::kTarget}) {
      const Table& table = database_.relation(predicate).table(partition);
      for (std::uint32_t row = 0; row < table.num_rows; ++row) {
        std::uint64_t key = 1;
        for (const std::size_t c : columns) key = mix(key, table.columns[c][row]);
        entry->second.emplace(key, RowId{partition, row});
      }
    }
    return entry->second;
  }

  Code code_of(const Term& term, DomainId domain) const {
    if (const auto* variable = std::get_if<VariableId>(&term)) return bound_[*variable];
    return database_.dictionary(domain).find(std::get<std::string>(term)).value_or(kNoCode);
  }

  // Calls `next` for every row that fits what is bound, with its variables bound too.
  void for_rows(const Atom& atom, const std::function<void()>& next) {
    std::vector<std::size_t> columns;
    std::uint64_t key = 1;
    const Predicate& predicate = program_.predicates[atom.predicate];
    for (std::size_t c = 0; c < atom.arguments.size(); ++c) {
      const Code code = code_of(atom.arguments[c], predicate.domain(c));
      const bool free = code == kNoCode && std::holds_alternative<VariableId>(atom.arguments[c]);
      if (free) continue;
      columns.push_back(c);
      key = mix(key, code);
    }
    const auto [begin, end] = index(atom.predicate, columns).equal_range(key);
    for (auto row = begin; row != end; ++row) {
      const Table& table = database_.relation(atom.predicate).table(row->second.partition);
      const std::vector<Code> before = bound_;
      bool fits = true;
      for (std::size_t c = 0; c < atom.arguments.size(); ++c) {
        const Code code = table.columns[c][row->second.row];
        if (const auto* variable = std::get_if<VariableId>(&atom.arguments[c])) {
          fits &= bound_[*variable] == kNoCode || bound_[*variable] == code;
          bound_[*variable] = code;
        } else {
          fits &= code_of(atom.arguments[c], predicate.domain(c)) == code;
        }
      }
      if (fits) next();
      bound_ = before;
    }
  }

  bool holds(const Comparison& comparison) const {
    const Code left = code_of(comparison.left, comparison.domain);
    const Code right = code_of(comparison.right, comparison.domain);
    switch (comparison.op) {
      case ComparisonOperator::kEqual:
        return left == right;
      case ComparisonOperator::kNotEqual:
        return left != right;
      case ComparisonOperator::kLess:
        return database_.dictionary(comparison.domain).less(left, right);
    }
    return false;  // not reached: the switch is complete
  }

  void add_atom(const Atom& atom, double coefficient, LinearTerm& term) const {
    std::vector<Code> codes;
    const Predicate& predicate = program_.predicates[atom.predicate];
    for (std::size_t c = 0; c < atom.arguments.size(); ++c) {
      codes.push_back(code_of(atom.arguments[c], predicate.domain(c)));
    }
    const auto row = database_.relation(atom.predicate).find(codes);
    if (!row) return;
    if (row->partition == Partition::kTarget) {
      term.atoms.push_back(std::uint64_t{atom.predicate} << 32U | row->row);
      term.coefficients.push_back(coefficient);
    } else {
      const Table& observed = database_.relation(atom.predicate).table(Partition::kObserved);
      term.offset += coefficient * observed.value(row->row);
    }
  }

  void finish(LinearTerm term) {
    if (term.atoms.empty()) return;
    double largest = term.offset;
    for (const double c : term.coefficients) largest += std::max(0.0, c);
    if (largest > 1e-9) terms_.push_back(std::move(term));
  }

  void ground_clause(const Rule& rule, const Clause& clause) {
    std::vector<const Literal<Atom>*> body;
    for (const auto& literal : clause.atoms) {
      if (literal.negated) body.push_back(&literal);
    }
    bound_.assign(rule.variables.size(), kNoCode);
    join(0, body, [&] {
      for (const auto& literal : clause.comparisons) {
        if (holds(literal.what) != literal.negated) return;
      }
      LinearTerm term{{}, {}, 1.0 - static_cast<double>(body.size())};
      for (const auto& literal : clause.atoms)
        add_atom(literal.what, literal.negated ? 1 : -1, term);
      finish(std::move(term));
    });
  }

  void join(std::size_t i,
            const std::vector<const Literal<Atom>*>& body,
            const std::function<void()>& visit) {
    if (i == body.size()) return visit();
    for_rows(body[i]->what, [&] { join(i + 1, body, visit); });
  }

  void ground_arithmetic(const Rule& rule, const ArithmeticRule& arithmetic) {
    for (const Variable& variable : rule.variables) {
      if (variable.summed) return;
    }
    std::vector<Literal<Atom>> atoms;
    for (const auto* side : {&arithmetic.left, &arithmetic.right}) {
      for (const Summand& summand : *side) {
        if (summand.atom) atoms.push_back({*summand.atom, side == &arithmetic.right});
      }
    }
    std::vector<const Literal<Atom>*> body;
    for (const auto& atom : atoms) body.push_back(&atom);
    bound_.assign(rule.variables.size(), kNoCode);
    join(0, body, [&] {
      LinearTerm term{{}, {}, 0.0};
      for (const auto& atom : atoms) add_atom(atom.what, atom.negated ? -1 : 1, term);
      if (!term.atoms.empty()) terms_.push_back(std::move(term));
    });
  }

  const Program& program_;
  const Database& database_;
  std::map<std::pair<PredicateId, std::vector<std::size_t>>, Index> indexes_;
  std::vector<Code> bound_;  // per variable; kNoCode if it is free
  std::vector<LinearTerm> terms_;
};

}  // namespace sorites
