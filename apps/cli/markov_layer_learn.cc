#include "markov_layer_learn.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "base/whole_file.h"
#include "exit_code.h"
#include "markov_commands.h"
#include "metrics_report.h"
#include "modelfile/markov_kind.h"
#include "output.h"
#include "session/learned_networks.h"
#include "session/learning_plot.h"
#include "session/markov_loader.h"
#include "session/markov_networks.h"
#include "session/markov_targets.h"
#include "session/training_log.h"
#include "sorites/evaluate.h"
#include "terminal.h"

namespace sorites {
namespace {

using Clock = std::chrono::steady_clock;

// What learning did, for the report.
struct LayerRun {
  std::vector<NetworkSummary> networks;
  std::vector<LearnEpoch> history;
  LearnStop stop = LearnStop::kEpochs;
  MarkovModel learned;  // with the data of inference, and what the networks say about it
  std::vector<Predicate> predicates;
  std::vector<EvaluationResult> metrics;
  std::string output;
  double seconds = 0.0;
};

void refuse_flags_of_solvers(const LearnFlags& flags) {
  refuse_flags(flags,
               {{"--solver", is_set(flags, "learn.solver")},
                {"--gap", is_set(flags, "learn.gap")},
                {"--no-eval", flags.no_eval},
                {"--save-state", !flags.files.save_state.empty()},
                {"--resume", !flags.files.resume.empty()}});
}

LearnOptions learn_options(const LearnFlags& flags, const LoadedMarkovModel& training) {
  const auto overrides = option_settings(flags);
  LearnOptions options = learn_settings(training.file, overrides, flag_options(flags)).learn;
  const auto chosen = training.options.find("learn.loss");
  const bool by_file = chosen != training.options.end() && !chosen->second.empty();
  if (!by_file && !is_set(flags, "learn.loss")) options.loss = {.cross_entropy = 1.0};
  return options;
}

void train(const LearnFlags& flags,
           const RunContext& context,
           LoadedMarkovModel& training,
           MarkovNetworks& networks,
           const MeanFieldOptions& inference,
           LayerRun& run) {
  ProgressLine progress("learning", !flags.quiet && !flags.json);
  LearnOptions options = learn_options(flags, training);
  options.stop = context.stop;
  std::optional<TrainingLog> log;
  if (!flags.files.log.empty()) log.emplace(flags.files.log, 0, run.history, true);
  const LearnResult result =
      learn_markov_networks(training, networks, inference, options, [&](const LearnEpoch& epoch) {
        run.history.push_back(epoch);
        if (log) log->add(epoch, {});
        const double per_epoch =
            epoch.epoch == 0 ? 0.0 : epoch.seconds / static_cast<double>(epoch.epoch);
        progress.update(fmt::format(
            "epoch {} of {}, loss {:.4g}, {} left",
            epoch.epoch,
            options.max_epochs,
            epoch.loss,
            duration_text(per_epoch * static_cast<double>(options.max_epochs - epoch.epoch))));
      });
  run.stop = result.stop;
  if (flags.files.plot.empty()) return;
  LearningPlot plot;
  plot.title = fmt::format("{}: {}", flags.model, to_text(options.loss));
  plot.history = run.history;
  plot.kept_epoch = result.state.best_metric ? result.state.best_epoch : run.history.size() - 1;
  write_whole_file(flags.files.plot, learning_plot_svg(plot));
}

// The model on the data of inference, with what was learned.
void apply(const LearnFlags& flags,
           const LoadedMarkovModel& training,
           MarkovNetworks& networks,
           const MeanFieldOptions& inference,
           LayerRun& run) {
  LoadedMarkovModel target = load_markov_model(flags.model, Phase::kInfer, option_settings(flags));
  for (std::size_t f = 0; f < target.model.formulas.size() && f < training.model.formulas.size();
       ++f) {
    const MarkovFormula& learned = training.model.formulas[f];
    MarkovFormula& formula = target.model.formulas[f];
    if (formula.text == learned.text && formula.weights.size() == learned.weights.size()) {
      formula.weights = learned.weights;
    }
  }
  use_data_of(target, Phase::kInfer, networks);
  add_network_unaries(target.file, networks, target.model);
  LoadedMarkov loaded{.model = target.model};
  for (const auto& declaration : target.file.predicates) {
    loaded.evaluations.push_back(declaration.evaluations);
  }
  loaded.evaluations.resize(target.model.predicates.size());
  loaded.options = target.options;
  const MarkovTargets targets = markov_targets(loaded, TargetChoice::kQueries);
  MeanField layer(target.model, inference);
  const auto marginals = layer.infer(unaries_of<float>(target.model)).marginals;
  run.metrics = evaluate_model(
      targets.loaded, targets.ranges, target_values(target.model, targets, marginals), nullptr);
  run.predicates = targets.loaded.program.predicates;
  run.learned = std::move(target.model);
}

void write(const std::string& folder, const MarkovNetworks& networks, LayerRun& run) {
  if (folder.empty()) return;
  write_markov(run.learned, folder);
  write_networks(networks.networks, (std::filesystem::path(folder) / "network.json").string());
  run.output = folder;
}

void present(const LearnFlags& flags, const LayerRun& run) {
  const double first = run.history.empty() ? 0.0 : run.history.front().loss;
  const double last = run.history.empty() ? 0.0 : run.history.back().loss;
  if (flags.json) {
    Json networks = Json::array(), formulas = Json::array();
    for (const NetworkSummary& network : run.networks) networks.push_back(to_json(network));
    for (const MarkovFormula& formula : run.learned.formulas) {
      formulas.push_back({{"text", formula.text}, {"weights", formula.weights}});
    }
    return print_json(Json{{"command", "learn"},
                           {"model", flags.model},
                           {"semantics", "markov-logic"},
                           {"stop", name_of(run.stop)},
                           {"epochs", run.history.size()},
                           {"first_loss", first},
                           {"loss", last},
                           {"networks", networks},
                           {"formulas", formulas},
                           {"metrics", metrics_to_json(run.metrics, run.predicates)},
                           {"output", run.output},
                           {"seconds", run.seconds}});
  }
  for (const MarkovFormula& formula : run.learned.formulas) {
    fmt::print("{}\n", to_text(run.learned, formula));
  }
  if (flags.quiet) return;
  fmt::print("\n");
  for (const NetworkSummary& network : run.networks)
    fmt::print("network     {}\n", network_text(network));
  fmt::print("stopped by  {}, after {} epochs\n", name_of(run.stop), run.history.size());
  fmt::print("loss        {:.4g} at first, {:.4g} at last\n", first, last);
  if (!run.output.empty()) fmt::print("output      {}\n", run.output);
  fmt::print("time        {:.3f} s\n\n{}",
             run.seconds,
             metrics_text(run.metrics, run.predicates, use_color(flags.color, stdout)));
}

}  // namespace

bool has_logic_layer(const LearnFlags& flags) {
  return is_markov_model_file(flags.model) &&
         has_networks(load_markov_model(flags.model, Phase::kLearn, option_settings(flags)).file);
}

int learn_logic_layer(const LearnFlags& flags, const RunContext& context) {
  const auto start = Clock::now();
  refuse_flags_of_solvers(flags);
  LearningFiles files = flags.files;
  files.output.clear();  // a folder
  check_files(files);
  LayerRun run;
  const auto overrides = option_settings(flags);
  LoadedMarkovModel training = load_markov_model(flags.model, Phase::kLearn, overrides);
  std::vector<Diagnostic> warnings = training.warnings;
  MarkovNetworks networks =
      make_markov_networks(training, Phase::kLearn, flags.seed, false, warnings);
  print_diagnostics(warnings, flags);
  run.networks = summarise(networks.networks, networks.networks.inputs);
  MeanFieldOptions inference =
      load_markov(flags.model, flags.data, overrides, {}, {.phase = Phase::kLearn}).mean_field;
  inference.track_free_energy = false;
  train(flags, context, training, networks, inference, run);
  apply(flags, training, networks, inference, run);
  write(flags.files.output, networks, run);
  run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  present(flags, run);
  return run.stop == LearnStop::kInterrupted ? kRunFailed : kDone;
}

}  // namespace sorites
