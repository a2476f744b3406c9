#include "session/learn_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/constant.h"
#include "modelfile/bounded_options.h"
#include "perception/model_networks.h"
#include "session/inference_settings.h"

namespace sorites {
namespace {

constexpr std::uint64_t kNetworkBatch = 32;  // components per step, where there are networks
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The table takes choices in any case, and class names with their package.
std::string plain_name(std::string text) {
  text.erase(0, text.rfind('.') + 1);
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

bool is_named(const std::string& text, std::string_view name) {
  return plain_name(text) == plain_name(std::string(name));
}

// PSL's methods, each a loss and an algorithm, and two of ours that PSL cannot do.
struct Method {
  std::string_view name;
  LearnAlgorithm algorithm;
  LossMix loss;
};
constexpr LossMix kPerceptron = {.structured_perceptron = 1.0};
constexpr LossMix kSquaredError = {.squared_error = 1.0};
constexpr LossMix kCrossEntropy = {.cross_entropy = 1.0};
constexpr Method kMethods[] = {
    {"StructuredPerceptron", LearnAlgorithm::kGradient, kPerceptron},
    {"Energy", LearnAlgorithm::kGradient, {.energy = 1.0}},
    {"SquaredError", LearnAlgorithm::kBilevel, kSquaredError},
    {"BinaryCrossEntropy", LearnAlgorithm::kBilevel, kCrossEntropy},
    {"OnlineSquaredError", LearnAlgorithm::kBilevel, kSquaredError},
    {"OnlineBinaryCrossEntropy", LearnAlgorithm::kBilevel, kCrossEntropy},
    {"ImplicitSquaredError", LearnAlgorithm::kGradient, kSquaredError},
    {"ImplicitBinaryCrossEntropy", LearnAlgorithm::kGradient, kCrossEntropy},
    {"GridSearch", LearnAlgorithm::kGridSearch, kSquaredError},
    {"RandomGridSearch", LearnAlgorithm::kRandomGrid, kSquaredError},
    {"ContinuousRandomGridSearch", LearnAlgorithm::kRandomSearch, kSquaredError},
    {"GuidedRandomGridSearch", LearnAlgorithm::kGuidedSearch, kSquaredError},
    {"Hyperband", LearnAlgorithm::kHyperband, kSquaredError},
    {"GaussianProcessPrior", LearnAlgorithm::kGaussianProcess, kSquaredError},
};

class Reader : private BoundedOptions {
 public:
  explicit Reader(const ModelFile& model,
                  std::span<const OptionSetting> overrides,
                  std::span<const OptionSetting> flags)
      : BoundedOptions(model, Phase::kLearn, overrides, flags) {}

  LearnSettings read() {
    settings_.energy.solve = inference_settings(options()).solve;
    method();
    weights();
    steps();
    regularizers();
    ends();
    bilevel();
    search();
    inference();
    settings_.output = text("runtime.learn.output.model.path");
    throw_if_wrong();
    return settings_;
  }

 private:
  void method() {
    LearnOptions& learn = settings_.learn;
    const std::string& name = text("runtime.learn.method");
    for (const Method& method : kMethods) {
      if (!is_named(name, method.name)) continue;
      learn.algorithm = method.algorithm;
      learn.loss = method.loss;
    }
    const bool chosen_here = !text("learn.algorithm").empty() || !text("learn.loss").empty();
    if (is_named(name, "PolicyGradientEvaluation") && !chosen_here) {
      wrong("runtime.learn.method", "`PolicyGradientEvaluation` learns networks, not rule weights")
          .notes.push_back(
              {"`StructuredPerceptron` or `SquaredError` learn the weights of rules", {}});
    }
    if (const auto algorithm = learn_algorithm_named(plain_name(text("learn.algorithm")))) {
      learn.algorithm = *algorithm;
      if (*algorithm == LearnAlgorithm::kBilevel && !learn.loss.has_minimiser_based()) {
        learn.loss = kSquaredError;
      }
    }
    loss();
  }

  void loss() {
    LearnOptions& learn = settings_.learn;
    if (text("learn.loss").empty()) return;
    try {
      learn.loss = loss_from_text(text("learn.loss"));
    } catch (const std::invalid_argument& error) {
      wrong("learn.loss", fmt::format("`learn.loss`: {}", error.what()));
      return;
    }
    if (learn.algorithm == LearnAlgorithm::kBilevel && !learn.loss.has_minimiser_based()) {
      wrong("learn.loss", "the bilevel algorithm needs a loss of the inferred values")
          .notes.push_back(
              {"add squared_error or cross_entropy to the loss, or take the algorithm `gradient`",
               {}});
    }
  }

  void weights() {
    LearnOptions& learn = settings_.learn;
    const std::string& update = text("gradientdescent.symbolicweightupdate");
    if (is_named(update, "MIRROR_DESCENT")) learn.domain = WeightDomain::kMirrorSimplex;
    if (is_named(update, "PROJECTED_GRADIENT")) learn.domain = WeightDomain::kProjectedSimplex;
    if (is_named(update, "GRADIENT_DESCENT")) learn.domain = WeightDomain::kNonNegative;
    learn.domain = weight_domain_named(plain_name(text("learn.domain"))).value_or(learn.domain);
    flag("weightlearning.randomweights", "learn.random_weights", settings_.random_weights);
    settings_.weights = is_set("gradientdescent.symbolicweightlearning");
    flag("gradientdescent.symbolicweightlearning", "learn.weights", settings_.weights);
    const std::string name = chosen("gradientdescent.symbolicweightlearning", "learn.weights");
    if (settings_.weights || has_networks(model())) return;
    wrong(name, fmt::format("nothing is left to learn: `{}` is false", name))
        .notes.push_back(
            {"the weights of rules are all that is learned in a model without networks; leave the "
             "option out",
             {}});
  }

  void steps() {
    LearnOptions& learn = settings_.learn;
    real("gradientdescent.stepsize", "learn.step_size", Bound::kPositive, learn.step_size);
    learn.schedule =
        is_set("gradientdescent.scalestepsize") ? StepSchedule::kInverse : StepSchedule::kConstant;
    learn.schedule =
        step_schedule_named(plain_name(text("learn.schedule"))).value_or(learn.schedule);
    batches();
    clipping();
    real(
        "learn.max_gradient", "learn.max_gradient", Bound::kPositiveOrInfinite, learn.max_gradient);
    real("learn.max_gradient_norm",
         "learn.max_gradient_norm",
         Bound::kPositiveOrInfinite,
         learn.max_gradient_norm);
  }

  void batches() {
    if (is_named(text("gradientdescent.batchgenerator"), "ConnectedComponentBatchGenerator")) {
      constexpr const char* kSize = "connectedcomponents.batchsize";
      count(kSize, kSize, 1, settings_.batch_components);
    }
    const bool whole_set = is_given("gradientdescent.batchgenerator") &&
                           is_named(text("gradientdescent.batchgenerator"), "FullBatchGenerator");
    if (settings_.batch_components == 0 && has_networks(model()) && !whole_set) {
      settings_.batch_components = kNetworkBatch;
    }
    count("learn.batch_components", "learn.batch_components", 0, settings_.batch_components);
    // Networks learn better from batches that are drawn anew in every epoch.
    const bool drawn = has_networks(model()) && settings_.batch_components > 0;
    settings_.components_per_sample = drawn ? 1 : settings_.batch_components;
    settings_.learn.samples_per_step = drawn                            ? settings_.batch_components
                                       : settings_.batch_components > 0 ? 1
                                                                        : 0;
    if (drawn) settings_.learn.threads = settings_.energy.solve.threads;
    count("learn.network_epochs", "learn.network_epochs", 0, settings_.learn.network_epochs);
  }

  // PSL has one limit, and the norm that it is for.
  void clipping() {
    LearnOptions& learn = settings_.learn;
    constexpr const char* kLimit = "gradientdescent.maxgradientmagnitude";
    constexpr const char* kNorm = "gradientdescent.maxgradientnorm";
    learn.max_gradient = learn.max_gradient_norm = kInfinity;
    if (!is_set("gradientdescent.clipweightgradient")) return;
    const double norm = parse_real(text(kNorm)).value_or(kInfinity);
    if (norm != 2.0 && std::isfinite(norm)) return takes(kNorm, "2 or inf");
    real(kLimit,
         kLimit,
         Bound::kPositiveOrInfinite,
         norm == 2.0 ? learn.max_gradient_norm : learn.max_gradient);
  }

  void regularizers() {
    WeightRegularizers& regularizers = settings_.learn.regularizers;
    real("gradientdescent.negativelogregularization",
         "learn.negative_log",
         Bound::kNotNegative,
         regularizers.negative_log);
    real(
        "learn.relative_log", "learn.relative_log", Bound::kNotNegative, regularizers.relative_log);
    real("gradientdescent.negativeentropyregularization",
         "learn.entropy",
         Bound::kNotNegative,
         regularizers.entropy);
    real("gradientdescent.l2regularization", "learn.l2", Bound::kNotNegative, regularizers.l2);
  }

  void ends() {
    LearnOptions& learn = settings_.learn;
    count("gradientdescent.numsteps", "learn.max_epochs", 0, learn.max_epochs);
    count("gradientdescent.stopcomputeperiod", "learn.movement_period", 1, learn.movement_period);
    metric_period();
    const bool all_epochs = is_set("gradientdescent.runfulliterations");
    learn.movement_tolerance = 0.0;
    if (is_set("gradientdescent.movementbreak") && !all_epochs) {
      constexpr const char* kTolerance = "gradientdescent.movementtolerance";
      real(kTolerance, kTolerance, Bound::kNotNegative, learn.movement_tolerance);
    }
    constexpr const char* kOwnTolerance = "learn.movement_tolerance";
    real(kOwnTolerance, kOwnTolerance, Bound::kNotNegative, learn.movement_tolerance);
    if (is_set("gradientdescent.trainingevaluationbreak") && !all_epochs) {
      constexpr const char* kPatience = "gradientdescent.trainingevaluationpatience";
      count(kPatience, kPatience, 1, learn.training_patience);
    }
    if (is_set("gradientdescent.validationbreak") && !all_epochs) {
      constexpr const char* kPatience = "gradientdescent.validationpatience";
      count(kPatience, kPatience, 1, learn.validation_patience);
    }
    count("learn.patience",
          "learn.patience",
          0,
          has_validation() ? learn.validation_patience : learn.training_patience);
    flag("gradientdescent.savevalidationweights", "learn.keep_best", learn.keep_best);
    time_limit();
  }

  bool has_validation() const {
    const std::vector<Phase> phases = phases_of(model(), overrides());
    return std::find(phases.begin(), phases.end(), Phase::kValidation) != phases.end();
  }

  void metric_period() {
    std::uint64_t& period = settings_.learn.metric_period;
    std::uint64_t validation = period;
    count("gradientdescent.trainingcomputeperiod", "learn.metric_period", 1, period);
    count("gradientdescent.validationcomputeperiod", "learn.metric_period", 1, validation);
    period = std::min(period, validation);
  }

  void time_limit() {
    const std::string& timeout = text("weightlearning.timeout");
    if (!timeout.starts_with('-')) {  // negative: never
      constexpr const char* kTimeout = "weightlearning.timeout";
      real(kTimeout, kTimeout, Bound::kPositiveOrInfinite, settings_.learn.time_limit_seconds);
    }
    constexpr const char* kLimit = "learn.time_limit";
    real(kLimit, kLimit, Bound::kPositiveOrInfinite, settings_.learn.time_limit_seconds);
    settings_.energy.solve.time_limit_seconds = settings_.learn.time_limit_seconds;
  }

  void bilevel() {
    BilevelOptions& bilevel = settings_.learn.bilevel;
    real(
        "minimizer.proxruleweight", "learn.bilevel.proximity", Bound::kPositive, bilevel.proximity);
    real("minimizer.energylosscoefficient",
         "learn.bilevel.energy_loss",
         Bound::kNotNegative,
         bilevel.energy_loss);
    real("minimizer.initiallinearpenalty",
         "learn.bilevel.linear_penalty",
         Bound::kNotNegative,
         bilevel.linear_penalty);
    real("minimizer.initialsquaredpenalty",
         "learn.bilevel.squared_penalty",
         Bound::kPositive,
         bilevel.squared_penalty);
    real("minimizer.squaredpenaltyincreaserate",
         "learn.bilevel.penalty_growth",
         Bound::kAtLeastOne,
         bilevel.penalty_growth);
    count("minimizer.numinternaliterations",
          "learn.bilevel.max_inner_epochs",
          1,
          bilevel.max_inner_epochs);
    real("minimizer.proxvaluestepsize",
         "learn.bilevel.state_step",
         Bound::kPositive,
         bilevel.state_step);
    real("minimizer.objectivedifferencetolerance",
         "learn.bilevel.constraint_tolerance",
         Bound::kNotNegative,
         bilevel.constraint_tolerance);
    real("minimizer.finalparametermovementconvergencetolerance",
         "learn.bilevel.movement_tolerance",
         Bound::kNotNegative,
         bilevel.movement_tolerance);
  }

  void search() {
    SearchOptions& search = settings_.learn.search;
    grid();
    max_points();
    flag("search.dirichlet", "learn.search.dirichlet", search.dirichlet);
    real("search.dirichletalpha",
         "learn.search.dirichlet_alpha",
         Bound::kPositive,
         search.dirichlet_alpha);
    count("guidedrandomgridsearch.seedlocations",
          "learn.search.guided_seeds",
          1,
          search.guided_seeds);
    count("guidedrandomgridsearch.explorelocations",
          "learn.search.guided_explored",
          0,
          search.guided_explored);
    count("hyperband.basebracketsize", "learn.search.hyperband_base", 1, search.hyperband_base);
    count("hyperband.numbrackets", "learn.search.hyperband_brackets", 1, search.hyperband_brackets);
    count("hyperband.survival", "learn.search.hyperband_survival", 2, search.hyperband_survival);
    count("gpp.maxconfigs", "learn.search.gp_candidates", 1, search.gp_candidates);
    real("gpp.explore", "learn.search.gp_explore", Bound::kNotNegative, search.gp_explore);
    double dependence = 1.0 / search.gp_scale;
    real("gppker.reldep", "gppker.reldep", Bound::kPositive, dependence);
    search.gp_scale = 1.0 / dependence;
    real("learn.search.gp_scale", "learn.search.gp_scale", Bound::kPositive, search.gp_scale);
  }

  void grid() {
    const std::string name = chosen("gridsearch.weights", "learn.search.grid");
    std::vector<double> weights;
    std::string_view rest = text(name);
    while (true) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      const auto weight = parse_real(rest.substr(0, end));
      if (!weight || !is_within(*weight, Bound::kNotNegative)) {
        return takes(name, "weights that are not negative, separated by colons");
      }
      weights.push_back(*weight);
      if (end == rest.size()) break;
      rest.remove_prefix(end + 1);
    }
    settings_.learn.search.grid = std::move(weights);
  }

  // PSL has a limit per search.
  void max_points() {
    const auto limit = [&](const char* psl) {
      count(psl, "learn.search.max_points", 0, settings_.learn.search.max_points);
    };
    switch (settings_.learn.algorithm) {
      case LearnAlgorithm::kRandomGrid:
        return limit("randomgridsearch.maxlocations");
      case LearnAlgorithm::kRandomSearch:
        return limit("continuousrandomgridsearch.maxlocations");
      case LearnAlgorithm::kGaussianProcess:
        return limit("gpp.maxiterations");
      case LearnAlgorithm::kGradient:
      case LearnAlgorithm::kBilevel:
      case LearnAlgorithm::kGridSearch:
      case LearnAlgorithm::kGuidedSearch:
      case LearnAlgorithm::kHyperband:
        return limit("learn.search.max_points");
    }
  }

  void inference() {
    SolveOptions& solve = settings_.energy.solve;
    settings_.learn.seed = solve.seed;
    solve.solver = solver_named(plain_name(text("learn.solver"))).value_or(solve.solver);
    real("learn.gap", "learn.gap", Bound::kNotNegative, solve.gap);
    flag("learn.warm_start", "learn.warm_start", settings_.energy.warm_start);
    real("learn.smoothing", "learn.smoothing", Bound::kPositive, settings_.energy.smoothing);
  }

  LearnSettings settings_;
};

}  // namespace

bool is_search(LearnAlgorithm algorithm) {
  return algorithm != LearnAlgorithm::kGradient && algorithm != LearnAlgorithm::kBilevel;
}

LearnSettings learn_settings(const ModelFile& model,
                             std::span<const OptionSetting> overrides,
                             std::span<const OptionSetting> flags) {
  return Reader(model, overrides, flags).read();
}

}  // namespace sorites
