#include "lang/clauses.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "base/distribute.h"

namespace sorites {
namespace lang {
namespace {

// A literal as a number, 2 * atom or comparison + (1 if negated), so that clauses are cheap.
using Code = std::uint32_t;
using CodedClause = std::vector<Code>;

// A conjunction of clauses; none if it has too many.
using Conjunction = std::optional<std::vector<CodedClause>>;

// A formula and its negation. Both at once, since an equivalence needs both of each side: asking
// for them one by one takes time exponential in the depth.
struct Both {
  Conjunction holds, fails;
};

void append_key(std::string& key, const Term& term) {
  if (const auto* variable = std::get_if<VariableId>(&term)) {
    key += fmt::format("v{};", *variable);
  } else {
    const auto& constant = std::get<std::string>(term);
    key += fmt::format("c{}:{}", constant.size(), constant);
  }
}

// Numbers the distinct atoms and comparisons of a formula by their first appearance.
class LiteralTable {
 public:
  Code code(const Atom& atom) {
    std::string key = fmt::format("p{};", atom.predicate);
    for (const Term& argument : atom.arguments) append_key(key, argument);
    return number(key, &atom, nullptr);
  }

  // `A != B` is the negation of `A == B`.
  Code code(const Comparison& comparison) {
    const bool differs = comparison.op == ComparisonOperator::kNotEqual;
    const bool less = comparison.op == ComparisonOperator::kLess;
    std::string key = fmt::format("{}{};", less ? '<' : '=', static_cast<int>(comparison.domain));
    append_key(key, comparison.left);
    append_key(key, comparison.right);
    return number(key, nullptr, &comparison) ^ (differs ? 1U : 0U);
  }

  Clause decode(const CodedClause& coded) const {
    Clause clause;
    for (const Code code : coded) {
      const auto& [atom, comparison] = entries_[code / 2];
      const bool negated = code % 2 == 1;
      if (atom != nullptr) {
        clause.atoms.push_back({*atom, negated});
      } else {
        const bool differs = comparison->op == ComparisonOperator::kNotEqual;
        clause.comparisons.push_back({*comparison, negated != differs});
      }
    }
    return clause;
  }

 private:
  struct Entry {
    const Atom* atom;
    const Comparison* comparison;
  };

  Code number(const std::string& key, const Atom* atom, const Comparison* comparison) {
    const auto [found, added] = numbers_.emplace(key, static_cast<Code>(entries_.size()));
    if (added) entries_.push_back({atom, comparison});
    return 2 * found->second;
  }

  std::unordered_map<std::string, Code> numbers_;
  std::vector<Entry> entries_;
};

// Drops literals that stand twice. False if the clause holds by its form: it has `A` and `!A`.
bool simplify(CodedClause& clause, std::vector<Code>& sorted) {
  sorted = clause;
  std::sort(sorted.begin(), sorted.end());
  const bool repeats = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i - 1] / 2 == sorted[i] / 2) return false;
  }
  if (!repeats) return true;
  std::vector<bool> seen(sorted.size(), false);
  const auto stands_before = [&](Code code) {
    const auto index = static_cast<std::size_t>(
        std::lower_bound(sorted.begin(), sorted.end(), code) - sorted.begin());
    const bool before = seen[index];
    seen[index] = true;
    return before;
  };
  clause.erase(std::remove_if(clause.begin(), clause.end(), stands_before), clause.end());
  return true;
}

// Also drops clauses that stand twice.
Conjunction simplify(std::vector<CodedClause> clauses) {
  std::vector<CodedClause> kept, kept_sorted;
  std::vector<Code> sorted;
  for (CodedClause& clause : clauses) {
    if (!simplify(clause, sorted)) continue;
    if (std::find(kept_sorted.begin(), kept_sorted.end(), sorted) != kept_sorted.end()) continue;
    if (kept.size() == kMaxClauses) return std::nullopt;
    kept.push_back(std::move(clause));
    kept_sorted.push_back(sorted);
  }
  return kept;
}

Conjunction all_of(const std::vector<const Conjunction*>& parts) {
  return sorites::all_of<CodedClause>(parts, kMaxClauses, [](std::vector<CodedClause> clauses) {
    return simplify(std::move(clauses));
  });
}

Conjunction any_of(const std::vector<const Conjunction*>& parts) {
  return sorites::any_of<CodedClause>(
      parts, [](std::vector<CodedClause> clauses) { return simplify(std::move(clauses)); });
}

Both convert(const Formula& formula, LiteralTable& literals) {
  if (formula.kind == FormulaKind::kAtom || formula.kind == FormulaKind::kComparison) {
    const Code code = formula.kind == FormulaKind::kAtom ? literals.code(formula.atom)
                                                         : literals.code(formula.comparison);
    using Clauses = std::vector<CodedClause>;
    return {Clauses{CodedClause{code}}, Clauses{CodedClause{code ^ 1U}}};
  }
  std::vector<Both> operands;
  std::vector<const Conjunction*> hold, fail;
  operands.reserve(formula.operands.size());
  for (const Formula& operand : formula.operands) {
    operands.push_back(convert(operand, literals));
    hold.push_back(&operands.back().holds);
    fail.push_back(&operands.back().fails);
  }
  switch (formula.kind) {
    case FormulaKind::kNot:
      return {std::move(operands[0].fails), std::move(operands[0].holds)};
    case FormulaKind::kAnd:
      return {all_of(hold), any_of(fail)};
    case FormulaKind::kOr:
      return {any_of(hold), all_of(fail)};
    case FormulaKind::kImplies:
      return {any_of({fail[0], hold[1]}), all_of({hold[0], fail[1]})};
    case FormulaKind::kIff: {
      const Conjunction forth = any_of({fail[0], hold[1]}), back = any_of({hold[0], fail[1]});
      const Conjunction some = any_of({hold[0], hold[1]}), not_all = any_of({fail[0], fail[1]});
      return {all_of({&forth, &back}), all_of({&some, &not_all})};
    }
    case FormulaKind::kForall:
    case FormulaKind::kExists:
    case FormulaKind::kAtom:
    case FormulaKind::kComparison:
      break;  // handled above
  }
  return {};
}

}  // namespace

std::optional<std::vector<Clause>> try_to_clauses(const Formula& formula) {
  LiteralTable literals;
  const Conjunction coded = convert(formula, literals).holds;
  if (!coded) return std::nullopt;
  std::vector<Clause> clauses;
  clauses.reserve(coded->size());
  for (const CodedClause& clause : *coded) clauses.push_back(literals.decode(clause));
  return clauses;
}

}  // namespace lang

std::vector<Clause> to_clauses(const Formula& formula) {
  auto clauses = lang::try_to_clauses(formula);
  if (!clauses) {
    throw std::invalid_argument(
        fmt::format("the formula has more than {} clauses", lang::kMaxClauses));
  }
  return std::move(*clauses);
}

}  // namespace sorites
