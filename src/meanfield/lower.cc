#include "meanfield/lower.h"

#include <algorithm>
#include <variant>

#include "data/same_predicates.h"
#include "meanfield/lower_data.h"
#include "meanfield/lower_rules.h"
#include "meanfield/narrow_domains.h"

namespace sorites {
namespace {

// A hard rule such as `Label(X, +C) = 1 .`: of the atoms that differ in the last argument alone one
// is true. Gives their predicate.
std::optional<PredicateId> exactly_one(const Program& program, const Rule& rule) {
  const auto* sum = std::get_if<ArithmeticRule>(&rule.body);
  if (sum == nullptr || rule.weight || sum->op != RelationalOperator::kEqual) return std::nullopt;
  if (!sum->conditions.empty() || !sum->filters.empty()) return std::nullopt;
  if (sum->left.size() != 1 || sum->right.size() != 1) return std::nullopt;
  const Summand& left = sum->left[0];
  const Summand& right = sum->right[0];
  const auto is_one = [](const Summand& summand) {
    return summand.coefficient.kind == CoefficientKind::kNumber &&
           summand.coefficient.number == 1.0;
  };
  if (!left.atom || right.atom || !is_one(left) || !is_one(right)) return std::nullopt;
  std::vector<VariableId> seen;
  for (std::size_t k = 0; k < left.atom->arguments.size(); ++k) {
    const auto* variable = std::get_if<VariableId>(&left.atom->arguments[k]);
    const bool is_last = k + 1 == left.atom->arguments.size();
    if (variable == nullptr || rule.variables[*variable].summed != is_last) return std::nullopt;
    if (std::find(seen.begin(), seen.end(), *variable) != seen.end()) return std::nullopt;
    seen.push_back(*variable);
  }
  const Predicate& predicate = program.predicates[left.atom->predicate];
  if (seen.empty() || !(predicate.open || predicate.neural)) return std::nullopt;
  return left.atom->predicate;
}

struct ClassPredicates {  // per predicate
  std::vector<bool> has_classes;
  std::vector<Span> rules;  // that say so
};

// Rules that say that a predicate has classes make it so; the other arithmetic rules are refused.
ClassPredicates class_predicates(const Program& program, Diagnostics& sink) {
  ClassPredicates result;
  for (const Predicate& predicate : program.predicates) {
    result.has_classes.push_back(predicate.has_classes && (predicate.open || predicate.neural));
  }
  result.rules.resize(program.predicates.size());
  for (const Rule& rule : program.rules) {
    if (std::holds_alternative<LogicalRule>(rule.body)) continue;
    if (const auto predicate = exactly_one(program, rule)) {
      result.has_classes[*predicate] = true;
      result.rules[*predicate] = rule.source;
      continue;
    }
    sink.error(DiagnosticCode::kUnfitSemantics,
               rule.source,
               "an arithmetic rule: Markov logic has formulas over atoms that are true or false")
        .notes.push_back({"write it as a logical rule, choose hinge-loss semantics, or, for sums "
                          "over the last argument, `P(X, +C) = 1 .`",
                          {}});
  }
  return result;
}

}  // namespace

std::optional<MeanFieldModel> lower_to_mean_field(const Program& program,
                                                  const Database& database,
                                                  Diagnostics& sink,
                                                  const std::stop_token& stop) {
  const std::size_t errors = sink.num_errors();
  const ClassPredicates classes = class_predicates(program, sink);
  const meanfield::NarrowedDomains domains = meanfield::narrow_domains(program, database);
  MeanFieldModel model;
  model.domains = domains.domains;
  meanfield::lower_data(
      {program, database, domains, classes.has_classes, classes.rules, stop}, model, sink);
  if (sink.num_errors() > errors) return std::nullopt;
  meanfield::lower_rules(program, database, domains, model, sink, stop);
  if (sink.num_errors() > errors) return std::nullopt;
  return model;
}

MeanFieldModel mean_field_model(const Program& program,
                                const Database& database,
                                const std::stop_token& stop) {
  require_same_predicates(program, database);
  Diagnostics sink;
  auto model = lower_to_mean_field(program, database, sink, stop);
  if (!model) throw InputError(sink.take_sorted());
  return std::move(*model);
}

std::vector<Code> atom_codes(const MeanFieldModel& model, const MeanFieldAtom& atom) {
  const MeanFieldPredicate& predicate = model.predicates[atom.predicate];
  std::vector<Code> codes;
  const auto constants = atom_constants(model, atom.predicate, atom.atom);
  for (std::size_t k = 0; k < constants.size(); ++k) {
    codes.push_back(model.domains[predicate.arguments[k]].codes[constants[k]]);
  }
  if (predicate.num_classes() > 0) codes.push_back(predicate.classes[atom.value]);
  return codes;
}

}  // namespace sorites
