#include "session/row_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/constant.h"

namespace sorites {
namespace {

std::string text(const AtomChange& change) {
  return fmt::format("{}('{}')", change.predicate, fmt::join(change.arguments, "', '"));
}

PredicateId predicate_named(const Program& program, const std::string& name) {
  const auto found = program.find_predicate(name);
  if (!found) refuse_update(fmt::format("there is no predicate `{}`", name));
  return *found;
}

AtomChange canonical(AtomChange change, const Program& program) {
  const Predicate& predicate = program.predicates[predicate_named(program, change.predicate)];
  if (change.arguments.size() != predicate.arity()) {
    refuse_update(fmt::format("`{}` takes {} arguments, not {}",
                              predicate.name,
                              predicate.arity(),
                              change.arguments.size()));
  }
  change.predicate = predicate.name;
  for (std::size_t k = 0; k < predicate.arity(); ++k) {
    const ConstantType type = program.domains[predicate.domain(k)].type;
    auto constant = canonical_constant(type, change.arguments[k]);
    if (!constant) {
      refuse_update(fmt::format("argument {} of {}: '{}' is no {}",
                                k + 1,
                                text(change),
                                change.arguments[k],
                                name_of(type)));
    }
    change.arguments[k] = *std::move(constant);
  }
  return change;
}

std::vector<AtomChange> canonical(const std::vector<AtomChange>& changes, const Program& program) {
  std::vector<AtomChange> result;
  std::set<std::pair<std::string, std::vector<std::string>>> seen;
  for (const AtomChange& change : changes) {
    result.push_back(canonical(change, program));
    const AtomChange& last = result.back();
    if (seen.emplace(last.predicate, last.arguments).second) continue;
    refuse_update(text(last) + " stands twice in the update");
  }
  return result;
}

std::optional<RowId> find_row(const Database& database,
                              PredicateId p,
                              const std::vector<std::string>& arguments) {
  const Predicate& predicate = database.predicates()[p];
  std::vector<Code> codes;
  for (std::size_t k = 0; k < predicate.arity(); ++k) {
    const auto code = database.dictionary(predicate.domain(k)).find(arguments[k]);
    if (!code) return std::nullopt;
    codes.push_back(*code);
  }
  return database.relation(p).find(codes);
}

}  // namespace

void refuse_update(const std::string& why) { throw std::invalid_argument("update: " + why); }

SessionUpdate canonical(const SessionUpdate& update, const Program& program) {
  return {
      canonical(update.observations, program), canonical(update.targets, program), update.weights};
}

void RowChanges::add(const SessionUpdate& update) {
  for (const AtomChange& change : update.observations) observe(change);
  for (const AtomChange& change : update.targets) target(change);
}

void RowChanges::observe(const AtomChange& change) {
  const PredicateId p = predicate_named(program_, change.predicate);
  if (program_.predicates[p].neural) {
    refuse_update(fmt::format("the values of `{}` come from its network", change.predicate));
  }
  const auto row = find_row(database_, p, change.arguments);
  const bool is_observed = row && row->partition == Partition::kObserved;
  if (!is_observed && !change.value) {
    refuse_update(text(change) + " cannot be removed: it is not observed");
  }
  if (row) remove(p, change, *row);
  if (change.value) add(p, change, Partition::kObserved, *change.value);
}

void RowChanges::target(const AtomChange& change) {
  const PredicateId p = predicate_named(program_, change.predicate);
  if (!program_.predicates[p].open) {
    refuse_update(fmt::format("`{}` is closed: it has no targets", change.predicate));
  }
  if (program_.predicates[p].neural) {
    refuse_update(
        fmt::format("the targets of `{}` come with the features of its network", change.predicate));
  }
  const bool is_observed_now = atoms_added_.contains({p, change.arguments});
  if (is_observed_now && change.value) {
    refuse_update(text(change) + " is observed and made a target in one update");
  }
  const auto row = find_row(database_, p, change.arguments);
  const bool is_target = row && row->partition == Partition::kTarget;
  if (!is_target && !change.value) {
    refuse_update(text(change) + " cannot be removed: it is no target");
  }
  if (is_observed_now || (is_target && change.value)) return;  // it is none now, or is one already
  if (row && !atoms_removed_.contains({p, change.arguments})) remove(p, change, *row);
  if (change.value) add(p, change, Partition::kTarget, *change.value);
}

std::optional<Partition> RowChanges::partition_of(const AtomChange& change) const {
  const PredicateId p = predicate_named(program_, change.predicate);
  const auto row = find_row(database_, p, change.arguments);
  return row ? std::optional(row->partition) : std::nullopt;
}

bool RowChanges::are_applied(const Database& database) const {
  const RowChange& last = changes_.back();
  const auto row = find_row(database, last.predicate, last.arguments);
  const bool there = row && row->partition == last.partition;
  if (!last.value) return !there;
  return there &&
         database.relation(last.predicate).table(last.partition).value(row->row) == *last.value;
}

std::vector<RowChange> RowChanges::inverse() const {
  std::vector<RowChange> result;
  for (const RowChange& change : changes_) {
    if (change.value) result.push_back({change.predicate, change.arguments, {}, change.partition});
  }
  result.insert(result.end(), removed_.begin(), removed_.end());
  return result;
}

void RowChanges::remove(PredicateId p, const AtomChange& change, RowId row) {
  const double value = database_.relation(p).table(row.partition).value(row.row);
  removed_.push_back({p, change.arguments, value, row.partition});
  changes_.push_back({p, change.arguments, {}, row.partition});
  atoms_removed_.emplace(p, change.arguments);
  of_targets_ = of_targets_ || row.partition == Partition::kTarget;
}

void RowChanges::add(PredicateId p, const AtomChange& change, Partition partition, double value) {
  changes_.push_back({p, change.arguments, value, partition});
  atoms_added_.emplace(p, change.arguments);
  of_targets_ = of_targets_ || partition == Partition::kTarget;
}

}  // namespace sorites
