#include "infer_report.h"

#include <fmt/format.h>

#include <cmath>

#include "metrics_report.h"
#include "peak_memory.h"
#include "table.h"

namespace sorites {
namespace {

std::string place_of(const GroundRule& rule) {
  return rule.source.line == 0 ? "" : std::to_string(rule.source.line);
}

std::string rules_table(const InferReport& report, bool color) {
  std::vector<std::vector<std::string>> rows = {
      {"#", "line", "terms", "satisfied", "energy", "rule"}};
  for (std::size_t r = 0; r < report.rules.size(); ++r) {
    const RuleStatistics& statistics = report.rules[r];
    const GroundRule& rule = report.model.rules[r];
    rows.push_back({std::to_string(r + 1),
                    place_of(rule),
                    grouped(statistics.terms),
                    grouped(statistics.satisfied),
                    rule.hard ? "hard" : fmt::format("{:.6g}", statistics.energy),
                    rule.text});
  }
  return table_text(rows, color);
}

std::string objective_text(const InferReport& report) {
  const double objective = report.solved.solution.objective;
  const double scale = report.solved.parameters.weight_scale;
  std::string text = fmt::format("{:.6g}", objective);
  if (scale != 1.0) {
    text += fmt::format(" with weights divided by the largest, {:.6g} with those as written",
                        objective * scale);
  }
  return text;
}

std::string bound_text(const Solution& solution) {
  if (!std::isfinite(solution.lower_bound)) return "none";
  return fmt::format("{:.6g} (relative gap {:.1e})", solution.lower_bound, solution.relative_gap);
}

std::string presolve_text(const InferReport& report) {
  const PresolveSummary& presolve = report.solved.solution.presolve;
  std::string text = fmt::format("{} terms over {} atoms become {} over {}",
                                 grouped(report.model.num_terms()),
                                 grouped(report.model.num_atoms),
                                 grouped(presolve.rows),
                                 grouped(presolve.variables));
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) text += fmt::format("; {} {}", grouped(count), what);
  };
  add(presolve.folded_terms, "folded");
  add(presolve.merged_terms, "merged");
  add(presolve.aliased_atoms, "atoms equal to others");
  add(presolve.fixed_atoms, "fixed");
  add(presolve.idle_atoms, "in no term");
  add(presolve.groups, "sums");
  return text;
}

std::string stages_text(const StageSeconds& seconds) {
  const std::string networks =
      seconds.networks > 0.0 ? fmt::format("networks {:.3f} s, ", seconds.networks) : "";
  return fmt::format(
      "load {:.3f} s, ground {:.3f} s, {}solve {:.3f} s, evaluate {:.3f} s; {:.3f} s",
      seconds.load,
      seconds.ground,
      networks,
      seconds.solve,
      seconds.evaluate,
      seconds.total);
}

std::string metric_lines(const InferReport& report) {
  std::string text;
  for (const EvaluationResult& result : report.metrics) {
    std::string line = report.loaded.program.predicates[result.predicate].name + ":";
    for (const Metric& metric : result.metrics) {
      line += fmt::format(" {} {:.4g},", metric.name, metric.value);
    }
    line.pop_back();
    text += fmt::format(
        "{:10} {} ({} atoms)\n", text.empty() ? "metrics" : "", line, grouped(result.num_atoms));
  }
  return text;
}

Json to_json(const PresolveSummary& presolve) {
  return {{"aliased_atoms", presolve.aliased_atoms},
          {"fixed_atoms", presolve.fixed_atoms},
          {"idle_atoms", presolve.idle_atoms},
          {"folded_terms", presolve.folded_terms},
          {"merged_terms", presolve.merged_terms},
          {"groups", presolve.groups},
          {"variables", presolve.variables},
          {"rows", presolve.rows},
          {"seconds", presolve.seconds}};
}

Json rules_to_json(const InferReport& report) {
  Json rules = Json::array();
  for (std::size_t r = 0; r < report.rules.size(); ++r) {
    const RuleStatistics& statistics = report.rules[r];
    const GroundRule& rule = report.model.rules[r];
    rules.push_back({{"text", rule.text},
                     {"file", rule.source.file},
                     {"line", rule.source.line},
                     {"hard", rule.hard},
                     {"terms", statistics.terms},
                     {"satisfied", statistics.satisfied},
                     {"energy", statistics.energy},
                     {"distance", statistics.distance},
                     {"worst", statistics.worst}});
  }
  return rules;
}

Json networks_to_json(const std::vector<NetworkSummary>& networks) {
  Json list = Json::array();
  for (const NetworkSummary& network : networks) list.push_back(to_json(network));
  return list;
}

Json conflict_to_json(const InferReport& report) {
  Json conflict = Json::array();
  const Solution& solution = report.solved.solution;
  for (std::size_t i = 0; i < solution.conflict.size(); ++i) {
    const TermBlock& block = report.model.blocks[solution.conflict[i].block];
    const GroundRule& rule = report.model.rules[block.rule];
    conflict.push_back({{"ground_rule", report.conflict[i].text},
                        {"rule", block.rule + 1},
                        {"text", rule.text},
                        {"file", rule.source.file},
                        {"line", rule.source.line}});
  }
  return conflict;
}

}  // namespace

std::string_view status_of(const InferReport& report) {
  return report.solved.skipped ? "skipped" : name_of(report.solved.solution.status);
}

std::string warning_text(const InferReport& report) {
  const Solution& solution = report.solved.solution;
  if (report.is_optimal()) return {};
  if (report.solved.skipped) return "no inference: these are the initial values";
  if (solution.status == SolveStatus::kInfeasible) return "the hard rules contradict each other";
  if (solution.status == SolveStatus::kNumericalError) return solution.message;
  std::string text = fmt::format("NOT OPTIMAL ({}): ", status_of(report));
  text += std::isfinite(solution.relative_gap)
              ? fmt::format("the gap is {:.1e}", solution.relative_gap)
              : "nothing bounds how far the optimum is";
  return text + fmt::format(", hard rules are violated by up to {:.1e}", solution.max_violation);
}

std::string summary_text(const InferReport& report, bool color) {
  const Solution& solution = report.solved.solution;
  const std::string_view good = color ? "\x1b[1;32m" : "", bad = color ? "\x1b[1;31m" : "",
                         off = color ? "\x1b[0m" : "";
  std::string text = rules_table(report, color) + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:10} {}\n", name, value);
  };
  const std::string warning = warning_text(report);
  line("status",
       fmt::format("{}{}{}",
                   warning.empty() ? good : bad,
                   warning.empty() ? status_of(report) : warning,
                   off));
  if (solution.status != SolveStatus::kInfeasible) {
    line("objective", objective_text(report));
    line("bound", bound_text(solution));
    line("violation", fmt::format("{:.1e}", solution.max_violation));
  }
  if (!report.solved.skipped) {
    line("solver", fmt::format("{}, {} iterations", solution.solver, grouped(solution.iterations)));
    line("presolve", presolve_text(report));
  }
  for (const NetworkSummary& network : report.outputs.networks) {
    line("network", network_text(network));
  }
  text += metric_lines(report);
  line("time", stages_text(report.seconds));
  line("memory", bytes_text(peak_memory_bytes()));
  if (!report.results_directory.empty()) line("results", report.results_directory);
  return text;
}

Json to_json(const InferReport& report) {
  const Solution& solution = report.solved.solution;
  return {{"command", "infer"},
          {"model", report.path},
          {"status", status_of(report)},
          {"message", solution.message},
          {"objective", solution.objective},
          {"lower_bound", solution.lower_bound},
          {"relative_gap", solution.relative_gap},
          {"max_violation", solution.max_violation},
          {"atoms", report.model.num_atoms},
          {"terms", report.model.num_terms()},
          {"weight_scale", report.solved.parameters.weight_scale},
          {"networks", networks_to_json(report.outputs.networks)},
          {"rules", rules_to_json(report)},
          {"metrics", metrics_to_json(report.metrics, report.loaded.program.predicates)},
          {"solver", {{"name", solution.solver}, {"iterations", solution.iterations}}},
          {"presolve", to_json(solution.presolve)},
          {"conflict", conflict_to_json(report)},
          {"conflict_is_irreducible", solution.conflict_is_irreducible},
          {"diagnostics", to_json(std::span<const Diagnostic>(report.diagnostics))},
          {"seconds",
           {{"load", report.seconds.load},
            {"ground", report.seconds.ground},
            {"networks", report.seconds.networks},
            {"solve", report.seconds.solve},
            {"evaluate", report.seconds.evaluate},
            {"total", report.seconds.total}}},
          {"peak_memory_bytes", peak_memory_bytes()}};
}

}  // namespace sorites
