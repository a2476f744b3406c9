#include "hinge/ground/narrow.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "join/join_order.h"

namespace sorites {
namespace {

class Narrower {
 public:
  Narrower(RuleQuery query, const NarrowContext& context)
      : query_(std::move(query)), context_(context), sign_(query_.decisive_sign()) {
    for (const LinearAtom& atom : query_.atoms) {
      coefficient_.push_back(evaluate(atom.coefficient, {}));
    }
  }

  bool always_matters() const;
  bool has_optional() const;
  // The query itself, or one query per atom that can be the first unknown one; without what values
  // rule out.
  std::vector<RuleQuery> whole() const { return limited({query_}); }
  std::vector<RuleQuery> split() const;
  // The same query, but optional atoms of open predicates drive the join as well.
  Narrower driven() const;
  bool is_driven_by_data() const;
  double cost(const std::vector<RuleQuery>& parts) const;
  std::vector<RuleQuery> without_implied(std::vector<RuleQuery> parts) const;

 private:
  bool is_open(std::size_t i) const { return context_.data.layout[query_.atoms[i].predicate].open; }
  bool is_optional(std::size_t i) const {
    return query_.query.atoms[query_.atoms[i].atom].optional;
  }
  double num_rows(std::size_t i, RowSet rows) const {
    return context_.statistics.num_rows(query_.atoms[i].predicate, rows);
  }
  static JoinAtom& atom_of(RuleQuery& part, std::size_t i) {
    return part.query.atoms[part.atoms[i].atom];
  }
  std::vector<std::size_t> open_with_targets() const;
  RuleQuery part_of(const std::vector<std::size_t>& open, std::size_t k) const;
  double largest_part(const RuleQuery& part, std::size_t i) const;
  bool limit_values(RuleQuery& part) const;
  void limit_rows(std::size_t i, double rest, RuleQuery& part) const;
  std::vector<RuleQuery> limited(std::vector<RuleQuery> parts) const;
  void drop_implied(RuleQuery& part) const;

  RuleQuery query_;
  const NarrowContext& context_;
  std::optional<double> sign_;
  std::vector<double> coefficient_;  // per atom of the expression
};

bool Narrower::has_optional() const {
  for (std::size_t i = 0; i < query_.atoms.size(); ++i) {
    if (is_open(i) && is_optional(i)) return true;
  }
  return false;
}

// Whether every binding has an unknown atom, so that there is nothing to choose between. An atom
// that is missing counts, unless it is taken to be 0.
bool Narrower::always_matters() const {
  for (std::size_t i = 0; i < query_.atoms.size(); ++i) {
    if (!is_open(i)) continue;
    const JoinAtom& atom = query_.query.atoms[query_.atoms[i].atom];
    const bool never_observed =
        atom.rows.set == RowSet::kTargets || num_rows(i, RowSet::kObserved) == 0.0;
    const bool may_be_absent =
        atom.optional && context_.data.on_missing_target == OnMissingTarget::kZero;
    if (never_observed && !may_be_absent) return true;
  }
  return false;
}

// The atoms of the expression that can be targets: first those that must be there.
std::vector<std::size_t> Narrower::open_with_targets() const {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < query_.atoms.size(); ++i) {
    if (is_open(i) && num_rows(i, RowSet::kTargets) > 0.0) open.push_back(i);
  }
  std::stable_partition(open.begin(), open.end(), [&](std::size_t i) { return !is_optional(i); });
  return open;
}

// The bindings in which open[k] is a target and none of those before it is. An atom that may be
// absent must not have a target's row then, which is looked up.
RuleQuery Narrower::part_of(const std::vector<std::size_t>& open, std::size_t k) const {
  RuleQuery part = query_;
  for (std::size_t j = 0; j < k; ++j) {
    JoinAtom& atom = atom_of(part, open[j]);
    if (!atom.optional) {
      atom.rows.set = RowSet::kObserved;
      continue;
    }
    JoinAtom excluded = atom;
    excluded.rows = RowSet::kTargets;
    part.query.atoms.push_back(std::move(excluded));
    part.excluded.push_back(static_cast<std::uint32_t>(part.query.atoms.size() - 1));
  }
  JoinAtom& first = atom_of(part, open[k]);
  first.rows.set = RowSet::kTargets;
  first.optional = false;
  return part;
}

// The largest that an atom can add to the expression; minus infinity if it has no row.
double Narrower::largest_part(const RuleQuery& part, std::size_t i) const {
  const JoinAtom& atom = part.query.atoms[part.atoms[i].atom];
  const double coefficient = *sign_ * coefficient_[i];
  double largest = -std::numeric_limits<double>::infinity();
  const bool unknown =
      atom.optional || (atom.rows.set != RowSet::kObserved && num_rows(i, RowSet::kTargets) > 0.0);
  if (unknown) largest = std::max(0.0, coefficient);
  if (atom.rows.set != RowSet::kTargets && num_rows(i, RowSet::kObserved) > 0.0) {
    const ValueRange values = context_.statistics.observed_values(query_.atoms[i].predicate);
    largest = std::max({largest, coefficient * values.least, coefficient * values.largest});
  }
  return largest;
}

// Leaves out the observed rows of an atom with which no binding can be violated: `rest` is the
// largest value of all else.
void Narrower::limit_rows(std::size_t i, double rest, RuleQuery& part) const {
  constexpr double kMargin = 1e-9;  // what is on the limit is for the emitter to decide
  // An index of its own for a limit of its own must be worth building.
  constexpr double kWorthwhile = 0.5;
  JoinAtom& atom = atom_of(part, i);
  const double coefficient = *sign_ * coefficient_[i];
  if (coefficient == 0.0 || atom.rows.set == RowSet::kTargets) return;
  RowChoice alone = atom.rows;
  if (query_.is_clause && coefficient > 0.0) alone.above = kNearlyDecided;
  if (query_.is_clause && coefficient < 0.0) alone.below = 1.0 - kNearlyDecided + kMargin;
  alone = context_.statistics.plain(atom.predicate, alone);
  RowChoice together = alone;
  const double limit = -rest / coefficient;
  if (coefficient > 0.0) together.above = std::max(together.above, limit - kMargin);
  if (coefficient < 0.0) together.below = std::min(together.below, limit + kMargin);
  together = context_.statistics.plain(atom.predicate, together);
  const bool worthwhile =
      together != alone && context_.statistics.num_rows(atom.predicate, together) <
                               kWorthwhile * context_.statistics.num_rows(atom.predicate, alone);
  atom.rows = worthwhile ? together : alone;
}

// False if no binding can be violated.
bool Narrower::limit_values(RuleQuery& part) const {
  if (!sign_) return true;
  double largest = *sign_ * evaluate(query_.constant, {});
  std::vector<double> parts;
  for (std::size_t i = 0; i < query_.atoms.size(); ++i) {
    parts.push_back(largest_part(part, i));
    largest += parts.back();
  }
  if (!(largest > 0.0)) return false;
  for (std::size_t i = 0; i < query_.atoms.size(); ++i) {
    if (!atom_of(part, i).optional) limit_rows(i, largest - parts[i], part);
  }
  return true;
}

std::vector<RuleQuery> Narrower::limited(std::vector<RuleQuery> parts) const {
  std::erase_if(parts, [&](RuleQuery& part) { return !limit_values(part); });
  return parts;
}

std::vector<RuleQuery> Narrower::split() const {
  const std::vector<std::size_t> open = open_with_targets();
  std::vector<RuleQuery> parts;
  for (std::size_t k = 0; k < open.size(); ++k) parts.push_back(part_of(open, k));
  return limited(std::move(parts));
}

Narrower Narrower::driven() const {
  Narrower result = *this;
  for (std::size_t i = 0; i < query_.atoms.size(); ++i) {
    if (is_open(i)) atom_of(result.query_, i).optional = false;
  }
  return result;
}

// Whether optional atoms of open predicates are there for every binding.
bool Narrower::is_driven_by_data() const {
  for (std::size_t i = 0; i < query_.atoms.size(); ++i) {
    if (!is_open(i) || !is_optional(i)) continue;
    const JoinAtom& atom = query_.query.atoms[query_.atoms[i].atom];
    if (!context_.coverage.is_always_there(query_.query, atom)) return false;
  }
  return true;
}

// An atom of value 1 that is there wherever another is need not be looked for.
void Narrower::drop_implied(RuleQuery& part) const {
  for (std::size_t i = 0; i < query_.atoms.size(); ++i) {
    JoinAtom& atom = atom_of(part, i);
    const ValueRange values = context_.statistics.observed_values(atom.predicate);
    if (is_open(i) || atom.optional || values.least != 1.0 || atom.arguments.empty() ||
        num_rows(i, RowSet::kTargets) > 0.0) {
      continue;
    }
    atom.implied =
        std::any_of(part.query.atoms.begin(), part.query.atoms.end(), [&](const JoinAtom& other) {
          return &other != &atom && !other.optional && !other.implied &&
                 context_.coverage.covers(other, atom);
        });
  }
}

double Narrower::cost(const std::vector<RuleQuery>& parts) const {
  constexpr double kOfAPart = 50.0;  // to begin one costs as much as some bindings
  double cost = 0.0;
  for (const RuleQuery& part : parts) {
    const JoinOrder order = best_order(part.query, context_.statistics);
    cost += std::accumulate(order.sizes.begin(), order.sizes.end(), kOfAPart);
  }
  return cost;
}

std::vector<RuleQuery> Narrower::without_implied(std::vector<RuleQuery> parts) const {
  for (RuleQuery& part : parts) drop_implied(part);
  return parts;
}

// What is cheapest, of the query as it is and of what it can be cut into.
std::vector<RuleQuery> cheapest(const Narrower& narrower, const NarrowContext& context) {
  constexpr double kNoDifference = 0.8;  // estimates are rough, and parts need indexes of their own
  std::vector<RuleQuery> best = narrower.whole();
  const bool forced = context.plan == GroundPlan::kParts;
  double least = forced ? std::numeric_limits<double>::infinity() : narrower.cost(best);
  const auto consider = [&](std::vector<RuleQuery> parts) {
    const double cost = narrower.cost(parts);
    if (cost >= kNoDifference * least) return false;
    least = cost;
    best = std::move(parts);
    return true;
  };
  const Narrower driven = narrower.driven();
  std::vector<RuleQuery> before = best;
  const bool gains = consider(driven.split()) | (!forced && consider(driven.whole()));
  if (!gains || !narrower.has_optional() || narrower.is_driven_by_data()) return best;
  best = std::move(before);
  least = forced ? std::numeric_limits<double>::infinity() : narrower.cost(best);
  if (context.data.on_missing_target == OnMissingTarget::kZero) consider(narrower.split());
  return best;
}

}  // namespace

std::vector<RuleQuery> narrowed(const RuleQuery& query, const NarrowContext& context) {
  if (query.never) return {};
  // Sums depend on all their rows; they are taken as they are.
  const bool plain = !query.has_summation && !query.is_quantified;
  if (!plain || context.plan == GroundPlan::kAllBindings) return {query};
  constexpr std::size_t kMostParts = 12;  // plans for so many parts would cost more than they save
  constexpr double kFewBindings = 1000;   // are found in less time than better plans for them
  const Narrower narrower(query, context);
  const bool forced = context.plan != GroundPlan::kCheapest;
  if (!forced && (query.atoms.size() > kMostParts || narrower.cost({query}) < kFewBindings)) {
    return {query};
  }
  // Hard rules that observations alone break are told, so all their bindings count.
  const bool choose =
      !query.is_hard() && !narrower.always_matters() && context.plan != GroundPlan::kWhole;
  return narrower.without_implied(choose ? cheapest(narrower, context) : narrower.whole());
}

std::vector<RuleQuery> narrowed_queries(const Rule& rule, const NarrowContext& context) {
  std::vector<RuleQuery> all;
  for (const RuleQuery& query : rule_queries(rule, context.data.program, context.data.database)) {
    for (RuleQuery& part : narrowed(query, context)) all.push_back(std::move(part));
  }
  return all;
}

}  // namespace sorites
