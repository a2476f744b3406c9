// Changes of data and weights in a running session.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "data/change.h"
#include "data/unused_constants.h"
#include "hinge/model/rule_numbers.h"
#include "options/option_value.h"
#include "semantics/semantics.h"
#include "session/program_weights.h"
#include "session/row_changes.h"
#include "session/session_state.h"

namespace sorites {
namespace {

// The rules that get other weights.
std::vector<std::pair<std::size_t, double>> weights_of(const Program& program,
                                                       const std::vector<WeightChange>& changes,
                                                       bool may_be_negative) {
  std::vector<std::pair<std::size_t, double>> result;
  for (const WeightChange& change : changes) {
    const std::uint32_t number = rule_number(change.rule);
    std::size_t r = 0;
    while (r < program.rules.size() && program.rules[r].id != change.rule) ++r;
    if (r == program.rules.size()) refuse_update(fmt::format("there is no rule {}", number));
    if (!program.rules[r].weight) refuse_update(fmt::format("rule {} is hard", number));
    if (!program.rules[r].weighted.empty()) {
      refuse_update(fmt::format("rule {} has weights per constant", number));
    }
    if (!std::isfinite(change.weight)) refuse_update("a weight is a finite number");
    if (change.weight < 0.0 && !may_be_negative) {
      refuse_update("weights of this semantics are not negative");
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
        values_.emplace_back(atom(database, range.predicate, i), values[range.first + i]);
      }
    }
  }

  // After constants have other codes; those of an atom that has none now are not looked for.
  void renumber(const NewCodes& new_codes, const std::vector<Predicate>& predicates) {
    if (new_codes.empty()) return;
    for (auto& [atom, value] : values_) {
      for (std::size_t k = 0; k < atom.second.size(); ++k) {
        atom.second[k] = new_codes[predicates[atom.first].domain(k)][atom.second[k]];
      }
    }
  }

  std::vector<double> of(const Reasoner& reasoner, const Database& database) const {
    const std::map<Atom, double> values(values_.begin(), values_.end());
    std::vector<double> result;
    for (const AtomRange& range : reasoner.targets()) {
      result.resize(range.first + range.count, 0.5);
      for (std::uint32_t i = 0; i < range.count; ++i) {
        const auto found = values.find(atom(database, range.predicate, i));
        if (found != values.end()) result[range.first + i] = found->second;
      }
    }
    return result;
  }

 private:
  using Atom = std::pair<PredicateId, std::vector<Code>>;

  static Atom atom(const Database& database, PredicateId predicate, std::uint32_t row) {
    std::vector<Code> codes;
    for (const auto& column : database.relation(predicate).table(Partition::kTarget).columns) {
      codes.push_back(column[row]);
    }
    return {predicate, std::move(codes)};
  }

  std::vector<std::pair<Atom, double>> values_;
};

// The data as the changes make it, with the codes that constants have then.
struct ChangedData {
  Database database;
  std::optional<ClassTargets> class_targets;
  std::vector<RowChange> changes = {};
  NewCodes new_codes = {};
};

// Throws std::invalid_argument if one of the changes does not fit. `add` adds them to RowChanges.
template <class Add>
ChangedData changed(ChangedData data, const Program& program, const Add& add) {
  if (data.class_targets) data.class_targets->take_out(data.database);
  RowChanges rows(program, data.database);
  add(rows);
  data.changes = rows.changes();
  if (!data.changes.empty()) {
    changed_atoms(data.database, data.changes);
    apply_changes(data.database, data.changes);
    data.new_codes = remove_unused_constants(data.database);
  }
  if (data.class_targets) data.class_targets->complete(data.database);
  return data;
}

// What the semantics does not take of a program and its data; `database` may get further atoms.
std::vector<Diagnostic> mistakes(const std::string& semantics,
                                 const Program& program,
                                 Database& database) {
  Diagnostics sink;
  check_semantics(semantics, program, database, sink);
  return sink.has_errors() ? sink.take_sorted() : std::vector<Diagnostic>{};
}

// Data that inference would refuse is refused here, unless that was so before: then the update may
// be a step towards what it takes. What grounding finds out, such as missing targets, is found out
// when there is a ground model.
void require_fit(const Session::State& state, const Database& database) {
  const LoadedPhase& phase = *state.current;
  const auto find = [&](const Database& data) {
    Database seen = data;  // which may get atoms by it
    return mistakes(state.semantics, phase.loaded.program, seen);
  };
  std::vector<Diagnostic> found = find(database);
  if (found.empty()) return;
  const Database& before = phase.given ? *phase.given : phase.loaded.database;
  if (find(before).empty()) throw InputError(std::move(found));
}

// Grounds or compiles new data, and starts from the values there are. If that cannot be, or nobody
// waits for it, back to the old data, whose rows keep their order.
void remake_reasoner(Session::State& state, ChangedData data) {
  LoadedPhase& phase = *state.current;
  std::optional<LastValues> last;
  if (!phase.reasoner->last_values().empty()) {
    last.emplace(*phase.reasoner, phase.loaded.database, phase.reasoner->last_values());
  }
  const auto make = [&] {
    state.make_reasoner(phase);
    if (last) phase.reasoner->start_from(last->of(*phase.reasoner, phase.loaded.database));
  };
  phase.restore();
  std::swap(phase.loaded.database, data.database);
  try {
    state.make_reasoner(phase);
  } catch (...) {
    phase.restore();
    phase.loaded.database = std::move(data.database);
    state.answer.reset();  // explanations look into the reasoner that found it
    make();
    throw;
  }
  if (!last) return;
  last->renumber(data.new_codes, phase.loaded.database.predicates());
  phase.reasoner->start_from(last->of(*phase.reasoner, phase.loaded.database));
}

// Everything is made anew.
std::vector<RowChange> rebuild(Session::State& state, const SessionUpdate& update) {
  LoadedPhase& phase = *state.current;
  ChangedData data = changed({phase.given_data(), phase.loaded.class_targets},
                             phase.loaded.program,
                             [&](RowChanges& rows) { rows.add(update); });
  if (data.changes.empty()) return {};
  std::vector<RowChange> changes = data.changes;
  const std::optional<ClassTargets> class_targets = data.class_targets;
  if (phase.reasoner) {
    remake_reasoner(state, std::move(data));
  } else {
    require_fit(state, data.database);
    phase.restore();
    phase.loaded.database = std::move(data.database);
  }
  phase.loaded.class_targets = class_targets;
  return changes;
}

// Whether the reasoner could take the changes as they are: those of observed atoms, where it adds
// no atoms to the data. If it throws, nothing has changed.
bool goes_along(Session::State& state, const RowChanges& rows) {
  LoadedPhase& phase = *state.current;
  if (!phase.reasoner || phase.given || rows.of_targets()) return false;
  Database& database = phase.loaded.database;
  const std::vector<std::size_t> constants = num_constants(database);
  changed_atoms(database, rows.changes());  // throws if one of them cannot be applied
  try {
    if (phase.reasoner->update(rows.changes(), state.options.events)) return true;
  } catch (...) {  // the new data cannot be ground, or nobody waits for it: back to the old
    if (rows.are_applied(database)) apply_changes(database, rows.inverse());
    forget_later_constants(database, constants);
    throw;
  }
  forget_later_constants(database, constants);
  return false;
}

// The changes that it made.
std::vector<RowChange> change_rows(Session::State& state, const SessionUpdate& update) {
  LoadedPhase& phase = *state.current;
  if (phase.reasoner && !phase.given) {
    RowChanges rows(phase.loaded.program, phase.loaded.database);
    rows.add(update);
    if (goes_along(state, rows)) return rows.changes();
  }
  return rebuild(state, update);
}

}  // namespace

void UpdateMemory::add(const SessionUpdate& update) {
  std::set<std::pair<std::string, std::vector<std::string>>> observed;  // by this update
  const auto remember = [&](const AtomChange& change, bool is_target) {
    Change& last = atoms[{lower_case(change.predicate), change.arguments}];
    last = {change, is_target, last.was_placed || change.value.has_value()};
  };
  for (const AtomChange& change : update.observations) {
    remember(change, false);
    if (change.value) observed.emplace(change.predicate, change.arguments);
  }
  for (const AtomChange& change : update.targets) {
    if (!observed.contains({change.predicate, change.arguments})) remember(change, true);
  }
  for (const WeightChange& change : update.weights) weights[change.rule] = change.weight;
}

void UpdateMemory::add_to(RowChanges& rows) const {
  for (const auto& [key, change] : atoms) {
    bool is_target = change.is_target;
    if (!change.atom.value) {
      const auto partition = rows.partition_of(change.atom);
      const bool stands_there = partition && (*partition == Partition::kTarget) == is_target;
      if (!partition || (!stands_there && !change.was_placed)) continue;
      is_target = *partition == Partition::kTarget;
    }
    is_target ? rows.target(change.atom) : rows.observe(change.atom);
  }
}

void UpdateMemory::repeat(LoadedModel& loaded) const {
  if (!atoms.empty()) {
    ChangedData data = changed({std::move(loaded.database), std::move(loaded.class_targets)},
                               loaded.program,
                               [&](RowChanges& rows) { add_to(rows); });
    loaded.database = std::move(data.database);
    loaded.class_targets = std::move(data.class_targets);
  }
  for (Rule& rule : loaded.program.rules) {
    const auto found = weights.find(rule.id);
    if (found != weights.end()) rule.weight = found->second;
  }
}

void Session::update(const SessionUpdate& given) {
  State& state = *state_;
  LoadedPhase& phase = state.loaded();
  Program& program = phase.loaded.program;
  const SessionUpdate update = canonical(given, program);
  const auto weights =
      weights_of(program, update.weights, traits_of(state.semantics).negative_weights);
  if (!update.observations.empty() || !update.targets.empty()) {
    state.forget_outputs_of(change_rows(state, update));
  }
  for (const auto& [rule, weight] : weights) program.rules[rule].weight = weight;
  if (phase.reasoner && !weights.empty()) {
    phase.reasoner->set_weights(weights_in(*phase.reasoner, program));
  }
  if (!state.file.path.empty()) state.updated.add(update);
  phase.layer.reset();
  state.answer.reset();
}

}  // namespace sorites
