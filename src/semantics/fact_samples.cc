#include "semantics/fact_samples.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/diagnostics.h"
#include "meanfield/encoder_source.h"
#include "meanfield/hidden_facts_energy.h"
#include "meanfield/lower.h"
#include "meanfield/weight_scales.h"

namespace sorites {
namespace {

// All formulas that are soft weigh the same as written.
bool weights_are_alike(const Program& program) {
  std::optional<double> weight;
  for (const Rule& rule : program.rules) {
    if (!rule.weight) continue;
    if (!rule.constant_weights.empty() || weight.value_or(*rule.weight) != *rule.weight) {
      return false;
    }
    weight = rule.weight;
  }
  return weight.has_value();
}

// Some formula pushes an atom by many times its weight, as it has that many groundings with it.
bool formulas_drown_others(const MeanFieldModel& model, MeanFieldOptions options) {
  constexpr double kMany = 10.0;  // log-odds: beyond these, a probability is 0 or 1 for good
  options.weight_scale = WeightScale::kLargestMessage;
  const std::vector<double> largest = weight_divisors(model, options);
  return std::any_of(largest.begin(), largest.end(), [](double most) { return most > kMany; });
}

// Without facts of open predicates no weight can be learned: an error, unless the model becomes
// another one by the way its messages are scaled.
void tell_without_facts(bool ranks, const RunEvents& events) {
  Diagnostics sink;
  if (!ranks) {
    sink.error(DiagnosticCode::kNothingToLearn,
               Span{},
               "nothing to learn from: no predicate with an open world has facts");
    throw InputError(sink.take_sorted());
  }
  sink.warning(DiagnosticCode::kNothingToLearn,
               Span{},
               "weights stay as they are: no predicate with an open world has facts to learn from")
      .notes.push_back({"as all weights are alike, formulas push atoms by means over their "
                        "groundings (meanfield.weight_scale=mean-message)",
                        {}});
  if (!events.diagnostic) return;
  for (const Diagnostic& diagnostic : sink.take_sorted()) events.diagnostic(diagnostic);
}

// Of the predicates of the program, without those that lowering has added.
AtomPotentials potentials_of(const MeanFieldModel& model,
                             const AtomValues<float>& unaries,
                             std::size_t num_predicates) {
  AtomPotentials result(num_predicates);
  for (std::uint32_t p = 0; p < num_predicates; ++p) {
    const std::uint32_t classes = model.predicates[p].num_classes();
    for (std::size_t i = 0; i < unaries[p].size(); ++i) {
      if (unaries[p][i] == 0.0F) continue;
      const MeanFieldAtom atom{p,
                               classes == 0 ? i : i / classes,
                               classes == 0 ? 1 : static_cast<std::uint32_t>(i % classes)};
      result[p].emplace_back(atom_codes(model, atom), static_cast<double>(unaries[p][i]));
    }
  }
  return result;
}

}  // namespace

FactSamples samples_of_facts(const Program& program,
                             const MeanFieldModel& model,
                             const MeanFieldSettings& settings,
                             std::uint64_t seed,
                             const RunEvents& events) {
  FactSamples result;
  MeanFieldOptions inference = settings.learning;
  if (settings.ranking && weights_are_alike(program) &&
      formulas_drown_others(model, settings.options)) {
    inference = *settings.ranking;
    result.options = ranking_options(inference);
  }
  inference.track_free_energy = false;
  inference.stop = events.stop;
  const auto layer = std::make_shared<FactLayer>(model, settings.facts.facts, inference, seed);
  const bool encoded = settings.facts.encoder.dimension > 0, told = layer->draws().has_facts();
  if (!told && !encoded) {
    tell_without_facts(!result.options.empty(), events);
    return result;
  }
  result.training.energies.push_back(make_hidden_facts_energy(layer, encoded));
  result.training.loss_scale = 1.0 / layer->draws().mean_size();
  if (told) result.validation.energies.push_back(make_held_out_facts_energy(layer, encoded));
  if (encoded) {
    auto encoder = std::make_unique<EncoderSource>(layer, settings.facts.encoder, seed);
    result.potentials = [layer, source = encoder.get(), count = program.predicates.size()] {
      return potentials_of(layer->model(), source->potentials(), count);
    };
    result.encoder = std::move(encoder);
  }
  return result;
}

}  // namespace sorites
