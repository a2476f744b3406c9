#include "session/learn_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/name_table.h"
#include "hinge/energy/hinge_energy_option_table.h"
#include "learn/learn_option_table.h"
#include "learn/psl_learn_option_table.h"
#include "learn/search.h"
#include "meanfield/mean_field_option_table.h"
#include "modelfile/finish_diagnostics.h"
#include "modelfile/options.h"
#include "perception/model_networks.h"
#include "semantics/inference_settings.h"
#include "semantics/semantics.h"
#include "session/option_catalog.h"

namespace sorites {
namespace {

constexpr std::uint64_t kNetworkBatch = 32;  // components per step, where there are networks

class LearnSettingsReader {
 public:
  LearnSettingsReader(const ModelFile& model,
                      std::span<const OptionSetting> overrides,
                      std::span<const OptionSetting> flags)
      : model_(model),
        traits_(traits_of(model.semantics)),
        overrides_(overrides),
        given_(settings_of(
            model, Phase::kLearn, with_method_alone(overrides), with_method_alone(flags))) {}

  LearnSettings read() {
    if (traits_.set_learning_defaults != nullptr) traits_.set_learning_defaults(result_.learn);
    result_.from_facts = learns_from_facts(model_);
    if (result_.from_facts) fact_defaults();
    result_.energy.solve = inference_settings(given_, sink_).solve;
    result_.inference_regularization = result_.energy.solve.regularization;
    result_.learn.seed = result_.energy.solve.seed;
    read_options(kPslLearnOptions, given_, psl_, sink_);
    apply(psl_, result_.learn);
    read_options(kLearnOptions, given_, result_.learn, sink_);
    read_options(kBilevelOptions, given_, result_.learn.bilevel, sink_);
    read_options(kPolicyOptions, given_, result_.learn.policy, sink_);
    apply_to_search(psl_, result_.learn.algorithm, result_.learn.search);
    read_options(kSearchOptions, given_, result_.learn.search, sink_);
    read_options(kHingeEnergyOptions, given_, result_.energy, sink_);
    batch_components();
    read_options(kBatchOptions, given_, result_.batch, sink_);
    read_options(kLearnSettingsOptions, given_, result_, sink_);
    if (const Setting* fixed = given_.find("learn.fixed_rules"))
      result_.fixed_rules_at = fixed->value_at;
    result_.energy.solve.time_limit_seconds = result_.learn.time_limit_seconds;
    default_loss();
    default_regularization();
    check_kind();
    check_loss();
    check_domain();
    check_steps();
    check_search();
    check_weights();
    samples();
    patience();
    if (sink_.has_errors()) throw InputError(finish_diagnostics(model_, sink_));
    return result_;
  }

 private:
  // Every epoch sees other facts hidden: steps that do not hang on the size of a slope, a pull to
  // what is written, and an end when held-out facts are inferred no better. A weight that is
  // written for a `+` formula says little about each of a thousand words: the words decide.
  // Figures: docs/method/numbers.md.
  void fact_defaults() {
    constexpr double kStep = 0.02, kPull = 0.1;
    constexpr std::uint64_t kPatience = 20;
    result_.learn.optimizer = WeightOptimizer::kAdam;
    result_.learn.step_size = kStep;
    result_.learn.regularizers.pull_to_start = kPull;
    result_.patience = kPatience;
    result_.plus_start = 0.0;
  }

  Diagnostic& wrong(const Setting* setting, std::string message) {
    return sink_.error(DiagnosticCode::kBadOptionValue,
                       setting == nullptr ? Span{} : setting->at,
                       std::move(message));
  }

  void default_loss() {
    LearnOptions& learn = result_.learn;
    if (given_.find("learn.loss") != nullptr || given_.find("learn.algorithm") == nullptr) return;
    const bool fits = learn.loss.has_minimiser_based();
    if (learn.algorithm == LearnAlgorithm::kBilevel && !fits) learn.loss = {.squared_error = 1.0};
    if (learn.algorithm == LearnAlgorithm::kGradientFollowing && !fits) {
      learn.loss = {.cross_entropy = 1.0};
    }
    if (learn.algorithm == LearnAlgorithm::kPolicy && !fits) learn.loss = {.metric = 1.0};
  }

  // Losses of inferred values follow how the minimiser moves.
  void default_regularization() {
    const bool is_given = given_.find_any({"learn.regularization",
                                           "inference.regularization",
                                           "duallcqp.regularizationparameter"}) != nullptr;
    if (is_given || traits_.minimiser_regularization == 0.0) return;
    if (result_.learn.loss.has_minimiser_based() && !is_search(result_.learn.algorithm)) {
      result_.energy.solve.regularization = traits_.minimiser_regularization;
    }
  }

  template <class Table>
  void refuse(const Table& table, std::string_view why) {
    for (const auto& option : table) {
      const Setting* setting = internal::chosen_setting(option.name, option.other_names, given_);
      if (setting == nullptr) continue;
      sink_.error(DiagnosticCode::kUnfitSemantics,
                  setting->at,
                  fmt::format("`{}` means nothing {}", setting->name, why));
    }
  }

  // Options of another kind of learning.
  void check_kind() {
    if (!result_.from_facts) {
      return refuse(kFactLearnOptions,
                    "where there are labels: it is for texts of Markov logic, which are learned "
                    "from their facts");
    }
    constexpr std::string_view kWhy = "when the facts of Markov logic are learned from";
    refuse(kBilevelOptions, kWhy);
    refuse(kPolicyOptions, kWhy);
    refuse(kSearchOptions, kWhy);
    refuse(kHingeEnergyOptions, kWhy);
    refuse(kPslLearnOptions, kWhy);
    const LearnOptions& learn = result_.learn;
    if (learn.algorithm != LearnAlgorithm::kGradient) {
      wrong(given_.find("learn.algorithm"), "facts of Markov logic are learned from by `gradient`")
          .notes.push_back({"leave the algorithm out, or write a model file with labels", {}});
    }
    if (learn.loss.energy + learn.loss.structured_perceptron + learn.loss.metric > 0.0) {
      wrong(given_.find("learn.loss"),
            "facts of Markov logic are learned from by how they are inferred: `cross_entropy`, "
            "`squared_error`");
    }
    if (given_.find("learn.batch_components") != nullptr && result_.batch.components > 0) {
      wrong(given_.find("learn.batch_components"),
            "facts of Markov logic are learned from all at once");
    }
  }

  // Negative weights, and logarithms, are not for all.
  void check_domain() {
    if (result_.learn.domain != WeightDomain::kReal) return;
    if (!traits_.negative_weights) {
      wrong(given_.find("learn.domain"),
            fmt::format("weights of the semantics `{}` are not negative", model_.semantics))
          .notes.push_back({"take the domain `non-negative`", {}});
    }
    if (result_.learn.algorithm == LearnAlgorithm::kPolicy &&
        result_.learn.policy.weights == WeightPolicy::kDirichlet) {
      wrong(given_.find("learn.policy.weights"), "negative weights are no shares of a sum")
          .notes.push_back({"take `--domain non-negative`, or draw each for itself", {}});
    }
    const WeightRegularizers& by = result_.learn.regularizers;
    if (by.relative_log + by.negative_log + by.entropy == 0.0) return;
    wrong(given_.find_any({"learn.relative_log", "learn.negative_log", "learn.entropy"}),
          "negative weights have no logarithms")
        .notes.push_back({"take `--domain non-negative`, or `learn.pull_to_start`", {}});
  }

  void check_loss() {
    const LearnOptions& learn = result_.learn;
    const Setting* loss = given_.find("learn.loss");
    if (loss == nullptr || sink_.has_errors()) return;
    const bool is_bilevel = learn.algorithm == LearnAlgorithm::kBilevel;
    if ((is_bilevel || learn.algorithm == LearnAlgorithm::kGradientFollowing) &&
        !learn.loss.has_minimiser_based()) {
      wrong(loss,
            is_bilevel ? "the bilevel algorithm needs a loss of the inferred values"
                       : "gradient following needs a loss of the inferred values")
          .notes.push_back(
              {"add squared_error or cross_entropy to the loss, or take the algorithm `gradient`",
               {}});
    }
    if (learn.loss.metric != 0.0 && learn.algorithm != LearnAlgorithm::kPolicy) {
      wrong(loss, "the loss `metric` has no slopes")
          .notes.push_back(
              {"take the algorithm `policy`, which needs none, or a search, which looks at the "
               "metric whatever the loss",
               {}});
    }
  }

  void check_steps() {
    const LearnOptions& learn = result_.learn;
    if (learn.steps_per_inference == 1 || sink_.has_errors()) return;
    const bool can =
        learn.algorithm == LearnAlgorithm::kGradientFollowing ||
        (learn.algorithm == LearnAlgorithm::kGradient && !learn.loss.has_minimiser_based());
    if (can) return;
    wrong(given_.find("learn.steps_per_inference"),
          "only `gradient-following`, and `gradient` with losses of energies, take several steps "
          "per inference")
        .notes.push_back({"leave the option out", {}});
  }

  void check_search() {
    const SearchOptions& search = result_.learn.search;
    if (!is_search(result_.learn.algorithm)) return;
    const auto is_positive = [](double weight) { return weight > 0.0; };
    if (std::none_of(search.grid.begin(), search.grid.end(), is_positive)) {
      wrong_search("learn.search.grid", "holds no positive weight, so that no rule would count")
          .notes.push_back({"give it weights such as 0.1:1:10", {}});
    }
    if (has_too_many_points(search)) {
      wrong_search("learn.search.hyperband_brackets",
                   "asks for more points than can be kept: those of the smallest bracket times "
                   "`learn.search.hyperband_survival`, once for each further bracket")
          .notes.push_back({"take fewer brackets", {}});
    }
  }

  // By the name that was written.
  Diagnostic& wrong_search(std::string_view name, std::string_view why) {
    const auto option = std::find_if(std::begin(kSearchOptions),
                                     std::end(kSearchOptions),
                                     [&](const auto& one) { return one.name == name; });
    const Setting* setting = internal::chosen_setting(name, option->other_names, given_);
    return wrong(setting, fmt::format("`{}` {}", setting == nullptr ? name : setting->name, why));
  }

  void check_weights() {
    FactLearnOptions facts;
    read_options(kFactLearnOptions, given_, facts, sink_);
    const bool has_encoder = result_.from_facts && facts.encoder.dimension > 0;
    const bool learns = result_.weights && result_.rules != LearnedRules::kNone;
    if (learns || has_networks(model_) || has_encoder) return;
    const Setting* setting =
        result_.weights
            ? given_.find_any({"learn.rules", "meanfield.learn_weights", "markov.learn_weights"})
            : given_.find_any({"learn.weights", "gradientdescent.symbolicweightlearning"});
    wrong(setting,
          fmt::format("nothing is left to learn: `{}` is {}", setting->name, setting->value))
        .notes.push_back(
            {"the weights of rules are all that is learned in a model without networks; leave the "
             "option out",
             {}});
  }

  // What PSL's options and the model say, before ours.
  void batch_components() {
    if (psl_.batches == PslBatches::kConnectedComponents) {
      result_.batch.components = psl_.components_per_batch;
    } else if (has_networks(model_) && psl_.batches != PslBatches::kFull) {
      result_.batch.components = kNetworkBatch;
    }
  }

  // Networks learn better from batches that are drawn anew in every epoch.
  void samples() {
    const std::uint64_t components = result_.batch.components;
    result_.batches_asked_for =
        components > 0 && (given_.find("learn.batch_components") != nullptr ||
                           psl_.batches == PslBatches::kConnectedComponents);
    const bool drawn = has_networks(model_) && components > 0 && traits_.has_small_samples;
    result_.components_per_sample = drawn ? 1 : components;
    result_.learn.samples_per_step = drawn ? components : components > 0 ? 1 : 0;
    if (drawn) result_.learn.threads = result_.energy.solve.threads;
  }

  void patience() {
    if (!result_.patience) return;
    const std::vector<Phase> phases = phases_of(model_, overrides_);
    const bool validates =
        result_.from_facts ||
        std::find(phases.begin(), phases.end(), Phase::kValidation) != phases.end();
    (validates ? result_.learn.validation_patience : result_.learn.training_patience) =
        *result_.patience;
  }

  const ModelFile& model_;
  const SemanticsTraits& traits_;
  std::span<const OptionSetting> overrides_;
  Settings given_;
  PslLearnOptions psl_;
  LearnSettings result_;
  Diagnostics sink_;
};

}  // namespace

std::string_view name_of(LearnedRules rules) {
  constexpr std::array<std::string_view, 3> kNames = {"all", "plus", "none"};
  return name_in(kNames, rules);
}

bool learns_from_facts(const ModelFile& model) {
  return model.is_text_of_markov_logic() && traits_of(model.semantics).learns_from_facts;
}

std::vector<OptionSetting> with_method_alone(std::span<const OptionSetting> settings) {
  const auto names = [&](std::string_view name) {
    return std::any_of(settings.begin(), settings.end(), [&](const OptionSetting& one) {
      return !one.value.empty() && same_but_case(one.name, name);
    });
  };
  std::vector<OptionSetting> result;
  for (const char* part : {"learn.loss", "learn.algorithm"}) {
    if (names("runtime.learn.method") && !names(part)) result.push_back({part, "", {}});
  }
  result.insert(result.end(), settings.begin(), settings.end());
  return result;
}

LearnSettings learn_settings(const ModelFile& model,
                             std::span<const OptionSetting> overrides,
                             std::span<const OptionSetting> flags) {
  return LearnSettingsReader(model, overrides, flags).read();
}

std::vector<Diagnostic> idle_options(LearnAlgorithm algorithm,
                                     std::span<const OptionSetting> overrides,
                                     std::span<const OptionSetting> flags) {
  constexpr const char* kAlgorithm = "learn.algorithm";
  Diagnostics sink;
  for (const auto& settings : {overrides, flags}) {
    for (const OptionSetting& setting : settings) {
      const OptionInfo* option = option_catalog().find(setting.name);
      if (option == nullptr || setting.value.empty()) continue;  // unset
      if (!is_idle(*option, kAlgorithm, name_of(algorithm))) continue;
      sink.warning(
              DiagnosticCode::kIgnoredOptions,
              Span{},
              fmt::format(
                  "`{}` has no effect with the algorithm `{}`", setting.name, name_of(algorithm)))
          .notes.push_back(
              {fmt::format("it is for {}",
                           fmt::join(internal::split_names(option->used_with.values), ", ")),
               {}});
    }
  }
  return sink.take_sorted();
}

}  // namespace sorites
