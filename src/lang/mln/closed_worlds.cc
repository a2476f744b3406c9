#include "lang/mln/closed_worlds.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sorites::markov {
namespace {

bool is_evidence(const Predicate& predicate, const Relation& relation, const Table& potentials) {
  const Table& facts = relation.table(Partition::kObserved);
  const bool asked_for = relation.table(Partition::kTarget).num_rows > 0;
  if (predicate.has_classes || asked_for || potentials.num_rows > 0) return false;
  return facts.num_rows > 0 &&
         std::all_of(
             facts.values.begin(), facts.values.end(), [](double value) { return value == 1.0; });
}

// How many different constants stand at an argument of the facts.
std::size_t num_different(const Table& facts, std::size_t argument) {
  std::vector<Code> codes = facts.columns[argument];
  std::sort(codes.begin(), codes.end());
  return static_cast<std::size_t>(std::unique(codes.begin(), codes.end()) - codes.begin());
}

bool is_partial_attribute(const Predicate& predicate,
                          const Database& database,
                          const Table& facts) {
  if (predicate.arity() != 2 || predicate.domain(0) == predicate.domain(1)) return false;
  constexpr double kMostFacts = 1e6;  // that would be added
  const std::size_t num_values = database.dictionary(predicate.domain(1)).size();
  if (static_cast<double>(facts.num_rows) * static_cast<double>(num_values) > kMostFacts)
    return false;
  const bool has_one_value = num_different(facts, 0) == facts.num_rows;
  const bool values_are_shared = 2 * num_different(facts, 1) <= facts.num_rows;
  return has_one_value && values_are_shared &&
         facts.num_rows < database.dictionary(predicate.domain(0)).size();
}

// The other values of constants that have one.
void add_false_values(const Predicate& predicate, PredicateId p, Database& database) {
  const Table facts = database.relation(p).table(Partition::kObserved);
  const Dictionary& constants = database.dictionary(predicate.domain(0));
  const Dictionary& values = database.dictionary(predicate.domain(1));
  for (std::size_t row = 0; row < facts.num_rows; ++row) {
    const std::string constant = constants.text(facts.columns[0][row]);
    for (Code value = 0; value < values.size(); ++value) {
      if (value == facts.columns[1][row]) continue;
      database.add(Partition::kObserved, predicate.name, {constant, values.text(value)}, 0.0);
    }
  }
}

std::string names_of(const Program& program, const std::vector<PredicateId>& predicates) {
  std::vector<std::string> names;
  names.reserve(predicates.size());
  for (const PredicateId p : predicates) {
    names.push_back(fmt::format("`{}`", program.predicates[p].name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void guess_closed_worlds(Program& program, Database& database, Diagnostics& sink) {
  bool has_queries = false;
  std::vector<PredicateId> evidence, attributes;
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    if (!predicate.open) return;  // the text says what is closed
    const Relation& relation = database.relation(p);
    const Table& facts = relation.table(Partition::kObserved);
    has_queries = has_queries || relation.table(Partition::kTarget).num_rows > 0;
    if (!is_evidence(predicate, relation, database.potentials(p))) continue;
    const bool missing = is_partial_attribute(predicate, database, facts);
    (missing ? attributes : evidence).push_back(p);
  }
  if (!has_queries || evidence.size() + attributes.size() == 0) return;
  for (const PredicateId p : evidence) {
    program.predicates[p].open = program.predicates[p].open_world = false;
  }
  for (const PredicateId p : attributes) add_false_values(program.predicates[p], p, database);
  const auto warn = [&](const std::string& text) {
    sink.warning(DiagnosticCode::kGuessedWorld, Span{}, text)
        .notes.push_back({"declare worlds that are closed as in `*friend(person, person)`, or "
                          "leave all open with `--set inference.guess_closed=false`",
                          {}});
  };
  if (!evidence.empty()) {
    warn(
        fmt::format("what no fact tells of {} is taken as false: all facts are true, and no query "
                    "asks for more",
                    names_of(program, evidence)));
  }
  if (!attributes.empty()) {
    warn(
        fmt::format("{} is taken as missing of constants that have no fact of it, and as false of "
                    "the others: no constant has two values",
                    names_of(program, attributes)));
  }
}

}  // namespace sorites::markov
