// Changes of data and weights in a running session.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "data/change.h"
#include "options/option_value.h"
#include "semantics/semantics.h"
#include "session/program_weights.h"
#include "session/session_state.h"

namespace sorites {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("update: " + why); }

PredicateId predicate_named(const Program& program, const std::string& name) {
  const auto found = program.find_predicate(name);
  if (!found) refuse(fmt::format("there is no predicate `{}`", name));
  return *found;
}

std::optional<RowId> find_row(const Database& database, PredicateId p, const AtomChange& change) {
  const Predicate& predicate = database.predicates()[p];
  if (change.arguments.size() != predicate.arity()) {
    refuse(fmt::format("`{}` takes {} arguments, not {}",
                       predicate.name,
                       predicate.arity(),
                       change.arguments.size()));
  }
  std::vector<Code> codes;
  for (std::size_t k = 0; k < predicate.arity(); ++k) {
    const auto code = database.dictionary(predicate.domain(k)).find(change.arguments[k]);
    if (!code) return std::nullopt;
    codes.push_back(*code);
  }
  return database.relation(p).find(codes);
}

// What an update means for the rows of the database.
class RowChanges {
 public:
  RowChanges(const Program& program, const Database& database)
      : program_(program), database_(database) {}

  // An atom that is a target so far becomes an observed one.
  void observe(const AtomChange& change) {
    const PredicateId p = predicate_named(program_, change.predicate);
    if (program_.predicates[p].neural) {
      refuse(fmt::format("the values of `{}` come from its network", change.predicate));
    }
    const auto row = find_row(database_, p, change);
    if (row) remove(p, change, *row);
    if (!row && !change.value) refuse(text(change) + " cannot be removed: it is not observed");
    if (change.value) add(p, change, Partition::kObserved, *change.value);
  }

  void target(const AtomChange& change) {
    const PredicateId p = predicate_named(program_, change.predicate);
    if (!program_.predicates[p].open) {
      refuse(fmt::format("`{}` is closed: it has no targets", change.predicate));
    }
    if (program_.predicates[p].neural) {
      refuse(fmt::format("the targets of `{}` come with the features of its network",
                         change.predicate));
    }
    if (!change.value && is_removed(p, change)) return;  // it is observed now
    const auto row = find_row(database_, p, change);
    if (row && row->partition == Partition::kTarget && change.value) return;  // it is one already
    if (row) remove(p, change, *row);
    if (!row && !change.value) refuse(text(change) + " cannot be removed: it is no target");
    if (change.value) add(p, change, Partition::kTarget, *change.value);
  }

  const std::vector<RowChange>& changes() const { return changes_; }
  bool of_targets() const { return of_targets_; }

  // Whether the database has them: a row to add is there, or one to remove is not.
  bool are_applied() const {
    const RowChange& last = changes_.back();
    const AtomChange atom{{}, last.arguments, {}};
    const auto row = find_row(database_, last.predicate, atom);
    const bool there = row && row->partition == last.partition;
    if (!last.value) return !there;
    return there &&
           database_.relation(last.predicate).table(last.partition).value(row->row) == *last.value;
  }

  // What takes the changes back.
  std::vector<RowChange> inverse() const {
    std::vector<RowChange> result;
    for (const RowChange& change : changes_) {
      if (change.value)
        result.push_back({change.predicate, change.arguments, {}, change.partition});
    }
    result.insert(result.end(), removed_.begin(), removed_.end());
    return result;
  }

 private:
  static std::string text(const AtomChange& change) {
    return fmt::format("{}('{}')", change.predicate, fmt::join(change.arguments, "', '"));
  }

  bool is_removed(PredicateId p, const AtomChange& change) const {
    return std::any_of(removed_.begin(), removed_.end(), [&](const RowChange& one) {
      return one.predicate == p && one.arguments == change.arguments;
    });
  }

  void remove(PredicateId p, const AtomChange& change, RowId row) {
    const double value = database_.relation(p).table(row.partition).value(row.row);
    removed_.push_back({p, change.arguments, value, row.partition});
    changes_.push_back({p, change.arguments, {}, row.partition});
    of_targets_ = of_targets_ || row.partition == Partition::kTarget;
  }

  void add(PredicateId p, const AtomChange& change, Partition partition, double value) {
    changes_.push_back({p, change.arguments, value, partition});
    of_targets_ = of_targets_ || partition == Partition::kTarget;
  }

  const Program& program_;
  const Database& database_;
  std::vector<RowChange> changes_, removed_;
  bool of_targets_ = false;
};

// The rules that get other weights.
std::vector<std::pair<std::size_t, double>> weights_of(const Program& program,
                                                       const std::vector<WeightChange>& changes,
                                                       bool may_be_negative) {
  std::vector<std::pair<std::size_t, double>> result;
  for (const WeightChange& change : changes) {
    std::size_t r = 0;
    while (r < program.rules.size() && program.rules[r].id != change.rule) ++r;
    if (r == program.rules.size()) refuse(fmt::format("there is no rule {}", change.rule));
    if (!program.rules[r].weight) refuse(fmt::format("rule {} is hard", change.rule));
    if (!program.rules[r].weighted.empty()) {
      refuse(fmt::format("rule {} has weights per constant", change.rule));
    }
    if (!std::isfinite(change.weight)) refuse("a weight is a finite number");
    if (change.weight < 0.0 && !may_be_negative) {
      refuse("under hinge-loss semantics weights are not negative");
    }
    result.emplace_back(r, change.weight);
  }
  return result;
}

// The last values by atom, to start from where they are targets still.
class LastValues {
 public:
  LastValues(const Reasoner& reasoner, const Database& database, std::span<const double> values) {
    for (const AtomRange& range : reasoner.targets()) {
      for (std::uint32_t i = 0; i < range.count; ++i) {
        values_.emplace(key(database, range.predicate, i), values[range.first + i]);
      }
    }
  }

  std::vector<double> of(const Reasoner& reasoner, const Database& database) const {
    std::vector<double> result;
    for (const AtomRange& range : reasoner.targets()) {
      result.resize(range.first + range.count, 0.5);
      for (std::uint32_t i = 0; i < range.count; ++i) {
        const auto found = values_.find(key(database, range.predicate, i));
        if (found != values_.end()) result[range.first + i] = found->second;
      }
    }
    return result;
  }

 private:
  using Key = std::pair<PredicateId, std::vector<Code>>;

  static Key key(const Database& database, PredicateId predicate, std::uint32_t row) {
    std::vector<Code> codes;
    for (const auto& column : database.relation(predicate).table(Partition::kTarget).columns) {
      codes.push_back(column[row]);
    }
    return {predicate, std::move(codes)};
  }

  std::map<Key, double> values_;
};

// Another set of targets: everything is made anew, and starts from the values there are.
void rebuild(Session::State& state, const RowChanges& rows) {
  LoadedPhase& phase = *state.current;
  Database& database = phase.loaded.database;
  std::optional<LastValues> last;
  if (phase.reasoner && !phase.reasoner->last_values().empty()) {
    last.emplace(*phase.reasoner, database, phase.reasoner->last_values());
  }
  apply_changes(database, rows.changes());
  if (!phase.reasoner) return;
  phase.reasoner.reset();
  state.make_reasoner(phase);
  if (last) phase.reasoner->start_from(last->of(*phase.reasoner, database));
}

}  // namespace

void UpdateMemory::add(const SessionUpdate& update) {
  const auto remember = [&](const AtomChange& change, bool is_target) {
    atoms[{lower_case(change.predicate), change.arguments}] = {change, is_target};
  };
  for (const AtomChange& change : update.observations) remember(change, false);
  for (const AtomChange& change : update.targets) remember(change, true);
  for (const WeightChange& change : update.weights) weights[change.rule] = change.weight;
}

void UpdateMemory::repeat(LoadedModel& loaded) const {
  RowChanges rows(loaded.program, loaded.database);
  for (const auto& [key, change] : atoms) {
    const PredicateId p = predicate_named(loaded.program, change.atom.predicate);
    if (!change.atom.value && !find_row(loaded.database, p, change.atom)) continue;
    change.is_target ? rows.target(change.atom) : rows.observe(change.atom);
  }
  if (!rows.changes().empty()) {
    changed_atoms(loaded.database, rows.changes());  // throws if one of them cannot be applied
    apply_changes(loaded.database, rows.changes());
  }
  for (Rule& rule : loaded.program.rules) {
    const auto found = weights.find(rule.id);
    if (found != weights.end()) rule.weight = found->second;
  }
}

void Session::update(const SessionUpdate& update) {
  State& state = *state_;
  LoadedPhase& phase = state.loaded();
  Program& program = phase.loaded.program;
  Database& database = phase.loaded.database;
  RowChanges rows(program, database);
  for (const AtomChange& change : update.observations) rows.observe(change);
  for (const AtomChange& change : update.targets) rows.target(change);
  const auto weights =
      weights_of(program, update.weights, traits_of(state.semantics).negative_weights);
  if (!rows.changes().empty()) {
    changed_atoms(database, rows.changes());  // throws if one of them cannot be applied
    const bool had_reasoner = phase.reasoner != nullptr;
    try {
      const bool is_updated = phase.reasoner && !rows.of_targets() &&
                              phase.reasoner->update(rows.changes(), state.options.events);
      if (!is_updated) rebuild(state, rows);
    } catch (...) {  // the new data cannot be ground, or nobody waits for it: back to the old
      if (rows.are_applied()) apply_changes(database, rows.inverse());
      if (had_reasoner && !phase.reasoner) state.make_reasoner(phase);
      throw;
    }
  }
  for (const auto& [rule, weight] : weights) program.rules[rule].weight = weight;
  if (phase.reasoner && !weights.empty()) {
    phase.reasoner->set_weights(weights_in(*phase.reasoner, program));
  }
  if (!state.file.path.empty()) state.updated.add(update);
  state.answer.reset();
}

}  // namespace sorites
