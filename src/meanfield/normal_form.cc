#include "meanfield/normal_form.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/distribute.h"

namespace sorites::meanfield {
namespace {

using Values = std::vector<std::uint32_t>;

// A conjunction of clauses; none if it has too many.
using Conjunction = std::optional<std::vector<ValueClause>>;

// A formula and its negation. Both at once, since an equivalence needs both of each side: asking
// for them one by one takes time exponential in the depth.
struct Both {
  Conjunction holds, fails;
};

Values complement(const Values& values, std::uint32_t num_values) {
  Values result;
  auto next = values.begin();
  for (std::uint32_t v = 0; v < num_values; ++v) {
    if (next != values.end() && *next == v) {
      ++next;
    } else {
      result.push_back(v);
    }
  }
  return result;
}

Values united(const Values& a, const Values& b) {
  Values result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

ValueLiteral* find_atom(ValueClause& clause, std::uint32_t atom) {
  const auto found = std::find_if(
      clause.begin(), clause.end(), [&](const ValueLiteral& l) { return l.atom == atom; });
  return found == clause.end() ? nullptr : &*found;
}

class Converter {
 public:
  explicit Converter(const std::vector<std::uint32_t>& num_values)
      : num_values_(num_values), position_(num_values.size(), kNowhere) {}

  Both convert(const LogicNode& node) {
    if (node.kind == LogicKind::kLiteral) return convert(node.literal);
    std::vector<Both> operands;
    std::vector<const Conjunction*> hold, fail;
    operands.reserve(node.operands.size());
    for (const LogicNode& operand : node.operands) {
      operands.push_back(convert(operand));
      hold.push_back(&operands.back().holds);
      fail.push_back(&operands.back().fails);
    }
    switch (node.kind) {
      case LogicKind::kNot:
        return {std::move(operands[0].fails), std::move(operands[0].holds)};
      case LogicKind::kAnd:
        return {all_of(hold), any_of(fail)};
      case LogicKind::kOr:
        return {any_of(hold), all_of(fail)};
      case LogicKind::kImplies:
        return {any_of({fail[0], hold[1]}), all_of({hold[0], fail[1]})};
      case LogicKind::kIff: {
        const Conjunction forth = any_of({fail[0], hold[1]}), back = any_of({hold[0], fail[1]});
        const Conjunction some = any_of({hold[0], hold[1]}), not_all = any_of({fail[0], fail[1]});
        return {all_of({&forth, &back}), all_of({&some, &not_all})};
      }
      case LogicKind::kLiteral:
        break;  // handled above
    }
    return {};
  }

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  Both convert(const ValueLiteral& literal) {
    const std::uint32_t n = num_values_[literal.atom];
    using Clauses = std::vector<ValueClause>;
    ValueLiteral opposite{literal.atom, complement(literal.values, n)};
    return {simplify(Clauses{{literal}}), simplify(Clauses{{std::move(opposite)}})};
  }

  // Unites the literals of each atom and drops those without a value. False if the clause holds by
  // its form: an atom may have any value.
  bool simplify(ValueClause& clause) {
    ValueClause merged;
    for (ValueLiteral& literal : clause) {
      if (literal.values.empty()) continue;
      std::size_t& at = position_[literal.atom];
      if (at == kNowhere) {
        at = merged.size();
        merged.push_back(std::move(literal));
      } else {
        merged[at].values = united(merged[at].values, literal.values);
      }
    }
    bool holds = false;
    for (const ValueLiteral& literal : merged) {
      position_[literal.atom] = kNowhere;
      holds = holds || literal.values.size() == num_values_[literal.atom];
    }
    clause = std::move(merged);
    return !holds;
  }

  // Also drops clauses that stand twice.
  Conjunction simplify(std::vector<ValueClause> clauses) {
    std::vector<ValueClause> kept;
    for (ValueClause& clause : clauses) {
      if (!simplify(clause)) continue;
      if (std::find(kept.begin(), kept.end(), clause) != kept.end()) continue;
      if (kept.size() == kMaxClauses) return std::nullopt;
      kept.push_back(std::move(clause));
    }
    return kept;
  }

  Conjunction all_of(const std::vector<const Conjunction*>& parts) {
    return sorites::all_of<ValueClause>(parts, kMaxClauses, [&](std::vector<ValueClause> clauses) {
      return simplify(std::move(clauses));
    });
  }

  Conjunction any_of(const std::vector<const Conjunction*>& parts) {
    return sorites::any_of<ValueClause>(
        parts, [&](std::vector<ValueClause> clauses) { return simplify(std::move(clauses)); });
  }

  const std::vector<std::uint32_t>& num_values_;
  std::vector<std::size_t> position_;  // of each atom in the clause that is being simplified
};

// Below, a clause stands for the cube of the worlds that violate it: all its atoms have values that
// their literals do not list.
class Splitter {
 public:
  explicit Splitter(const std::vector<std::uint32_t>& num_values) : num_values_(num_values) {}

  // No world violates both: what some atom would need to violate the one satisfies the other.
  bool disjoint(ValueClause& a, const ValueClause& b) const {
    return std::any_of(b.begin(), b.end(), [&](const ValueLiteral& theirs) {
      const ValueLiteral* ours = find_atom(a, theirs.atom);
      return ours != nullptr &&
             united(ours->values, theirs.values).size() == num_values_[theirs.atom];
    });
  }

  bool all_disjoint(std::vector<ValueClause>& clauses) const {
    for (std::size_t i = 0; i < clauses.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!disjoint(clauses[i], clauses[j])) return false;
      }
    }
    return true;
  }

  // Appends clauses that together are violated where `a` is and `b` is not: those worlds in which
  // the first k - 1 literals of b are violated and the k-th holds, for each k.
  void split(ValueClause a, const ValueClause& b, std::vector<ValueClause>& pieces) const {
    if (disjoint(a, b)) {
      pieces.push_back(std::move(a));
      return;
    }
    for (const ValueLiteral& theirs : b) {
      const ValueLiteral* ours = find_atom(a, theirs.atom);
      const Values known = ours == nullptr ? Values{} : ours->values;
      // Violated where their literal holds: all values but theirs satisfy the piece.
      Values piece_values = united(known, complement(theirs.values, num_values_[theirs.atom]));
      if (piece_values.size() < num_values_[theirs.atom]) {
        pieces.push_back(with(a, {theirs.atom, std::move(piece_values)}));
      }
      a = with(std::move(a), {theirs.atom, united(known, theirs.values)});
    }
  }

 private:
  static ValueClause with(ValueClause clause, ValueLiteral literal) {
    ValueLiteral* old = find_atom(clause, literal.atom);
    if (old != nullptr) {
      *old = std::move(literal);
    } else {
      clause.push_back(std::move(literal));
    }
    return clause;
  }

  const std::vector<std::uint32_t>& num_values_;
};

Conjunction make_disjoint(std::vector<ValueClause> clauses,
                          const std::vector<std::uint32_t>& num_values) {
  const Splitter splitter(num_values);
  if (splitter.all_disjoint(clauses)) return clauses;
  // Short clauses are violated most often, so that they take most from those behind them.
  std::stable_sort(clauses.begin(), clauses.end(), [](const ValueClause& a, const ValueClause& b) {
    return a.size() < b.size();
  });
  std::vector<ValueClause> result;
  for (ValueClause& clause : clauses) {
    std::vector<ValueClause> pieces{std::move(clause)};
    for (std::size_t i = 0; i < result.size() && !pieces.empty(); ++i) {
      std::vector<ValueClause> smaller;
      for (ValueClause& piece : pieces) splitter.split(std::move(piece), result[i], smaller);
      if (smaller.size() > kMaxClauses) return std::nullopt;
      pieces = std::move(smaller);
    }
    std::move(pieces.begin(), pieces.end(), std::back_inserter(result));
    if (result.size() > kMaxClauses) return std::nullopt;
  }
  return result;
}

}  // namespace

std::optional<std::vector<ValueClause>> to_disjoint_clauses(
    const LogicNode& formula, const std::vector<std::uint32_t>& num_values) {
  auto [clauses, negated] = Converter(num_values).convert(formula);
  const bool never_holds = negated && negated->empty();
  if (never_holds) return std::vector<ValueClause>(1);
  if (!clauses) return std::nullopt;
  return make_disjoint(std::move(*clauses), num_values);
}

}  // namespace sorites::meanfield
