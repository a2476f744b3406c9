#include "markov_infer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "metrics_report.h"
#include "peak_memory.h"
#include "table.h"

namespace sorites {
namespace {

constexpr double kSettled = 1e-2;  // marginals that change by less look the same

double sum(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

std::string weight_text(const MarkovFormula& formula) {
  if (formula.hard) return "hard";
  if (formula.weights.size() == 1) return fmt::format("{:.4g}", formula.weights[0]);
  return fmt::format("{} weights", formula.weights.size());
}

std::string formulas_table(const MarkovInferReport& report, bool color) {
  std::vector<std::vector<std::string>> rows = {
      {"#", "line", "groundings", "violated", "weight", "formula"}};
  const std::vector<MarkovFormula>& formulas = report.loaded.model.formulas;
  for (std::size_t f = 0; f < formulas.size(); ++f) {
    rows.push_back({std::to_string(f + 1),
                    formulas[f].place.line == 0 ? "" : std::to_string(formulas[f].place.line),
                    rough_count_text(report.plan.formulas[f].groundings),
                    fmt::format("{:.6g}", sum(report.violations[f])),
                    weight_text(formulas[f]),
                    formulas[f].text});
  }
  return table_text(rows, color);
}

// How often the free energy rose, by more than rounding does.
std::size_t num_rises(const std::vector<double>& free_energy) {
  constexpr double kRounding = 1e-5;
  std::size_t count = 0;
  for (std::size_t i = 1; i < free_energy.size(); ++i) {
    const double room = kRounding * (1.0 + std::abs(free_energy[i - 1]));
    if (free_energy[i] > free_energy[i - 1] + room) ++count;
  }
  return count;
}

std::string free_energy_text(const std::vector<double>& free_energy) {
  if (free_energy.empty()) return "not computed (meanfield.track_free_energy)";
  std::string text = fmt::format("{:.8g} -> {:.8g}", free_energy.front(), free_energy.back());
  const std::size_t rises = num_rises(free_energy);
  if (free_energy.size() == 1) return text;
  if (rises == 0) return text + ", never rose";
  return text + fmt::format(", ROSE in {} of {} iterations: a larger meanfield.damping steadies it",
                            rises,
                            free_energy.size() - 1);
}

std::string iterations_text(const MarkovInferReport& report) {
  return fmt::format("{} of at most {}, largest change {:.2g} in the last one",
                     report.iterations,
                     report.loaded.mean_field.iterations,
                     report.change);
}

std::string status_text(const MarkovInferReport& report) {
  if (report.status == MarkovStatus::kConverged) return "converged";
  return fmt::format("{} iteration{} done{}",
                     report.iterations,
                     report.iterations == 1 ? "" : "s",
                     report.change > kSettled
                         ? ", not settled yet: more meanfield.iterations would change the marginals"
                         : "");
}

std::string metric_lines(const MarkovInferReport& report) {
  std::string text;
  for (const EvaluationResult& result : report.metrics) {
    std::string line = report.targets.loaded.program.predicates[result.predicate].name + ":";
    for (const Metric& metric : result.metrics) {
      line += fmt::format(" {} {:.4g},", metric.name, metric.value);
    }
    line.pop_back();
    text += fmt::format(
        "{:11} {} ({} atoms)\n", text.empty() ? "metrics" : "", line, grouped(result.num_atoms));
  }
  return text;
}

std::string stages_text(const MarkovInferReport& report) {
  return fmt::format("load {:.3f} s, plan {:.3f} s, infer {:.3f} s, evaluate {:.3f} s; {:.3f} s",
                     report.load_seconds,
                     report.plan_seconds,
                     report.infer_seconds,
                     report.evaluate_seconds,
                     report.total_seconds);
}

Json formulas_to_json(const MarkovInferReport& report) {
  Json formulas = Json::array();
  for (std::size_t f = 0; f < report.loaded.model.formulas.size(); ++f) {
    const MarkovFormula& formula = report.loaded.model.formulas[f];
    const MeanFieldFormulaPlan& plan = report.plan.formulas[f];
    formulas.push_back({{"text", formula.text},
                        {"file", formula.place.file},
                        {"line", formula.place.line},
                        {"hard", formula.hard},
                        {"weights", formula.hard ? std::vector<double>{} : formula.weights},
                        {"groundings", plan.groundings},
                        {"operations", plan.operations},
                        {"violations", report.violations[f]}});
  }
  return formulas;
}

}  // namespace

std::size_t num_entities(const MarkovModel& model) {
  std::size_t count = 0;
  for (const MarkovType& type : model.types) count += type.constants.size();
  return count;
}

std::string formula_counts(const MarkovModel& model) {
  const auto hard = static_cast<std::size_t>(
      std::count_if(model.formulas.begin(), model.formulas.end(), [](const MarkovFormula& formula) {
        return formula.hard;
      }));
  return fmt::format("{}: {} weighted, {} hard",
                     grouped(model.formulas.size()),
                     grouped(model.formulas.size() - hard),
                     grouped(hard));
}

std::string warning_text(const MarkovInferReport& report) {
  if (exit_code_of(report.status) == 0) return {};
  return fmt::format("NOT CONVERGED ({}): the last of {} iterations changed a marginal by {:.2g}",
                     name_of(report.status),
                     report.iterations,
                     report.change);
}

std::string summary_text(const MarkovInferReport& report, bool color) {
  const std::string_view good = color ? "\x1b[1;32m" : "", bad = color ? "\x1b[1;31m" : "",
                         off = color ? "\x1b[0m" : "";
  const MarkovModel& model = report.loaded.model;
  std::string text = formulas_table(report, color) + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:11} {}\n", name, value);
  };
  const std::string warning = warning_text(report);
  line("status",
       fmt::format("{}{}{}",
                   warning.empty() ? good : bad,
                   warning.empty() ? status_text(report) : warning,
                   off));
  line("entities",
       fmt::format("{} of {} types", grouped(num_entities(model)), grouped(model.types.size())));
  line("atoms",
       fmt::format("{}, {} of them unknown",
                   grouped(report.plan.atoms),
                   grouped(report.plan.unknown_atoms)));
  line("formulas", formula_counts(model));
  line("groundings", count_text(report.plan.groundings));
  line("operations", rough_count_text(report.plan.operations) + " per iteration");
  line("iterations", iterations_text(report));
  line("free energy", free_energy_text(report.free_energy));
  text += metric_lines(report);
  line("time", stages_text(report));
  line("memory",
       fmt::format("{}, {} of it for the plan",
                   bytes_text(peak_memory_bytes()),
                   bytes_text(report.plan.bytes)));
  if (!report.results_directory.empty()) line("results", report.results_directory);
  return text;
}

Json to_json(const MarkovInferReport& report) {
  const MarkovModel& model = report.loaded.model;
  const std::vector<Predicate>& predicates = report.targets.loaded.program.predicates;
  return {{"command", "infer"},
          {"model", report.path},
          {"semantics", "markov-logic"},
          {"status", name_of(report.status)},
          {"entities", num_entities(model)},
          {"atoms", report.plan.atoms},
          {"unknown_atoms", report.plan.unknown_atoms},
          {"groundings", report.plan.groundings},
          {"operations", report.plan.operations},
          {"plan_memory_bytes", report.plan.bytes},
          {"iterations", report.iterations},
          {"change", report.change},
          {"free_energy", report.free_energy},
          {"free_energy_rises", num_rises(report.free_energy)},
          {"formulas", formulas_to_json(report)},
          {"metrics", metrics_to_json(report.metrics, predicates)},
          {"evaluated_atoms", evaluated_atoms_to_json(report.metrics, predicates)},
          {"diagnostics", to_json(std::span<const Diagnostic>(report.diagnostics))},
          {"seconds",
           {{"load", report.load_seconds},
            {"plan", report.plan_seconds},
            {"infer", report.infer_seconds},
            {"evaluate", report.evaluate_seconds},
            {"total", report.total_seconds}}},
          {"peak_memory_bytes", peak_memory_bytes()}};
}

}  // namespace sorites
