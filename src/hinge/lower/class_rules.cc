#include "hinge/lower/class_rules.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "data/insert.h"

namespace sorites {
namespace {

constexpr double kSumRounding = 1e-9;  // observed classes may add up to this much more than 1

void check_predicate(PredicateId p, const Database& database, Diagnostics& sink) {
  const Table& observed = database.relation(p).table(Partition::kObserved);
  std::map<std::vector<Code>, double> sums;  // per thing
  for (std::uint32_t row = 0; row < observed.num_rows; ++row) {
    std::vector<Code> thing;
    for (std::size_t k = 0; k + 1 < observed.columns.size(); ++k) {
      thing.push_back(observed.columns[k][row]);
    }
    double& sum = sums[std::move(thing)];
    const bool was_fine = sum <= 1.0 + kSumRounding;
    sum += observed.value(row);
    if (!was_fine || sum <= 1.0 + kSumRounding) continue;
    std::string atom = database.predicates()[p].name;
    for (const std::string& argument : database.arguments(p, {Partition::kObserved, row})) {
      atom += (atom.ends_with('\'') ? ", '" : "('") + argument + "'";
    }
    sink.error(DiagnosticCode::kContradictingFacts,
               database.origin(p, {Partition::kObserved, row}),
               fmt::format("{}) is observed, but the classes of the same thing that are observed "
                           "before add up to 1 already",
                           atom))
        .notes = {{"exactly one class is true: delete one of the facts", {}}};
  }
}

void add_false_classes_of(PredicateId p, Database& database) {
  const Predicate& predicate = database.predicates()[p];
  const auto num_classes =
      static_cast<Code>(database.dictionary(predicate.domain(predicate.arity() - 1)).size());
  const std::size_t num_rows = database.relation(p).table(Partition::kObserved).num_rows;
  std::vector<Code> atom(predicate.arity());
  for (std::uint32_t row = 0; row < num_rows; ++row) {
    const Table& observed = database.relation(p).table(Partition::kObserved);
    if (observed.value(row) < 1.0) continue;
    for (std::size_t k = 0; k < atom.size(); ++k) atom[k] = observed.columns[k][row];
    for (Code other = 0; other < num_classes; ++other) {
      atom.back() = other;
      if (database.relation(p).find(atom)) continue;
      insert_codes(database, p, Partition::kObserved, atom, 0.0, {});
    }
  }
}

Rule class_rule(PredicateId p, const Program& program, RuleId id) {
  const Predicate& predicate = program.predicates[p];
  Rule rule;
  Atom atom{.predicate = p, .arguments = {}};
  for (std::size_t k = 0; k < predicate.arity(); ++k) {
    const bool is_class = k + 1 == predicate.arity();
    atom.arguments.emplace_back(static_cast<VariableId>(k));
    rule.variables.push_back({.name = is_class ? "Class" : fmt::format("X{}", k + 1),
                              .domain = predicate.domain(k),
                              .summed = is_class});
  }
  ArithmeticRule sum;
  sum.left.push_back({.coefficient = {}, .atom = std::move(atom)});
  sum.right.push_back({.coefficient = {}, .atom = std::nullopt});
  rule.body = std::move(sum);
  rule.id = id;
  rule.text = to_text(rule, program);
  return rule;
}

}  // namespace

void check_classes(const Program& program, const Database& database, Diagnostics& sink) {
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    if (program.predicates[p].has_classes) check_predicate(p, database, sink);
  }
}

void add_false_classes(const Program& program, Database& database) {
  constexpr DomainId kFirstNamed = 3;  // the built-in domains hold more than classes
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    if (!predicate.has_classes || !predicate.open || predicate.neural) continue;
    if (predicate.domain(predicate.arity() - 1) >= kFirstNamed) add_false_classes_of(p, database);
  }
}

void add_class_rules(Program& program, RuleId first_id) {
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    if (!predicate.has_classes || !predicate.open || predicate.neural) continue;
    program.rules.push_back(class_rule(p, program, first_id++));
  }
}

}  // namespace sorites
