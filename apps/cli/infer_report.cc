#include "infer_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/diagnostics.h"
#include "base/peak_memory.h"
#include "base/shown_number.h"
#include "base/shown_text.h"
#include "hinge/model/rule_numbers.h"
#include "metrics_report.h"
#include "output.h"
#include "rule_names.h"
#include "sorites/explain.h"
#include "table.h"

namespace sorites {
namespace {

std::string rules_table(const InferResult& result, bool color) {
  std::vector<std::vector<std::string>> rows = {
      {"#", "line", "terms", "satisfied", "energy", "rule"}};
  const std::vector<std::uint32_t> numbers = rule_numbers(result.rules);
  for (std::size_t r = 0; r < result.rules.size(); ++r) {
    const RuleStatistics& statistics = result.statistics[r];
    const GroundRule& rule = result.rules[r];
    rows.push_back({std::to_string(numbers[r]),
                    line_of(rule),
                    count_text(statistics.terms),
                    count_text(statistics.satisfied),
                    rule.hard ? "hard" : fmt::format("{:.6g}", Shown{statistics.energy}),
                    rule.text});
  }
  return table_text(rows, color);
}

std::string objective_text(const InferResult& result) {
  std::string text = fmt::format("{:.6g}", Shown{result.objective});
  if (result.weight_scale != 1.0) {
    text += fmt::format(" with weights divided by the largest, {:.6g} with those as written",
                        result.objective * result.weight_scale);
  }
  if (result.regularization > 0.0) {
    double energy = 0.0;
    for (const RuleStatistics& rule : result.statistics) energy += rule.energy;
    text += fmt::format("; {:.6g} of it is regularization", Shown{result.objective - energy});
  }
  return text;
}

std::string bound_text(const InferResult& result) {
  if (!result.lower_bound) return "none";
  return fmt::format(
      "{:.6g}{}",
      *result.lower_bound,
      result.relative_gap ? fmt::format(" (relative gap {:.1e})", *result.relative_gap) : "");
}

std::string presolve_text(const InferResult& result) {
  const PresolveSummary& presolve = result.presolve;
  std::string text = fmt::format("{} terms over {} atoms become {} over {}",
                                 count_text(result.size.terms),
                                 count_text(result.size.atoms),
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
  for (const EvaluationResult& result : report.result.metrics) {
    std::string line = report.database.predicates()[result.predicate].name + ":";
    for (const Metric& metric : result.metrics) {
      line += fmt::format(" {} {:.4g},", metric.name, metric.value);
    }
    line.pop_back();
    text += fmt::format(
        "{:10} {} ({} atoms)\n", text.empty() ? "metrics" : "", line, grouped(result.num_atoms));
  }
  return text;
}

}  // namespace

std::string network_text(const NetworkSummary& network) {
  std::string text = fmt::format("{}: {}, {} parameters{}, {} entities",
                                 network.name,
                                 network.kind,
                                 grouped(network.parameters),
                                 network.loaded ? " from a file" : "",
                                 grouped(network.entities));
  if (network.classes > 1) text += fmt::format(" of {} classes", grouped(network.classes));
  if (network.labelled > 0) text += fmt::format(", {} labelled", grouped(network.labelled));
  return text;
}

std::string results_folder(const ResultFiles& of_model, const std::string& output) {
  if (!output.empty()) return output;  // asked for here and now, whatever the options say
  return of_model.write ? of_model.folder : std::string();
}

std::string warning_text(const InferResult& result) {
  if (result.status == SolveStatus::kSkipped) return "no inference: these are the initial values";
  if (result.is_finished()) return {};
  if (result.status == SolveStatus::kInfeasible) return "the hard rules contradict each other";
  if (result.status == SolveStatus::kNumericalError) return result.message;
  if (result.method == "mean-field") {
    return fmt::format("NOT CONVERGED ({}): the last of {} iterations changed a value by {:.2g}",
                       name_of(result.status),
                       result.iterations,
                       result.change);
  }
  std::string text = fmt::format("NOT OPTIMAL ({}): ", name_of(result.status));
  text += result.relative_gap ? fmt::format("the gap is {:.1e}", *result.relative_gap)
                              : "nothing bounds how far the optimum is";
  text += fmt::format(", hard rules are violated by up to {:.1e}", result.max_violation);
  return result.message.empty() ? text : text + fmt::format("; {}", result.message);
}

Diagnostic contradiction(const std::string& path, const InferResult& result) {
  Diagnostics sink;
  const std::size_t count = result.conflict.size();
  Diagnostic& added =
      sink.error(DiagnosticCode::kContradiction,
                 count == 0 ? Span{path} : result.rules[result.conflict.front().rule].source,
                 count == 0 ? "no values of the targets keep all hard rules"
                            : fmt::format("no values of the targets keep th{} {}hard ground rule{}",
                                          count == 1 ? "is" : "ese",
                                          count == 1 ? "" : std::to_string(count) + " ",
                                          count == 1 ? "" : "s"));
  for (const ConflictRule& one : result.conflict) {
    added.notes.push_back({one.text, result.rules[one.rule].source});
  }
  if (!result.conflict_is_irreducible && count > 0) {
    added.notes.push_back({"fewer of them may contradict each other already", {}});
  }
  std::string mend = "correct the data, or give one of the rules a weight instead of the period";
  if (!result.relaxing_option.empty()) {
    mend += fmt::format("; `--set {}` gives it to all of them", result.relaxing_option);
  }
  added.notes.push_back({std::move(mend), {}});
  return sink.take_sorted().front();
}

std::string summary_text(const InferReport& report, bool color) {
  const InferResult& result = report.result;
  const std::string_view good = color ? "\x1b[1;32m" : "", bad = color ? "\x1b[1;31m" : "",
                         off = color ? "\x1b[0m" : "";
  std::string text = rules_table(result, color) + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:10} {}\n", name, shown_text(value));
  };
  const std::string warning = warning_text(result);
  const bool is_good = warning.empty();
  text += fmt::format("{:10} {}{}{}\n",
                      "status",
                      is_good ? good : bad,
                      is_good ? std::string(name_of(result.status)) : shown_text(warning),
                      off);
  if (result.is_usable()) {
    line("objective", objective_text(result));
    line("bound", bound_text(result));
    line("violation", fmt::format("{:.1e}", result.max_violation));
  }
  if (result.status != SolveStatus::kSkipped) {
    line("solver", fmt::format("{}, {} iterations", result.method, grouped(result.iterations)));
    if (result.presolve.rows + result.presolve.variables > 0) {
      line("presolve", presolve_text(result));
    } else {
      line("size",
           fmt::format("{} ground rules over {} unknown atoms",
                       count_text(result.size.terms),
                       count_text(result.size.atoms)));
    }
  }
  for (const NetworkSummary& network : result.networks) line("network", network_text(network));
  text += shown_text(metric_lines(report));
  line("time", stages_text(result.seconds));
  line("memory", bytes_text(peak_memory_bytes()));
  if (!report.results_directory.empty()) line("results", report.results_directory);
  return text;
}

}  // namespace sorites
