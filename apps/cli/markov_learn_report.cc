#include <fmt/format.h>

#include <algorithm>

#include "markov_learn.h"
#include "metrics_report.h"
#include "peak_memory.h"
#include "table.h"

namespace sorites {
namespace {

std::string weights_text(const MarkovFormula& formula, const std::vector<double>& weights) {
  if (formula.hard) return "hard";
  if (weights.empty()) return "none";
  const auto [low, high] = std::minmax_element(weights.begin(), weights.end());
  if (*low == *high) return fmt::format("{:.4g}", *low);
  return fmt::format("{:.4g} .. {:.4g}", *low, *high);
}

std::string formulas_table(const MarkovLearnRun& run, bool color) {
  std::vector<std::vector<std::string>> rows = {{"#", "line", "before", "after", "formula"}};
  const std::vector<MarkovFormula>& formulas = run.loaded.model.formulas;
  for (std::size_t f = 0; f < formulas.size(); ++f) {
    const std::vector<double>& after = run.learned.weights[f];
    const bool kept = formulas[f].hard || after == formulas[f].weights;
    rows.push_back({std::to_string(f + 1),
                    formulas[f].place.line == 0 ? "" : std::to_string(formulas[f].place.line),
                    weights_text(formulas[f], formulas[f].weights),
                    kept ? "kept" : weights_text(formulas[f], after),
                    formulas[f].text});
  }
  return table_text(rows, color);
}

std::string_view status_name(const MarkovLearnRun& run) {
  if (run.learned.diverged) return "diverged";
  if (run.interrupted) return "interrupted";
  return run.out_of_time ? "time_limit" : "epochs";
}

std::string status_text(const MarkovLearnRun& run) {
  const std::size_t epochs = run.learned.epochs.size();
  if (run.learned.diverged) {
    return fmt::format(
        "FAILED after {} epochs: the loss is no number any more; this is from before", epochs);
  }
  if (run.interrupted)
    return fmt::format("INTERRUPTED after {} epochs; this is what was learned so far", epochs);
  if (run.out_of_time) return fmt::format("after {} epochs, the time was over", epochs);
  return fmt::format("all {} epochs are done", epochs);
}

std::string first_and_last(double first, double last) {
  return fmt::format("{:.4g} at first, {:.4g} at last", first, last);
}

std::string encoder_text(const MarkovLearnRun& run) {
  const std::size_t dimension = run.settings.learn.dimension;
  if (dimension == 0) return "none (markov.dimension)";
  std::size_t count = 0;
  for (const auto& unaries : run.learned.unaries) count += unaries.size();
  return fmt::format("embeddings of size {}, {} unary potentials", dimension, grouped(count));
}

// Of inference, which a folder does not hold.
std::string infer_command(const MarkovLearnRun& run) {
  const MeanFieldOptions& options = run.loaded.mean_field;
  const MeanFieldOptions usual;
  std::string text = "sorites infer " + run.output;
  if (options.iterations != usual.iterations)
    text += fmt::format(" -D meanfield.iterations={}", options.iterations);
  if (options.damping != usual.damping)
    text += fmt::format(" -D meanfield.damping={}", options.damping);
  if (options.tolerance != usual.tolerance)
    text += fmt::format(" -D meanfield.tolerance={}", options.tolerance);
  if (options.hard_weight != usual.hard_weight)
    text += fmt::format(" -D meanfield.hard_weight={}", options.hard_weight);
  if (options.centre_messages != usual.centre_messages)
    text += " -D meanfield.centre_messages=true";
  if (options.weight_scale != usual.weight_scale) {
    text += fmt::format(" -D meanfield.weight_scale={}", name_of(options.weight_scale));
  }
  return text;
}

Json formulas_to_json(const MarkovLearnRun& run) {
  Json formulas = Json::array();
  for (std::size_t f = 0; f < run.loaded.model.formulas.size(); ++f) {
    const MarkovFormula& formula = run.loaded.model.formulas[f];
    formulas.push_back({{"text", formula.text},
                        {"file", formula.place.file},
                        {"line", formula.place.line},
                        {"hard", formula.hard},
                        {"before", formula.weights},
                        {"weights", run.learned.weights[f]}});
  }
  return formulas;
}

Json epochs_to_json(const MarkovLearnRun& run) {
  Json epochs = Json::array();
  for (const MarkovEpoch& epoch : run.learned.epochs) {
    epochs.push_back({{"epoch", epoch.epoch},
                      {"loss", epoch.loss},
                      {"distillation", epoch.distillation},
                      {"seconds", epoch.seconds}});
  }
  return epochs;
}

}  // namespace

std::string learned_formulas_text(const MarkovLearnRun& run) {
  const MarkovModel model = with_weights(run.loaded.model, run.learned.weights);
  std::string text;
  for (const MarkovFormula& formula : model.formulas) text += to_text(model, formula) + "\n";
  return text;
}

std::string summary_text(const MarkovLearnRun& run, bool color) {
  const bool good = !run.learned.diverged && !run.interrupted;
  const std::string_view mark = !color ? "" : good ? "\x1b[1;32m" : "\x1b[1;31m";
  std::string text = formulas_table(run, color) + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:12} {}\n", name, value);
  };
  line("status", fmt::format("{}{}{}", mark, status_text(run), color ? "\x1b[0m" : ""));
  line("encoder", encoder_text(run));
  if (!run.learned.epochs.empty()) {
    const MarkovEpoch &first = run.learned.epochs.front(), &last = run.learned.epochs.back();
    line("loss", first_and_last(first.loss, last.loss));
    if (run.settings.learn.dimension > 0) {
      line("distillation", first_and_last(first.distillation, last.distillation));
    }
  }
  line("time",
       fmt::format("load {:.3f} s, learn {:.3f} s, evaluate {:.3f} s; {:.3f} s",
                   run.load_seconds,
                   run.learn_seconds,
                   run.evaluate_seconds,
                   run.total_seconds));
  line("memory", bytes_text(peak_memory_bytes()));
  if (!run.output.empty()) {
    line("written", run.output);
    line("use it by", infer_command(run));
  }
  if (!run.metrics.empty()) text += "\n" + metrics_text(run.metrics, run.predicates, color);
  return text;
}

Json to_json(const MarkovLearnRun& run) {
  return {{"command", "learn"},
          {"model", run.path},
          {"semantics", "markov-logic"},
          {"status", status_name(run)},
          {"dimension", run.settings.learn.dimension},
          {"seed", run.settings.learn.seed},
          {"formulas", formulas_to_json(run)},
          {"epochs", epochs_to_json(run)},
          {"output", run.output},
          {"metrics", metrics_to_json(run.metrics, run.predicates)},
          {"evaluated_atoms", evaluated_atoms_to_json(run.metrics, run.predicates)},
          {"diagnostics", to_json(std::span<const Diagnostic>(run.diagnostics))},
          {"seconds",
           {{"load", run.load_seconds},
            {"learn", run.learn_seconds},
            {"evaluate", run.evaluate_seconds},
            {"total", run.total_seconds}}},
          {"peak_memory_bytes", peak_memory_bytes()}};
}

}  // namespace sorites
