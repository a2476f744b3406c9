// What the options of a model say about learning.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hinge/energy/hinge_energy.h"
#include "learn/loss_text.h"
#include "modelfile/model_file.h"
#include "options/option.h"
#include "semantics/batch_option_table.h"
#include "sorites/learn.h"

namespace sorites {

// Whose weights are learned: those of all soft rules, of those with weights per constant (`+`
// variables), or none.
enum class LearnedRules : std::uint8_t { kAll, kPlus, kNone };
std::string_view name_of(LearnedRules rules);  // "all", "plus", "none"

struct LearnSettings {
  LearnOptions learn;                     // `stop` is left to the caller
  HingeEnergyOptions energy;              // of every inference
  double inference_regularization = 0.0;  // of inference as the model has it
  // Texts of Markov logic have no labels: some of their facts are hidden, and inferred from the
  // others.
  bool from_facts = false;
  bool weights = true;  // false: only networks learn
  LearnedRules rules = LearnedRules::kAll;
  std::optional<double> plus_start;  // of weights per constant; none: as written
  bool random_weights = false;
  double start_deviation = 0.0;  // weights start as those written times N(1, this^2)
  std::string fixed_rules;       // that keep their weights, as in "2, model.json:18"
  Span fixed_rules_at;           // where the model says so, if it does
  BatchOptions batch;
  bool batches_asked_for = false;           // not by default
  std::uint64_t components_per_sample = 0;  // a step takes several samples where networks learn
  std::optional<std::uint64_t> patience;    // of the metric that decides
  std::string output;                       // runtime.learn.output.model.path; empty: none is named
};

inline constexpr Option<LearnSettings> kLearnSettingsOptions[] = {
    {"learn.weights",
     "gradientdescent.symbolicweightlearning",
     field<&LearnSettings::weights>,
     {},
     "false: rules keep their weights, and only networks learn"},
    {"learn.rules",
     "meanfield.learn_weights markov.learn_weights",
     field<&LearnSettings::rules>,
     {},
     "whose weights are learned: those of all rules, of those with weights per constant (`+` "
     "variables of Markov logic), or none"},
    {"learn.plus_start",
     "meanfield.plus_start markov.plus_start",
     field<&LearnSettings::plus_start>,
     {},
     "where learned weights per constant (`+` variables of Markov logic) start; default: as "
     "written, from facts 0"},
    {"learn.random_weights",
     "weightlearning.randomweights",
     field<&LearnSettings::random_weights>,
     {},
     "start from random weights"},
    {"learn.fixed_rules",
     "",
     field<&LearnSettings::fixed_rules>,
     {},
     "rules that keep their weights while others are learned: numbers in the model (`2`) or "
     "lines (`model.json:18`), separated by commas"},
    {"learn.start_deviation",
     "",
     field<&LearnSettings::start_deviation>,
     at_least(0),
     "start from the weights as written, each times a normal number of mean 1 and this deviation"},
    {"learn.patience",
     "",
     field<&LearnSettings::patience>,
     at_least(0),
     "stop after so many epochs without a better validation metric (training, without validation "
     "data), or validation loss where there is no metric; 0 is never; from facts 20 by default; "
     "--patience is the same"},
    {"runtime.learn.output.model.path",
     "",
     path_field<&LearnSettings::output>,
     {},
     "where to write the learned model; --output is the same"},
};

// A method is a loss and an algorithm: where one is set, what lies below is unset, but for what the
// same settings say of either.
std::vector<OptionSetting> with_method_alone(std::span<const OptionSetting> settings);

// Whether it is a text of Markov logic, with facts and queries but no labels.
bool learns_from_facts(const ModelFile& model);

// From the options of the model's learning phase. Ours (`learn.*`) win over those of PSL, and
// `flags`, options too, over everything; an empty value unsets one. Throws InputError with all that
// are out of range or do not go together.
LearnSettings learn_settings(const ModelFile& model,
                             std::span<const OptionSetting> overrides = {},
                             std::span<const OptionSetting> flags = {});

// Warnings of options that were asked for and say nothing with the algorithm.
std::vector<Diagnostic> idle_options(LearnAlgorithm algorithm,
                                     std::span<const OptionSetting> overrides,
                                     std::span<const OptionSetting> flags);

}  // namespace sorites
