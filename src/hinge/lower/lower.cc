#include "hinge/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/constant.h"
#include "hinge/ground/rule_query.h"
#include "hinge/lower/class_rules.h"
#include "hinge/lower/constant_weights.h"
#include "hinge/lower/open_world.h"

namespace sorites {
namespace {

void check_weight(const Rule& rule, Diagnostics& sink) {
  double smallest = rule.weight.value_or(0.0);
  for (const ConstantWeight& constant : rule.constant_weights) {
    smallest = std::min(smallest, constant.weight);
  }
  if (smallest >= 0.0) return;
  sink.error(DiagnosticCode::kNegativeWeight,
             rule.source,
             fmt::format("the weight {} is negative: hinge-loss semantics is for weights that are "
                         "not, since the problem would not be convex",
                         to_text(smallest)))
      .notes = {{"negate the formula, or choose markov-logic semantics", {}}};
}

void check_formula(const Rule& rule, const Program& program, Diagnostics& sink) {
  const auto* logical = std::get_if<LogicalRule>(&rule.body);
  if (logical == nullptr) return;
  const lang::ClauseFormResult result = lang::clause_form(logical->formula, program.predicates);
  if (!result.form) report_unfit(rule, result, sink);
}

// The log-odds of an atom are no cost of a value between 0 and 1.
void check_potentials(const Database& database, Diagnostics& sink) {
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    if (database.potentials(p).num_rows == 0) continue;
    sink.error(
            DiagnosticCode::kUnaryPotential,
            database.potential_origin(p, 0),
            fmt::format("`{}` has unary potentials, which hinge-loss semantics cannot take: they "
                        "are log-odds, no truth values",
                        database.predicates()[p].name))
        .notes = {{"choose markov-logic semantics, or write a weighted rule for these atoms", {}}};
  }
}

RuleId id_after_all(const Program& program) {
  RuleId after = 0;
  for (const Rule& rule : program.rules) after = std::max(after, rule.id + 1);
  return after;
}

}  // namespace

Program lower_to_hinge(Program program,
                       Database& database,
                       Diagnostics& sink,
                       const std::stop_token& stop) {
  const std::size_t errors = sink.num_errors();
  for (const Rule& rule : program.rules) {
    check_weight(rule, sink);
    check_formula(rule, program, sink);
    check_constant_weights(rule, program, database, sink);
  }
  check_potentials(database, sink);
  check_classes(program, database, sink);
  check_open_world(program, database, sink);
  if (sink.num_errors() > errors) return program;
  add_false_classes(program, database);
  add_open_world_targets(program, database, stop);
  const RuleId after_all = id_after_all(program);  // of which some may have no combination
  give_combinations_rules(program, database);
  add_class_rules(program, after_all);
  return program;
}

bool lowering_depends_on_data(const Program& program) {
  const auto by_predicate = [](const Predicate& predicate) {
    return predicate.open && (predicate.open_world || predicate.has_classes);
  };
  const auto by_rule = [](const Rule& rule) { return !rule.weighted.empty(); };
  return std::any_of(program.predicates.begin(), program.predicates.end(), by_predicate) ||
         std::any_of(program.rules.begin(), program.rules.end(), by_rule);
}

}  // namespace sorites
