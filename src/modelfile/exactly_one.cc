#include "modelfile/exactly_one.h"

#include <fmt/format.h>

#include <algorithm>

#include "modelfile/declared_rule.h"
#include "modelfile/network_priors.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

std::string rule_of(const PredicateDeclaration& predicate) {
  std::string arguments;
  for (std::size_t k = 0; k < predicate.arity; ++k) {
    const auto& sums = predicate.exactly_one;
    const bool is_sum = std::find(sums.begin(), sums.end(), k) != sums.end();
    arguments += fmt::format("{}{}A{}", k == 0 ? "" : ", ", is_sum ? "+" : "", k + 1);
  }
  return fmt::format("{}({}) = 1 .", predicate.name, arguments);
}

bool sets(std::span<const OptionSetting> options, std::string_view name) {
  return std::any_of(options.begin(), options.end(), [&](const OptionSetting& option) {
    return same_name(option.name, name);
  });
}

// Evaluators of categories look at these arguments, unless the model says something else.
void set_categories(const ModelFile& model, PredicateDeclaration& predicate) {
  constexpr std::string_view kCategories = "categoricalevaluator.categoryindexes";
  for (const ModelSection& section : model.sections) {
    if (sets(section.options, kCategories)) return;
  }
  for (Evaluation& evaluation : predicate.evaluations) {
    if (evaluation.evaluator != "CategoricalEvaluator" || sets(evaluation.options, kCategories)) {
      continue;
    }
    evaluation.options.push_back({std::string(kCategories),
                                  fmt::format("{}", fmt::join(predicate.exactly_one, ":")),
                                  predicate.declared_at,
                                  {}});
  }
}

std::string why_not(const ModelFile& model, const PredicateDeclaration& predicate) {
  if (model.language == Language::kMln) {
    return "`exactly-one` is of language `psl`: here `classes` says it";
  }
  if (predicate.neural && !has_prior(predicate)) {
    return fmt::format(
        "the atoms of `{}` are outputs of a network, which no rule can change: `exactly-one` takes "
        "an ordinary predicate, or one with `\"paradigm\": \"parameter\"`",
        predicate.name);
  }
  return {};
}

}  // namespace

void add_exactly_one_rules(ModelFile& model, Diagnostics& diagnostics) {
  for (PredicateDeclaration& predicate : model.predicates) {
    if (predicate.exactly_one.empty()) continue;
    std::string wrong = why_not(model, predicate);
    if (!wrong.empty()) {
      diagnostics.error(DiagnosticCode::kBadOptionValue, predicate.declared_at, std::move(wrong));
      predicate.exactly_one.clear();
      continue;
    }
    model.sections[0].rules.push_back(declared_rule(rule_of(predicate), predicate, model));
    set_categories(model, predicate);
  }
}

std::size_t num_exactly_one_rules(const ModelFile& model) {
  return static_cast<std::size_t>(
      std::count_if(model.predicates.begin(), model.predicates.end(), [](const auto& predicate) {
        return !predicate.exactly_one.empty();
      }));
}

}  // namespace sorites
