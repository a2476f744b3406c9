#include "modelfile/network_priors.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "modelfile/network_options.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

bool is_own_option(std::string_view name) { return name == "paradigm" || name == "prior-weight"; }

PredicateDeclaration network_of(const PredicateDeclaration& predicate) {
  PredicateDeclaration network = predicate;
  network.name = prior_name(predicate);
  network.evaluations.clear();
  std::erase_if(network.data,
                [](const DataSource& source) { return source.partition == Partition::kObserved; });
  for (const char* name : {"paradigm", "prior-weight"}) network.options.erase(name);
  return network;
}

// What is left is an ordinary predicate.
void strip_network(PredicateDeclaration& predicate) {
  predicate.neural = false;
  predicate.force_open = true;
  std::erase_if(predicate.options, [](const auto& option) {
    return network_option_catalog().find(without_phase(option.first)) != nullptr &&
           !is_own_option(option.first);
  });
}

// The byte of the file at which the span begins, as far as characters are bytes.
std::uint32_t offset_of(const Span& span, const std::string& text) {
  std::size_t line_begin = 0;
  for (std::uint32_t line = 1; line < span.line; ++line) {
    line_begin = std::min(text.find('\n', line_begin), text.size() - 1) + 1;
  }
  return static_cast<std::uint32_t>(
      std::min(line_begin + (span.column > 0 ? span.column - 1 : 0), text.size()));
}

RuleText prior_rule(const PredicateDeclaration& predicate, const ModelFile& model) {
  std::vector<std::string> variables;
  for (std::size_t k = 0; k < predicate.arity; ++k) variables.push_back(fmt::format("A{}", k + 1));
  const std::string arguments = fmt::format("{}", fmt::join(variables, ", "));
  const auto weight = predicate.options.find("prior-weight");
  RuleText rule;
  rule.text = fmt::format("{}: {}({}) = {}({}) ^2",
                          weight == predicate.options.end() ? "1" : weight->second,
                          prior_name(predicate),
                          arguments,
                          predicate.name,
                          arguments);
  rule.file_offset.assign(rule.text.size() + 1,
                          offset_of(predicate.declared_at, model.texts.front().text));
  return rule;
}

}  // namespace

bool has_prior(const PredicateDeclaration& predicate) {
  const auto paradigm = predicate.options.find("paradigm");
  return paradigm != predicate.options.end() && paradigm->second == "parameter";
}

std::string prior_name(const PredicateDeclaration& predicate) {
  return predicate.name + "_network";
}

std::size_t num_priors(const ModelFile& model) {
  return static_cast<std::size_t>(
      std::count_if(model.predicates.begin(), model.predicates.end(), has_prior));
}

void add_network_priors(ModelFile& model, Diagnostics& diagnostics) {
  const std::size_t num_declared = model.predicates.size();
  for (std::size_t p = 0; p < num_declared; ++p) {
    if (!model.predicates[p].neural || !has_prior(model.predicates[p])) continue;
    PredicateDeclaration network = network_of(model.predicates[p]);
    if (find_declaration(model, network.name)) {
      diagnostics
          .error(DiagnosticCode::kDuplicatePredicate,
                 model.predicates[p].declared_at,
                 fmt::format("the network of `{}` would be called `{}`, but that is declared",
                             model.predicates[p].name,
                             network.name))
          .notes.push_back({"give the other predicate another name", {}});
      continue;
    }
    strip_network(model.predicates[p]);
    model.sections[0].rules.push_back(prior_rule(model.predicates[p], model));
    model.predicates.push_back(std::move(network));
  }
}

}  // namespace sorites
