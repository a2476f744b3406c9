#include "modelfile/evaluation_reader.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "modelfile/section_reader.h"
#include "sorites/evaluate.h"

namespace sorites {
namespace {

std::vector<std::string_view> evaluator_names() {
  std::vector<std::string_view> names;
  for (const Evaluator evaluator : kEvaluators) names.push_back(name_of(evaluator));
  return names;
}

// The simple name of an evaluator; full Java class names are accepted.
std::optional<std::string> evaluator_name(const ConfigNode& node, const ConfigReport& report) {
  const auto name = report.text(node, "an evaluator", "a name");
  if (!name) return std::nullopt;
  const std::string_view last = std::string_view(*name).substr(name->rfind('.') + 1);
  if (find_evaluator(last)) return std::string(last);
  Diagnostic& added = report.error(DiagnosticCode::kUnknownEvaluator,
                                   node.range,
                                   fmt::format("there is no evaluator `{}`", *name));
  suggest_name(added, last, evaluator_names());
  if (added.notes.empty()) {
    added.notes.push_back(
        {fmt::format("the evaluators are {}", fmt::join(evaluator_names(), ", ")), {}});
  }
  return std::nullopt;
}

void read_evaluation(const ConfigNode& node,
                     const ConfigReport& report,
                     std::vector<Evaluation>& evaluations) {
  Evaluation evaluation;
  evaluation.declared_at = report.locate(node.range);
  std::optional<std::string> name;
  if (node.kind != ConfigKind::kObject) {
    name = evaluator_name(node, report);
  } else {
    bool named = false;
    report.for_members(node,
                       "an evaluation",
                       {{"evaluator",
                         [&](const ConfigNode& member) {
                           named = true;
                           name = evaluator_name(member, report);
                         }},
                        {"primary",
                         [&](const ConfigNode& member) {
                           evaluation.primary = report.boolean(member, "`primary`").value_or(false);
                         }},
                        {"options", [&](const ConfigNode& member) {
                           evaluation.options = read_options(member, report);
                         }}});
    if (!named) {
      report.error(
          DiagnosticCode::kUnknownEvaluator, node.range, "an evaluation needs `evaluator`");
    }
  }
  if (!name) return;
  evaluation.evaluator = *name;
  evaluations.push_back(std::move(evaluation));
}

}  // namespace

void read_evaluations(const ConfigNode& node,
                      const ConfigReport& report,
                      std::vector<Evaluation>& evaluations) {
  if (node.kind != ConfigKind::kList) {
    report.wrong_kind(node, "`evaluations`", "a list of evaluators");
    return;
  }
  for (const ConfigNode& element : node.children) read_evaluation(element, report, evaluations);
}

void settle_primary_evaluation(ModelFile& model, Diagnostics& diagnostics) {
  Evaluation* first = nullptr;
  Evaluation* primary = nullptr;
  for (PredicateDeclaration& predicate : model.predicates) {
    for (Evaluation& evaluation : predicate.evaluations) {
      if (first == nullptr) first = &evaluation;
      if (!evaluation.primary) continue;
      if (primary != nullptr) {
        diagnostics
            .error(DiagnosticCode::kSeveralPrimaryEvaluations,
                   evaluation.declared_at,
                   "a second evaluation is marked primary")
            .notes.push_back({"this one is, too", primary->declared_at});
      }
      primary = &evaluation;
    }
  }
  if (primary == nullptr && first != nullptr) first->primary = true;
}

}  // namespace sorites
