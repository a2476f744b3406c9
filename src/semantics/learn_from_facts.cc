#include "semantics/learn_from_facts.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/diagnostics.h"
#include "meanfield/learn_markov.h"
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

void add_potentials(const MeanFieldModel& model,
                    const AtomValues<float>& unaries,
                    std::size_t num_predicates,
                    OwnLearning& result) {
  result.potentials.resize(num_predicates);
  for (std::uint32_t p = 0; p < num_predicates; ++p) {
    const std::uint32_t classes = model.predicates[p].num_classes();
    for (std::size_t i = 0; i < unaries[p].size(); ++i) {
      if (unaries[p][i] == 0.0F) continue;
      const MeanFieldAtom atom{p,
                               classes == 0 ? i : i / classes,
                               classes == 0 ? 1 : static_cast<std::uint32_t>(i % classes)};
      result.potentials[p].emplace_back(atom_codes(model, atom),
                                        static_cast<double>(unaries[p][i]));
    }
  }
}

}  // namespace

OwnLearning learn_from_facts(const Program& program,
                             const MeanFieldModel& model,
                             const MeanFieldSettings& settings,
                             const std::function<void(const LearnEpoch&)>& on_epoch,
                             const RunEvents& events) {
  MarkovLearnOptions options = settings.learn;
  OwnLearning result;
  if (settings.ranking && weights_are_alike(program) &&
      formulas_drown_others(model, settings.options)) {
    options.inference = *settings.ranking;
    result.options = ranking_options(options.inference);
  }
  options.inference.track_free_energy = false;
  options.stop = events.stop;
  const auto tell = [&](const MarkovEpoch& epoch) {
    LearnEpoch line;
    line.epoch = epoch.epoch;
    line.loss = epoch.loss;
    line.seconds = epoch.seconds;
    result.history.push_back(line);
    if (on_epoch) on_epoch(line);
  };
  MarkovLearnResult learned;
  try {
    learned = learn_markov(model, options, tell);
  } catch (const std::invalid_argument& error) {  // nothing to learn
    Diagnostics sink;
    sink.error(DiagnosticCode::kNothingToLearn, Span{}, error.what());
    throw InputError(sink.take_sorted());
  }
  if (!learned.had_facts && options.dimension == 0) {
    tell_without_facts(!result.options.empty(), events);
  }
  for (const auto& weights : learned.weights) {
    result.weights.insert(result.weights.end(), weights.begin(), weights.end());
  }
  result.kept_epoch = learned.kept_epoch;
  if (learned.got_no_better) result.stop = LearnStop::kValidationMetric;
  if (learned.stopped) result.stop = LearnStop::kInterrupted;
  if (learned.diverged) result.error = "the loss is no number any more";
  add_potentials(model, learned.unaries, program.predicates.size(), result);
  return result;
}

}  // namespace sorites
