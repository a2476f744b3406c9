// sorites estimate on a model of Markov logic: the plan of its tensor products.
#include <fmt/format.h>

#include <chrono>

#include "exit_code.h"
#include "markov_infer_report.h"
#include "table.h"

namespace sorites {
namespace {

Json to_json(const MarkovModel& model, const MeanFieldPlan& plan, double seconds) {
  Json formulas = Json::array();
  for (std::size_t f = 0; f < model.formulas.size(); ++f) {
    formulas.push_back({{"text", model.formulas[f].text},
                        {"line", model.formulas[f].place.line},
                        {"groundings", plan.formulas[f].groundings},
                        {"operations", plan.formulas[f].operations},
                        {"steps", plan.formulas[f].steps}});
  }
  return {{"command", "estimate"},
          {"semantics", "markov-logic"},
          {"atoms", plan.atoms},
          {"unknown_atoms", plan.unknown_atoms},
          {"groundings", plan.groundings},
          {"operations", plan.operations},
          {"memory_bytes", plan.bytes},
          {"formulas", std::move(formulas)},
          {"steps", plan.steps},
          {"seconds", seconds}};
}

std::string steps_text(const std::vector<std::string>& steps) {
  std::string text;
  for (const std::string& step : steps) text += fmt::format("  {}\n", step);
  return text;
}

void print_steps(const MarkovModel& model, const MeanFieldPlan& plan) {
  for (std::size_t f = 0; f < model.formulas.size(); ++f) {
    if (plan.formulas[f].steps.empty()) continue;
    fmt::print(
        "formula {}: {}\n{}\n", f + 1, model.formulas[f].text, steps_text(plan.formulas[f].steps));
  }
  if (!plan.steps.empty()) fmt::print("messages\n{}\n", steps_text(plan.steps));
}

std::string summary_text(const MarkovModel& model,
                         const MeanFieldPlan& plan,
                         double seconds,
                         bool color) {
  std::vector<std::vector<std::string>> rows{{"#", "line", "groundings", "operations", "formula"}};
  for (std::size_t f = 0; f < model.formulas.size(); ++f) {
    const std::uint32_t line = model.formulas[f].place.line;
    rows.push_back({std::to_string(f + 1),
                    line == 0 ? "" : std::to_string(line),
                    rough_count_text(plan.formulas[f].groundings),
                    rough_count_text(plan.formulas[f].operations),
                    model.formulas[f].text});
  }
  return fmt::format(
      "{}\n{:10} {}\n{:10} {} per iteration\n{:10} {}\n{:10} {}, {} of them unknown\n{:10} {:.3f} "
      "s\n",
      table_text(rows, color),
      "groundings",
      count_text(plan.groundings),
      "operations",
      count_text(plan.operations),
      "memory",
      bytes_text(plan.bytes),
      "atoms",
      grouped(plan.atoms),
      grouped(plan.unknown_atoms),
      "time",
      seconds);
}

}  // namespace

int estimate_markov(const CommonFlags& flags, bool steps, const RunContext& context) {
  refuse_flags(flags);
  const auto start = std::chrono::steady_clock::now();
  const LoadedMarkov loaded = load_markov_phase(flags, context, NetworkUse::kLeave);
  const MeanFieldPlan plan = plan_mean_field(loaded.model, loaded.mean_field);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (flags.json) {
    print_json(to_json(loaded.model, plan, seconds));
  } else if (!flags.quiet) {
    if (steps) print_steps(loaded.model, plan);
    fmt::print("{}", summary_text(loaded.model, plan, seconds, use_color(flags.color, stdout)));
  }
  return kDone;
}

}  // namespace sorites
