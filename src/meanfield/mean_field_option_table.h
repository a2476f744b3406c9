// The options of inference and learning in Markov logic, in model files, --set and flags. They had
// names that begin with `markov.`, which are accepted.
#pragma once

#include <optional>
#include <string>

#include "meanfield/encoder_source.h"
#include "meanfield/fact_layer.h"
#include "meanfield/hard_propagation.h"
#include "options/common_options.h"
#include "options/option.h"
#include "sorites/meanfield.h"

namespace sorites {

// What changes a model when it is opened: data as others publish it need not be written anew.
struct MeanFieldModelOptions {
  std::string closed;                 // names of predicates, separated by blanks or commas
  std::optional<double> plus_weight;  // of formulas with `+` variables, instead of what is written
  double weight_factor = 1.0;         // of soft formulas
};

template <>
inline constexpr std::string_view kSemanticsOf<MeanFieldModelOptions> = kMarkovSemantics;

inline constexpr Option<MeanFieldModelOptions> kMeanFieldModelOptions[] = {
    {"meanfield.closed",
     "markov.closed",
     field<&MeanFieldModelOptions::closed>,
     {},
     "predicates of Markov logic whose world is closed besides those that say so; `same*` is all "
     "that begin so"},
    {"meanfield.plus_weight",
     "markov.plus_weight",
     field<&MeanFieldModelOptions::plus_weight>,
     {},
     "weight of all formulas with `+` variables when a model of Markov logic is opened; default: "
     "as written"},
    {"meanfield.weight_factor",
     "markov.weight_factor",
     field<&MeanFieldModelOptions::weight_factor>,
     {},
     "weights of the formulas are multiplied by this when a model of Markov logic is opened"},
};

// Where a model is inferred, updates go on until they change nothing, and the free energy is told.
// The layer itself and learning make a few plain steps, which have a price that is known before.
// All 1,000 random models of docs/method/mean-field.md converge within 200 iterations.
inline constexpr std::size_t kMostDescendingIterations = 500;
inline constexpr double kShownMarginal = 1e-4;  // the last digit that is shown of a probability
inline MeanFieldOptions mean_field_defaults() {
  MeanFieldOptions options;
  options.updates = MeanFieldUpdates::kDescending;
  options.iterations = kMostDescendingIterations;
  options.tolerance = kShownMarginal;
  options.track_free_energy = true;
  return options;
}

template <>
inline constexpr std::string_view kSemanticsOf<MeanFieldOptions> = kMarkovSemantics;

inline constexpr Option<MeanFieldOptions> kMeanFieldOptions[] = {
    {"meanfield.updates",
     "",
     field<&MeanFieldOptions::updates>,
     {},
     "how atoms follow their messages in Markov logic: as far as the free energy falls, or the "
     "plain steps of LogicMP, which may swing; learning makes plain ones unless this is set, and "
     "so do means and centred messages",
     {},
     kWithIterations},
    {"meanfield.iterations",
     "",
     field<&MeanFieldOptions::iterations>,
     at_least(1),
     "most iterations of inference in Markov logic; --max-iterations is the same; of plain updates "
     "5 unless it is set",
     {},
     kWithIterations},
    {"meanfield.tolerance",
     "",
     field<&MeanFieldOptions::tolerance>,
     at_least(0),
     "stop when no marginal changes by more in an iteration; 0 asks for all iterations, as plain "
     "updates do unless it is set",
     {},
     kWithIterations},
    {"meanfield.damping",
     "",
     field<&MeanFieldOptions::damping>,
     from_to_below(0, 1),
     "share of its old log-odds that an atom keeps in an iteration of Markov logic, or keeps at "
     "least where the free energy must fall; more steadies, less is quicker",
     {},
     kWithIterations},
    {"meanfield.hard_weight",
     "",
     field<&MeanFieldOptions::hard_weight>,
     above(0),
     "what a hard formula of Markov logic weighs"},
    {"meanfield.weight_scale",
     "",
     field<&MeanFieldOptions::weight_scale>,
     {},
     "what keeps formulas of Markov logic with many groundings from drowning the others: nothing, "
     "weights divided by their largest or smallest message, or means over groundings instead of "
     "sums"},
    {"meanfield.centre_messages",
     "",
     field<&MeanFieldOptions::centre_messages>,
     {},
     "take from the messages to a predicate of Markov logic their mean, so that formulas only rank "
     "its atoms"},
    {"meanfield.track_free_energy",
     "",
     field<&MeanFieldOptions::track_free_energy>,
     {},
     "compute the free energy after every iteration, to see whether it falls; about doubles the "
     "work",
     {},
     kWithIterations},
    {"meanfield.max_bytes",
     "",
     field<&MeanFieldOptions::plan, &MeanFieldPlanOptions::max_bytes>,
     at_least(1),
     "memory that inference in Markov logic may take; a plan that needs more is refused"},
    threads_option(field<&MeanFieldOptions::threads>),
};

template <>
inline constexpr std::string_view kSemanticsOf<HardPropagationOptions> = kMarkovSemantics;

inline constexpr Option<HardPropagationOptions> kHardPropagationOptions[] = {
    {"meanfield.propagation_steps",
     "",
     field<&HardPropagationOptions::max_steps>,
     at_least(0),
     "most steps to find what the facts and the hard formulas of Markov logic entail, and whether "
     "they contradict each other; 0 lets hard formulas only weigh meanfield.hard_weight"},
};

// Where facts are learned from: what is hidden, and an encoder.
struct FactLearnOptions {
  FactOptions facts;
  EncoderOptions encoder;
};

template <>
inline constexpr std::string_view kSemanticsOf<FactLearnOptions> = kMarkovSemantics;

inline constexpr Option<FactLearnOptions> kFactLearnOptions[] = {
    {"meanfield.hidden",
     "markov.hidden",
     field<&FactLearnOptions::facts, &FactOptions::hidden>,
     from_to_below(0, 1),
     "share of the facts that an epoch of learning hides and infers from the others"},
    {"meanfield.validation",
     "",
     field<&FactLearnOptions::facts, &FactOptions::validation>,
     from_to_below(0, 1),
     "share of the facts that learning in Markov logic holds out, to choose the best epoch by"},
    {"meanfield.dimension",
     "markov.dimension",
     field<&FactLearnOptions::encoder, &EncoderOptions::dimension>,
     at_least(0),
     "size of the embeddings of the encoder that `learn` makes for Markov logic; 0 makes none"},
    {"meanfield.encoder_step",
     "markov.encoder_step",
     field<&FactLearnOptions::encoder, &EncoderOptions::step>,
     at_least(0),
     "step of Adam for the encoder"},
    {"meanfield.encoder_decay",
     "markov.encoder_decay",
     field<&FactLearnOptions::encoder, &EncoderOptions::decay>,
     at_least(0),
     "pull of the encoder's parameters to 0"},
    {"meanfield.through_layer",
     "markov.through_layer",
     field<&FactLearnOptions::encoder, &EncoderOptions::through_layer>,
     at_least(0),
     "how much the encoder learns from hidden facts through the iterations"},
    {"meanfield.distillation",
     "markov.distillation",
     field<&FactLearnOptions::encoder, &EncoderOptions::distillation>,
     at_least(0),
     "how much the encoder learns from the marginals that inference gives"},
    {"meanfield.from_facts",
     "markov.from_facts",
     field<&FactLearnOptions::encoder, &EncoderOptions::from_facts>,
     at_least(0),
     "how much the encoder learns from the facts directly"},
    {"meanfield.expected_violation",
     "markov.expected_violation",
     field<&FactLearnOptions::encoder, &EncoderOptions::expected_violation>,
     at_least(0),
     "how much the encoder learns from violations that its own marginals expect"},
};

}  // namespace sorites
