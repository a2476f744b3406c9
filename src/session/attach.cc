// Rows, weights and options that come after a session was opened.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/diagnostics.h"
#include "hinge/model/rule_numbers.h"
#include "modelfile/options.h"
#include "modelfile/predicate_reader.h"
#include "options/option_value.h"
#include "semantics/semantics.h"
#include "session/option_catalog.h"
#include "session/program_weights.h"
#include "session/session_state.h"

namespace sorites {
namespace {

// The options that one of the lists has, and the other has not or otherwise.
std::vector<std::string> changed_options(std::span<const OptionSetting> before,
                                         std::span<const OptionSetting> after) {
  std::map<std::string, std::pair<std::string, std::string>> values;
  for (const OptionSetting& one : before) values[lower_case(one.name)].first = one.value;
  for (const OptionSetting& one : after) values[lower_case(one.name)].second = one.value;
  std::vector<std::string> changed;
  for (const auto& [name, value] : values) {
    if (value.first != value.second) changed.push_back(name);
  }
  return changed;
}

bool can_take(const Rule& own, const Rule& learned, bool may_be_negative) {
  const auto is_weight = [&](double weight) {
    return std::isfinite(weight) && (weight >= 0.0 || may_be_negative);
  };
  return own.weight.has_value() == learned.weight.has_value() &&
         is_weight(learned.weight.value_or(0.0)) &&
         std::all_of(learned.constant_weights.begin(),
                     learned.constant_weights.end(),
                     [&](const ConstantWeight& one) {
                       return one.constants.size() == own.weighted.size() && is_weight(one.weight);
                     });
}

}  // namespace

std::size_t Session::arity(const std::string& predicate) {
  const ModelFile& file = state_->file;
  if (const auto declared = find_declaration(file, predicate))
    return file.predicates[*declared].arity;
  if (!file.predicates.empty()) return 0;
  const auto found = program().find_predicate(predicate);
  return found ? program().predicates[*found].arity() : 0;
}

void Session::attach(const std::string& predicate,
                     Partition partition,
                     std::optional<Phase> phase,
                     RowTable rows) {
  State& state = *state_;
  const auto found = find_declaration(state.file, predicate);
  if (!found) {
    throw std::invalid_argument(fmt::format(
        "there is no predicate `{}`{}",
        predicate,
        state.file.predicates.empty() ? " in a model file: give the rows as an update" : ""));
  }
  PredicateDeclaration& declared = state.file.predicates[*found];
  const bool is_file = rows.columns.empty() && !rows.name.empty();
  if (!is_file && rows.columns.size() != declared.arity) {
    throw std::invalid_argument(fmt::format(
        "`{}` takes {} arguments, not {}", declared.name, declared.arity, rows.columns.size()));
  }
  if (rows.name.empty()) rows.name = fmt::format("<{} of {}>", name_of(partition), declared.name);
  DataSource source;
  source.partition = partition;
  source.section = phase ? section_of(*phase) : Section::kAll;
  if (is_file) {
    source.path = rows.name;
  } else {
    source.table = std::make_shared<const RowTable>(std::move(rows));
  }
  declared.data.push_back(std::move(source));
  state.forget_data();
}

void Session::take_weights(const Program& learned) {
  State& state = *state_;
  LoadedPhase& phase = state.loaded();
  for (const Rule& rule : learned.rules) {
    const auto& rules = phase.loaded.program.rules;
    const auto own = std::find_if(
        rules.begin(), rules.end(), [&](const Rule& other) { return other.id == rule.id; });
    const bool fits =
        own != rules.end() && can_take(*own, rule, traits_of(state.semantics).negative_weights);
    if (!fits) {
      throw std::invalid_argument(
          fmt::format("there is no rule {} that has such weights", rule_number(rule.id)));
    }
  }
  state.learned = learned;
  state.updated.weights.clear();
  copy_weights(learned, phase.loaded.program);
  if (phase.reasoner) {
    phase.reasoner->set_weights(weights_in(*phase.reasoner, phase.loaded.program));
  }
  phase.layer.reset();
  state.answer.reset();
}

void Session::set_flags(std::vector<OptionSetting> flags) {
  State& state = *state_;
  const std::vector<std::string> changed = changed_options(state.options.flags, flags);
  if (changed.empty()) return;
  Diagnostics sink;
  check_overrides(flags, option_catalog(), sink);
  if (sink.has_errors()) throw InputError(sink.take_sorted());
  std::vector<std::string> asked_for;  // what stays may say nothing beside what changes
  asked_for.reserve(flags.size());
  for (const OptionSetting& flag : flags) asked_for.push_back(flag.name);
  refuse_foreign_options(
      state.semantics,
      asked_for,
      settings_of(state.file, state.options.phase, state.options.settings, flags));
  for (const std::string& name : changed) {
    if (state.current && name == "runtime.db.intids") {
      throw std::invalid_argument("`runtime.db.intids` comes too late: the data is read");
    }
  }
  state.options.flags = std::move(flags);
  if (state.current) state.change_options();
}

}  // namespace sorites
