#include "learn_report.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/peak_memory.h"
#include "base/shown_text.h"
#include "hinge/model/rule_numbers.h"
#include "infer_report.h"
#include "metrics_report.h"
#include "report/learn_json.h"
#include "report/learn_warnings.h"
#include "rule_names.h"
#include "table.h"

namespace sorites {
namespace {

std::string weight_text(double weight) { return fmt::format("{:.4g}", weight); }

// A rule with weights per constant has several: the first of them stand for it.
std::string weights_text(const LearnReport& report,
                         std::size_t rule,
                         const std::vector<double>& all) {
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (report.rule_of_weight[i] == rule && count++ == 0) text = weight_text(all[i]);
  }
  return count > 1 ? fmt::format("{} ... ({})", text, grouped(count)) : text;
}

std::string rules_table(const LearnReport& report, bool color) {
  std::vector<std::vector<std::string>> rows = {{"#", "line", "terms", "before", "after", "rule"}};
  const std::vector<std::uint32_t> numbers = rule_numbers(report.rules);
  for (std::size_t r = 0; r < report.rules.size(); ++r) {
    const GroundRule& rule = report.rules[r];
    rows.push_back({std::to_string(numbers[r]),
                    line_of(rule),
                    count_text(report.terms[r]),
                    rule.hard ? "hard" : weights_text(report, r, report.old_weights),
                    rule.hard               ? ""
                    : is_learned(report, r) ? weights_text(report, r, report.weights)
                                            : "kept",
                    rule.text});
  }
  return table_text(rows, color);
}

// "epochs: all 500 are done", ...
std::string stop_text(const LearnReport& report) {
  if (!report.stop) return "FAILED: " + report.error;
  const auto epochs = report.history.empty() ? 0 : report.history.back().epoch;
  switch (*report.stop) {
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
      return fmt::format("all {} points were tried", report.history.size());
    case LearnStop::kConverged:
      return fmt::format("converged after {} epochs", epochs);
  }
  return {};  // not reached: the switch is complete
}

std::string first_and_last(const std::vector<LearnEpoch>& history) {
  if (history.empty()) return "none";
  return fmt::format("{:.6g} at first, {:.6g} at last", history.front().loss, history.back().loss);
}

// That networks were stuck, and began anew.
std::string starts_text(const std::vector<LearnEpoch>& history) {
  std::string text;
  for (std::size_t e = 1; e < history.size(); ++e) {
    if (history[e].start == history[e - 1].start) continue;
    text += fmt::format("{}start {} was stuck at a loss of {:.6g} in epoch {}",
                        text.empty() ? "" : "; ",
                        history[e].start,
                        history[e - 1].loss,
                        history[e - 1].epoch);
  }
  return text.empty() ? text : text + "; networks began anew";
}

// What the bilevel algorithm has done to its constraints.
std::string constraints_text(const std::vector<LearnEpoch>& history) {
  if (history.empty() || !history.front().bilevel || !history.back().bilevel) return {};
  const BilevelEpoch &first = *history.front().bilevel, &last = *history.back().bilevel;
  return fmt::format(
      "iota {:.3g} to {:.3g}, mu {:.3g} to {:.3g}, lambda {:.3g} to {:.3g}; violated by {:.3g} at "
      "last, {:.0f} % active",
      first.relaxation,
      last.relaxation,
      first.squared_penalty,
      last.squared_penalty,
      first.linear_penalty,
      last.linear_penalty,
      last.violation,
      100.0 * last.active);
}

const LearnEpoch* epoch_named(const std::vector<LearnEpoch>& history, std::uint64_t number) {
  for (const LearnEpoch& epoch : history) {
    if (epoch.epoch == number) return &epoch;
  }
  return nullptr;
}

// The metrics of learning: at the start, and of the weights that were kept.
std::string learning_metrics(const LearnReport& report) {
  const auto& history = report.history;
  const LearnEpoch* kept = epoch_named(history, report.kept_epoch);
  const auto metric = report.metric;
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

// As the commands take it: the facts of an .mln file are in a file of their own.
std::string model_text(const std::string& output) {
  const std::filesystem::path path(output);
  if (path.extension() != ".mln") return output;
  return fmt::format(
      "{} --data {}", output, std::filesystem::path(path).replace_extension(".db").string());
}

std::string evaluation_table(const LearnReport& report, bool color) {
  if (!report.trained || report.trained->metrics.empty()) return {};
  std::vector<std::vector<std::string>> rows = {
      {"predicate", "atoms", "before", "after", "metric"}};
  for (std::size_t i = 0; i < report.trained->metrics.size(); ++i) {
    const EvaluationResult& after = report.trained->metrics[i];
    for (std::size_t m = 0; m < after.metrics.size(); ++m) {
      const bool known = report.untrained && i < report.untrained->metrics.size();
      rows.push_back(
          {report.predicates[after.predicate].name,
           grouped(after.num_atoms),
           known ? fmt::format("{:.4g}", report.untrained->metrics[i].metrics[m].value) : "",
           fmt::format("{:.4g}", after.metrics[m].value),
           after.metrics[m].name});
    }
  }
  return "\n" + table_text(rows, color);
}

std::string stages_text(const LearnReport& report) {
  const StageSeconds& seconds = report.seconds;
  const std::string pretrain = report.pretrain_seconds > 0.0
                                   ? fmt::format("pretrain {:.3f} s, ", report.pretrain_seconds)
                                   : "";
  const std::string networks = report.network_seconds > 0.0
                                   ? fmt::format(", {:.3f} s in networks", report.network_seconds)
                                   : "";
  return fmt::format(
      "load {:.3f} s, ground {:.3f} s, {}learn {:.3f} s ({:.3f} s of it inference{}), evaluate "
      "{:.3f} s; {:.3f} s",
      seconds.load,
      seconds.ground,
      pretrain,
      seconds.learn,
      report.inference_seconds,
      networks,
      seconds.evaluate,
      seconds.total);
}

std::string trained_text(const LearnReport& report) {
  if (report.num_trained == 0 || report.history.empty()) return {};
  const double seconds = report.history.back().seconds;
  const auto trained = static_cast<double>(report.num_trained);
  return fmt::format("on {} entities, {:.0f} per second",
                     grouped(report.num_trained),
                     seconds > 0.0 ? trained / seconds : 0.0);
}

std::string not_optimal_text(const LearnReport& report) {
  if (!report.trained || report.trained->status <= SolveStatus::kSkipped) return {};
  return fmt::format("inference with the learned weights is not optimal: {}",
                     name_of(report.trained->status));
}

}  // namespace

std::string summary_text(const LearnReport& report, const LearnFlags& flags, bool color) {
  std::string text = rules_table(report, color) + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{:10} {}\n", name, shown_text(value));
  };
  line("method", report.method);
  const bool failed = !report.stop || *report.stop == LearnStop::kInterrupted;
  text += fmt::format("{:10} {}{}{}\n",
                      "end",
                      color && failed ? "\x1b[1;31m" : "",
                      shown_text(stop_text(report)),
                      color && failed ? "\x1b[0m" : "");
  if (!report.by_metric) line("loss", first_and_last(report.history));
  line("starts", starts_text(report.history));
  line("constraint", constraints_text(report.history));
  line("metrics", learning_metrics(report));
  line("kept", kept_text(report));
  for (const NetworkSummary& network : report.networks) line("network", network_text(network));
  line("trained", trained_text(report));
  line("time", stages_text(report));
  line("memory", bytes_text(peak_memory_bytes()));
  line("model", model_text(report.output));
  line("state", flags.files.save_state);
  line("log", flags.files.log);
  line("plot", flags.files.plot);
  line("warning", not_optimal_text(report));
  for (const std::string& warning : learning_warnings(report)) line("warning", warning);
  return text + evaluation_table(report, color);
}

}  // namespace sorites
