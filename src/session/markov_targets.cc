#include "session/markov_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/diagnostics.h"
#include "lang/mln/atom_index.h"
#include "sorites/evaluate.h"

namespace sorites {
namespace {

// Atoms of one predicate that are to be shown: their numbers, and their truth or kUnknownValue.
struct Wanted {
  std::vector<std::uint64_t> atoms;
  std::vector<std::uint32_t> truth;
};

std::uint64_t num_atoms(const MarkovModel& model, std::uint32_t predicate) {
  std::uint64_t count = 1;
  for (const std::uint32_t type : model.predicates[predicate].arguments) {
    count *= model.types[type].constants.size();
  }
  return count;
}

std::uint64_t number_of(const MarkovModel& model,
                        std::uint32_t predicate,
                        const MarkovAtoms& atoms,
                        std::size_t row) {
  return markov::atom_number(model, predicate, markov::constants_of(model, predicate, atoms, row));
}

Wanted queries_of(const MarkovModel& model, std::uint32_t predicate) {
  Wanted wanted;
  const MarkovAtoms& queries = model.queries[predicate];
  for (std::size_t row = 0; row < queries.size(); ++row) {
    wanted.atoms.push_back(number_of(model, predicate, queries, row));
  }
  wanted.truth = queries.values;
  return wanted;
}

Wanted unknown_atoms(const MarkovModel& model, std::uint32_t predicate) {
  if (model.predicates[predicate].closed) return {};
  std::vector<bool> known(num_atoms(model, predicate), false);
  const MarkovAtoms& facts = model.facts[predicate];
  for (std::size_t row = 0; row < facts.size(); ++row) {
    known[number_of(model, predicate, facts, row)] = true;
  }
  std::vector<std::uint32_t> truth(known.size(), kUnknownValue);
  const Wanted queries = queries_of(model, predicate);
  for (std::size_t i = 0; i < queries.atoms.size(); ++i) truth[queries.atoms[i]] = queries.truth[i];
  Wanted wanted;
  for (std::uint64_t atom = 0; atom < known.size(); ++atom) {
    if (known[atom]) continue;
    wanted.atoms.push_back(atom);
    wanted.truth.push_back(truth[atom]);
  }
  return wanted;
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string unused_name(const std::string& name, std::set<std::string>& used) {
  std::string free = name;
  for (int number = 2; !used.insert(lower_case(free)).second; ++number) {
    free = fmt::format("{}_{}", name, number);
  }
  return free;
}

Predicate target_predicate(const MarkovPredicate& predicate, std::string name) {
  const std::size_t arity = predicate.arguments.size() + (predicate.classes.empty() ? 0 : 1);
  return {std::move(name), std::vector(arity, ArgumentType::kUniqueStringId), true};
}

void add_targets(const MarkovModel& model,
                 std::uint32_t predicate,
                 const Wanted& wanted,
                 MarkovTargets& targets) {
  const auto id = static_cast<PredicateId>(targets.ranges.size());
  const auto first = static_cast<std::uint32_t>(targets.atoms.size());
  Database& database = targets.loaded.database;
  const std::string name = database.predicates()[id].name;
  const MarkovPredicate& declared = model.predicates[predicate];
  std::vector<std::string_view> arguments;
  const auto add = [&](std::uint64_t atom, std::uint32_t value, std::uint32_t truth) {
    targets.atoms.push_back({predicate, atom, value});
    database.add(Partition::kTarget, name, arguments);
    if (truth == kUnknownValue) return;
    database.add(Partition::kTruth, name, arguments, truth == value ? 1.0 : 0.0);
  };
  for (std::size_t i = 0; i < wanted.atoms.size(); ++i) {
    const auto constants = markov::atom_constants(model, predicate, wanted.atoms[i]);
    arguments.clear();
    for (std::size_t k = 0; k < constants.size(); ++k) {
      arguments.emplace_back(model.types[declared.arguments[k]].constants[constants[k]]);
    }
    if (declared.classes.empty()) {
      add(wanted.atoms[i], 1, wanted.truth[i]);
      continue;
    }
    for (std::uint32_t value = 0; value < declared.classes.size(); ++value) {
      arguments.emplace_back(declared.classes[value]);
      add(wanted.atoms[i], value, wanted.truth[i]);
      arguments.pop_back();
    }
  }
  targets.ranges.push_back({id, first, static_cast<std::uint32_t>(targets.atoms.size()) - first});
}

// Which metrics suit it; none without truth.
std::vector<Evaluation> evaluations_of(const MarkovPredicate& predicate,
                                       const std::vector<Evaluation>& asked_for,
                                       const Wanted& wanted) {
  const bool has_truth = std::any_of(wanted.truth.begin(),
                                     wanted.truth.end(),
                                     [](std::uint32_t truth) { return truth != kUnknownValue; });
  if (!has_truth) return {};
  if (!asked_for.empty()) return asked_for;
  std::vector<Evaluation> evaluations(2);
  evaluations[0].evaluator = name_of(Evaluator::kAuc);
  evaluations[1].evaluator =
      name_of(predicate.classes.empty() ? Evaluator::kDiscrete : Evaluator::kCategorical);
  return evaluations;
}

void require_room(std::uint64_t count) {
  constexpr std::uint64_t kMost = 0xFFFFFFF0;  // what result files can number
  if (count <= kMost) return;
  Diagnostics sink;
  sink.error(DiagnosticCode::kTooManyAtoms,
             Span{},
             fmt::format("there are {} values to show, more than can be numbered", count))
      .notes.push_back({"name the atoms that matter as queries", {}});
  throw InputError(sink.take_sorted());
}

}  // namespace

MarkovTargets markov_targets(const LoadedMarkov& loaded, TargetChoice choice) {
  const MarkovModel& model = loaded.model;
  const bool all = choice == TargetChoice::kAllUnknown ||
                   std::all_of(model.queries.begin(), model.queries.end(), [](const auto& queries) {
                     return queries.size() == 0;
                   });
  std::uint64_t count = 0;
  std::vector<Wanted> wanted;
  std::vector<Predicate> predicates;
  std::set<std::string> used;
  std::vector<std::vector<Evaluation>> evaluations;
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    Wanted found = all ? unknown_atoms(model, p) : queries_of(model, p);
    if (found.atoms.empty()) continue;
    const MarkovPredicate& predicate = model.predicates[p];
    count += found.atoms.size() * std::max<std::size_t>(predicate.classes.size(), 1);
    require_room(count);
    predicates.push_back(target_predicate(predicate, unused_name(predicate.name, used)));
    evaluations.push_back(evaluations_of(predicate, loaded.evaluations[p], found));
    chosen.push_back(p);
    wanted.push_back(std::move(found));
  }
  MarkovTargets targets{LoadedModel{Program{predicates, {}},
                                    Database(predicates),
                                    std::move(evaluations),
                                    loaded.options,
                                    {}},
                        std::move(chosen),
                        {},
                        {}};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    add_targets(model, targets.predicates[i], wanted[i], targets);
  }
  return targets;
}

template <class Real>
std::vector<double> target_values(const MarkovModel& model,
                                  const MarkovTargets& targets,
                                  const AtomValues<Real>& marginals) {
  std::vector<double> values;
  values.reserve(targets.atoms.size());
  for (const MarkovAtom& target : targets.atoms) {
    const std::size_t classes = model.predicates[target.predicate].classes.size();
    const std::size_t index = classes == 0 ? target.atom : target.atom * classes + target.value;
    values.push_back(std::clamp(static_cast<double>(marginals[target.predicate][index]), 0.0, 1.0));
  }
  return values;
}

template std::vector<double> target_values(const MarkovModel&,
                                           const MarkovTargets&,
                                           const AtomValues<float>&);
template std::vector<double> target_values(const MarkovModel&,
                                           const MarkovTargets&,
                                           const AtomValues<double>&);

std::string target_text(const MarkovModel& model, const MarkovAtom& atom) {
  const std::vector<std::string>& classes = model.predicates[atom.predicate].classes;
  std::string text = atom_text(model, atom.predicate, atom.atom);
  if (!classes.empty()) text += fmt::format(" = {}", classes[atom.value]);
  return text;
}

}  // namespace sorites
