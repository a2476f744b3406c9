#include "semantics/semantics.h"

#include <fmt/format.h>

#include <utility>

#include "base/diagnostics.h"
#include "hinge/lower/lower.h"
#include "meanfield/lower.h"
#include "options/option_catalog.h"
#include "options/option_value.h"
#include "options/settings.h"
#include "semantics/ground_inference.h"
#include "semantics/hinge_reasoner.h"
#include "semantics/mean_field_reasoner.h"
#include "semantics/option_tables.h"

namespace sorites {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Reasoner> (*make)(const ReasonerInput& input, const RunEvents& events);
  std::unique_ptr<Layer> (*make_layer)(const LayerInput& input);
  Forecast (*estimate)(const ReasonerInput& input,
                       double time_limit_seconds,
                       const RunEvents& events);
  void (*check)(const Program& program, Database& database, Diagnostics& sink);
  SemanticsTraits traits;
};

void check_hinge(const Program& program, Database& database, Diagnostics& sink) {
  lower_to_hinge(program, database, sink);
}

void check_mean_field(const Program& program, Database& database, Diagnostics& sink) {
  lower_to_mean_field(program, database, sink);
}

// Presolve and methods keep copies and multipliers of the terms: 40 to 60 bytes for each, measured
// on the models of docs/benchmarks.md.
constexpr double kSolvingBytesPerTerm = 50.0;

// There must be a minimiser that moves. As in Dickens et al. 2024a, tables 12 and 13.
constexpr double kSmallRegularization = 1e-3;

// Weights of Markov logic mean what they are: no simplex, nothing that pulls them up. Its values
// are probabilities, so their likelihood is what is learned from.
void set_markov_learning(LearnOptions& options) {
  options.loss = {.cross_entropy = 1.0};
  options.domain = WeightDomain::kReal;
  options.regularizers.relative_log = 0.0;
}

constexpr Entry kSemantics[] = {
    {.name = kHingeSemantics,
     .make = make_hinge_reasoner,
     .make_layer = make_hinge_layer,
     .estimate = estimate_hinge,
     .check = check_hinge,
     .traits = {.has_small_samples = true,
                .grounds = true,
                .bytes_per_term = kSolvingBytesPerTerm,
                .minimiser_regularization = kSmallRegularization}},
    {.name = kMarkovSemantics,
     .make = make_mean_field_reasoner,
     .make_layer = make_mean_field_layer,
     .estimate = estimate_mean_field,
     .check = check_mean_field,
     .traits = {.negative_weights = true,
                .logic_layers = true,
                .learns_from_facts = true,
                .set_learning_defaults = set_markov_learning}},
};

const OptionCatalog& semantics_options() {
  static const OptionCatalog catalog = [] {
    OptionCatalog options;
    add_semantics_options(options);
    return options;
  }();
  return catalog;
}

// Options of another method of Markov logic than the one that is chosen.
void refuse_idle_options(std::span<const std::string> names,
                         const Settings& settings,
                         bool learns,
                         Diagnostics& sink) {
  MarkovMethodOptions chosen;
  Diagnostics elsewhere;  // values that are wrong are told where they are used
  read_options(kMarkovMethodOptions, settings, chosen, elsewhere);
  for (const std::string& name : names) {
    const OptionInfo* option = semantics_options().find(name);
    if (option == nullptr || settings.find(name) == nullptr) continue;  // unset
    if (!is_idle(*option, "inference.method", name_of(chosen.method))) continue;
    // Whatever the method is, learning infers by mean field.
    if (learns && !is_idle(*option, "inference.method", name_of(MarkovMethod::kMeanField))) {
      continue;
    }
    const auto methods = internal::split_names(option->used_with.values);
    sink.error(DiagnosticCode::kUnfitSemantics,
               Span{},
               fmt::format("`{}` means nothing with the method `{}`", name, name_of(chosen.method)))
        .notes.push_back(
            {fmt::format("it is for `--method {}`", fmt::join(methods, "` and `--method ")), {}});
  }
}

const Entry& semantics_named(std::string_view name, const Span& at = {}) {
  for (const Entry& semantics : kSemantics) {
    if (semantics.name == name) return semantics;
  }
  Diagnostics sink;
  suggest_name(sink.error(DiagnosticCode::kUnknownModelFormat,
                          at,
                          fmt::format("there is no semantics `{}`: it is one of {}",
                                      name,
                                      fmt::join(semantics_names(), ", "))),
               name,
               semantics_names());
  throw InputError(sink.take_sorted());
}

}  // namespace

std::vector<std::string_view> semantics_names() {
  std::vector<std::string_view> names;
  for (const Entry& semantics : kSemantics) names.push_back(semantics.name);
  return names;
}

const SemanticsTraits& traits_of(std::string_view semantics) {
  return semantics_named(semantics).traits;
}

std::string known_semantics(std::string_view name, const Span& at) {
  return name.empty() ? std::string() : std::string(semantics_named(lower_case(name), at).name);
}

std::unique_ptr<Reasoner> make_reasoner(std::string_view semantics,
                                        const ReasonerInput& input,
                                        const RunEvents& events) {
  return semantics_named(semantics).make(input, events);
}

std::unique_ptr<Layer> make_layer(std::string_view semantics, const LayerInput& input) {
  return semantics_named(semantics).make_layer(input);
}

Forecast estimate(std::string_view semantics,
                  const ReasonerInput& input,
                  double time_limit_seconds,
                  const RunEvents& events) {
  return semantics_named(semantics).estimate(input, time_limit_seconds, events);
}

void refuse_foreign_options(std::string_view semantics,
                            std::span<const std::string> names,
                            const Settings& settings,
                            bool learns) {
  const std::string_view own = semantics_named(semantics).name;
  Diagnostics sink;
  for (const std::string& name : names) {
    const OptionInfo* option = semantics_options().find(name);
    if (option == nullptr || option->semantics.empty() || option->semantics == own) continue;
    sink.error(DiagnosticCode::kUnfitSemantics,
               Span{},
               fmt::format("`{}` means nothing under the semantics `{}`", name, own));
  }
  if (own == kMarkovSemantics) refuse_idle_options(names, settings, learns, sink);
  if (sink.has_errors()) throw InputError(sink.take_sorted());
}

void check_semantics(std::string_view semantics,
                     const Program& program,
                     Database& database,
                     Diagnostics& sink) {
  semantics_named(semantics).check(program, database, sink);
}

}  // namespace sorites
