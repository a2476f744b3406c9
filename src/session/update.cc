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

// Everything is made anew, and starts from the values there are.
void rebuild(Session::State& state, std::span<const RowChange> changes) {
  LoadedPhase& phase = *state.current;
  const bool had_reasoner = phase.reasoner != nullptr;
  std::optional<LastValues> last;
  if (had_reasoner && !phase.reasoner->last_values().empty()) {
    last.emplace(*phase.reasoner, phase.loaded.database, phase.reasoner->last_values());
  }
  phase.restore();
  Database& database = phase.loaded.database;
  apply_changes(database, changes);
  const NewCodes new_codes = remove_unused_constants(database);
  if (!had_reasoner) return;
  state.make_reasoner(phase);
  if (!last) return;
  last->renumber(new_codes, database.predicates());
  phase.reasoner->start_from(last->of(*phase.reasoner, database));
}

void change_rows(Session::State& state, const RowChanges& rows) {
  LoadedPhase& phase = *state.current;
  const bool had_reasoner = phase.reasoner != nullptr;
  const std::vector<std::size_t> constants = num_constants(phase.given_data());
  changed_atoms(phase.given_data(), rows.changes());  // throws if one of them cannot be applied
  try {
    const bool goes_along = had_reasoner && !phase.given && !rows.of_targets() &&
                            phase.reasoner->update(rows.changes(), state.options.events);
    if (!goes_along) rebuild(state, rows.changes());
  } catch (...) {  // the new data cannot be ground, or nobody waits for it: back to the old
    const bool is_made_anew = !phase.reasoner;
    if (is_made_anew) phase.restore();
    Database& database = phase.given_data();
    if (rows.are_applied(database)) apply_changes(database, rows.inverse());
    if (is_made_anew) {
      remove_unused_constants(database);
      if (had_reasoner) state.make_reasoner(phase);
    } else {
      forget_later_constants(database, constants);
    }
    throw;
  }
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

void UpdateMemory::repeat(LoadedModel& loaded) const {
  RowChanges rows(loaded.program, loaded.database);
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
  if (!rows.changes().empty()) {
    changed_atoms(loaded.database, rows.changes());  // throws if one of them cannot be applied
    apply_changes(loaded.database, rows.changes());
    remove_unused_constants(loaded.database);
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
  RowChanges rows(program, phase.given_data());
  rows.add(update);
  if (!rows.changes().empty()) {
    change_rows(state, rows);
    state.forget_outputs_of(rows.changes());
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
