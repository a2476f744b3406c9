#include "learn_report.h"

#include <fmt/format.h>

#include <cmath>

#include "metrics_report.h"
#include "peak_memory.h"
#include "table.h"

namespace sorites {
namespace {

std::vector<std::size_t> terms_by_rule(const Model& model) {
  std::vector<std::size_t> terms(model.rules.size(), 0);
  for (const TermBlock& block : model.blocks) terms[block.rule] += block.num_terms;
  return terms;
}

std::string weight_text(double weight) { return fmt::format("{:.4g}", weight); }

std::string rules_table(const LearnRun& run, bool color) {
  std::vector<std::vector<std::string>> rows = {{"#", "line", "terms", "before", "after", "rule"}};
  const std::vector<std::size_t> terms = terms_by_rule(run.training->model);
  const auto& rules = run.training->loaded.program.rules;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const std::uint32_t line = rules[r].source.line;
    const bool hard = !rules[r].weight;
    rows.push_back({std::to_string(r + 1),
                    line == 0 ? "" : std::to_string(line),
                    grouped(terms[r]),
                    hard ? "hard" : weight_text(run.old_weights[r]),
                    hard               ? ""
                    : run.learnable[r] ? weight_text(run.outcome.weights[r])
                                       : "kept",
                    rules[r].text});
  }
  return table_text(rows, color);
}

// "epochs: all 500 are done", ...
std::string stop_text(const LearnRun& run) {
  if (!run.outcome.stop) return "FAILED: " + run.outcome.error;
  const auto epochs = run.outcome.history.empty() ? 0 : run.outcome.history.back().epoch;
  switch (*run.outcome.stop) {
    case LearnStop::kEpochs:
      return fmt::format("all {} epochs are done", epochs);
    case LearnStop::kMovement:
      return fmt::format("after {} epochs, the weights hardly moved any more", epochs);
    case LearnStop::kTrainingMetric:
      return fmt::format("after {} epochs, the training metric got no better", epochs);
    case LearnStop::kValidationMetric:
      return fmt::format("after {} epochs, the validation metric got no better", epochs);
    case LearnStop::kTime:
      return fmt::format("after {} epochs, the time was over", epochs);
    case LearnStop::kInterrupted:
      return fmt::format("INTERRUPTED after {} epochs; these are the best weights so far", epochs);
    case LearnStop::kSearched:
      return fmt::format("all {} points were tried", run.outcome.history.size());
    case LearnStop::kConverged:
      return fmt::format("converged after {} epochs", epochs);
  }
  return {};  // not reached: the switch is complete
}

std::string first_and_last(const std::vector<LearnEpoch>& history) {
  if (history.empty()) return "none";
  return fmt::format("{:.6g} at first, {:.6g} at last", history.front().loss, history.back().loss);
}

const LearnEpoch* epoch_named(const std::vector<LearnEpoch>& history, std::uint64_t number) {
  for (const LearnEpoch& epoch : history) {
    if (epoch.epoch == number) return &epoch;
  }
  return nullptr;
}

// The metrics of learning: at the start, and of the weights that were kept.
std::string learning_metrics(const LearnRun& run) {
  const auto& history = run.outcome.history;
  const LearnEpoch* kept = epoch_named(history, run.outcome.kept_epoch);
  const auto metric = primary_metric_of(*run.training);
  if (!metric || kept == nullptr) return {};
  std::string text;
  const auto add = [&](const char* what, std::optional<double> LearnEpoch::*value) {
    if (!(history.front().*value) || !(kept->*value)) return;
    const double sign = metric->higher_is_better ? 1.0 : -1.0;
    text += fmt::format("{}{} {} {:.4g} at first, {:.4g} in epoch {}",
                        text.empty() ? "" : "; ",
                        what,
                        metric->name,
                        sign * *(history.front().*value),
                        sign * *(kept->*value),
                        kept->epoch);
  };
  add("training", &LearnEpoch::training_metric);
  add("validation", &LearnEpoch::validation_metric);
  return text;
}

std::string evaluation_table(const LearnRun& run, bool color) {
  if (!run.learned || run.learned->metrics.empty()) return {};
  std::vector<std::vector<std::string>> rows = {
      {"predicate", "atoms", "before", "after", "metric"}};
  for (std::size_t i = 0; i < run.learned->metrics.size(); ++i) {
    const EvaluationResult& after = run.learned->metrics[i];
    for (std::size_t m = 0; m < after.metrics.size(); ++m) {
      const bool known = run.untrained && i < run.untrained->metrics.size();
      rows.push_back(
          {run.evaluation->loaded.program.predicates[after.predicate].name,
           grouped(after.num_atoms),
           known ? fmt::format("{:.4g}", run.untrained->metrics[i].metrics[m].value) : "",
           fmt::format("{:.4g}", after.metrics[m].value),
           after.metrics[m].name});
    }
  }
  return "\n" + table_text(rows, color);
}

std::string stages_text(const LearnSeconds& seconds) {
  const std::string pretrain =
      seconds.pretrain > 0.0 ? fmt::format("pretrain {:.3f} s, ", seconds.pretrain) : "";
  const std::string networks =
      seconds.networks > 0.0 ? fmt::format(", {:.3f} s in networks", seconds.networks) : "";
  return fmt::format(
      "load {:.3f} s, ground {:.3f} s, {}learn {:.3f} s ({:.3f} s of it inference{}), evaluate "
      "{:.3f} s; {:.3f} s",
      seconds.load,
      seconds.ground,
      pretrain,
      seconds.learn,
      seconds.inference,
      networks,
      seconds.evaluate,
      seconds.total);
}

std::string trained_text(const LearnRun& run) {
  if (run.outcome.num_trained == 0 || run.outcome.history.empty()) return {};
  const double seconds = run.outcome.history.back().seconds;
  const auto trained = static_cast<double>(run.outcome.num_trained);
  return fmt::format("on {} entities, {:.0f} per second",
                     grouped(run.outcome.num_trained),
                     seconds > 0.0 ? trained / seconds : 0.0);
}

std::string not_optimal_text(const LearnRun& run) {
  if (!run.learned) return {};
  const SolveStatus status = run.learned->solution.status;
  if (status == SolveStatus::kOptimal) return {};
  return fmt::format("inference with the learned weights is not optimal: {}", name_of(status));
}

Json optional_number(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json rules_to_json(const LearnRun& run) {
  Json list = Json::array();
  const std::vector<std::size_t> terms = terms_by_rule(run.training->model);
  const auto& rules = run.training->loaded.program.rules;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const bool hard = !rules[r].weight;
    list.push_back({{"text", rules[r].text},
                    {"file", rules[r].source.file},
                    {"line", rules[r].source.line},
                    {"hard", hard},
                    {"learned", static_cast<bool>(run.learnable[r])},
                    {"terms", terms[r]},
                    {"old_weight", hard ? Json(nullptr) : Json(run.old_weights[r])},
                    {"weight", hard ? Json(nullptr) : Json(run.outcome.weights[r])}});
  }
  return list;
}

Json history_to_json(const LearnRun& run) {
  Json list = Json::array();
  for (const LearnEpoch& epoch : run.outcome.history) {
    list.push_back({{"epoch", epoch.epoch},
                    {"loss", epoch.loss},
                    {"training_metric", optional_number(epoch.training_metric)},
                    {"validation_metric", optional_number(epoch.validation_metric)},
                    {"relative_gap", epoch.relative_gap},
                    {"gradient_norm", epoch.gradient_norm},
                    {"movement", epoch.movement},
                    {"seconds", epoch.seconds},
                    {"inference_seconds", epoch.inference_seconds},
                    {"network_seconds", epoch.network_seconds},
                    {"trained_entities", epoch.num_trained}});
  }
  return list;
}

Json networks_to_json(const LearnRun& run) {
  Json list = Json::array();
  for (const NetworkSummary& network : run.network_summaries) list.push_back(to_json(network));
  return list;
}

Json evaluated_to_json(const LearnRun& run, const std::optional<EvaluatedWeights>& weights) {
  if (!weights) return nullptr;
  const auto& predicates = run.evaluation->loaded.program.predicates;
  return {{"status", name_of(weights->solution.status)},
          {"relative_gap", weights->solution.relative_gap},
          {"metrics", metrics_to_json(weights->metrics, predicates)},
          {"primary_metric", primary_metric_to_json(weights->metrics, predicates)}};
}

}  // namespace

std::string summary_text(const LearnRun& run, const LearnFlags& flags, bool color) {
  std::string text = rules_table(run, color) + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{:10} {}\n", name, value);
  };
  const LearnOptions& learn = run.settings.learn;
  line(
      "method",
      fmt::format("{}, {}, {}", run.outcome.goal, name_of(learn.algorithm), name_of(learn.domain)));
  const bool failed = !run.outcome.stop || *run.outcome.stop == LearnStop::kInterrupted;
  line("end",
       fmt::format("{}{}{}",
                   color && failed ? "\x1b[1;31m" : "",
                   stop_text(run),
                   color && failed ? "\x1b[0m" : ""));
  if (!run.outcome.by_metric) line("loss", first_and_last(run.outcome.history));
  line("metrics", learning_metrics(run));
  for (const NetworkSummary& network : run.network_summaries) {
    line("network", network_text(network));
  }
  line("trained", trained_text(run));
  line("time", stages_text(run.seconds));
  line("memory", bytes_text(peak_memory_bytes()));
  const LearningFiles& files = flags.files;
  line("model", files.output.empty() ? run.settings.output : files.output);
  line("state", files.save_state);
  line("log", files.log);
  line("plot", files.plot);
  line("warning", not_optimal_text(run));
  return text + evaluation_table(run, color);
}

Json to_json(const LearnRun& run, const LearnFlags& flags) {
  const LearnOptions& learn = run.settings.learn;
  return {{"command", "learn"},
          {"model", flags.model},
          {"algorithm", name_of(learn.algorithm)},
          {"loss", to_text(learn.loss)},
          {"domain", name_of(learn.domain)},
          {"stop", run.outcome.stop ? Json(name_of(*run.outcome.stop)) : Json(nullptr)},
          {"message", run.outcome.error},
          {"kept_epoch", run.outcome.kept_epoch},
          {"rules", rules_to_json(run)},
          {"networks", networks_to_json(run)},
          {"history", history_to_json(run)},
          {"untrained", evaluated_to_json(run, run.untrained)},
          {"learned", evaluated_to_json(run, run.learned)},
          {"diagnostics", to_json(std::span<const Diagnostic>(run.diagnostics))},
          {"output", flags.files.output.empty() ? run.settings.output : flags.files.output},
          {"seconds",
           {{"load", run.seconds.load},
            {"ground", run.seconds.ground},
            {"pretrain", run.seconds.pretrain},
            {"learn", run.seconds.learn},
            {"inference", run.seconds.inference},
            {"networks", run.seconds.networks},
            {"evaluate", run.seconds.evaluate},
            {"total", run.seconds.total}}},
          {"peak_memory_bytes", peak_memory_bytes()}};
}

}  // namespace sorites
