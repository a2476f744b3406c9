#include "modelfile/network_priors.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "modelfile/declared_rule.h"
#include "modelfile/network_options.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

bool is_own_option(std::string_view name) { return name == "paradigm" || name == "prior-weight"; }

PredicateDeclaration network_of(const PredicateDeclaration& predicate) {
  PredicateDeclaration network = predicate;
  network.name = prior_name(predicate);
  network.evaluations.clear();
  network.exactly_one.clear();
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

RuleText prior_rule(const PredicateDeclaration& predicate, const ModelFile& model) {
  std::vector<std::string> variables;
  for (std::size_t k = 0; k < predicate.arity; ++k) variables.push_back(fmt::format("A{}", k + 1));
  const std::string arguments = fmt::format("{}", fmt::join(variables, ", "));
  const auto weight = predicate.options.find("prior-weight");
  return declared_rule(fmt::format("{}: {}({}) = {}({}) ^2",
                                   weight == predicate.options.end() ? "1" : weight->second,
                                   prior_name(predicate),
                                   arguments,
                                   predicate.name,
                                   arguments),
                       predicate,
                       model);
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
