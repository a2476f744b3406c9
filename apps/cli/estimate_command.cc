// sorites estimate: how large the ground model will be.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/memory_limit.h"
#include "commands.h"
#include "exit_code.h"
#include "hinge/model/rule_numbers.h"
#include "infer_report.h"
#include "options/option_value.h"
#include "output.h"
#include "report/estimate_json.h"
#include "rule_names.h"
#include "run_reporter.h"
#include "table.h"

namespace sorites {
namespace {

struct EstimateFlags : CommonFlags {
  double time_limit = 1.0;
  bool verbose = false;
};

// What to say if the model will not fit; empty if it will.
std::string warning_text(const EstimateResult& estimate) {
  const auto limit = static_cast<double>(memory_limit_bytes());
  if (estimate.bytes <= limit) return {};
  const auto& rules = estimate.forecast.rules;
  const auto largest = std::max_element(
      rules.begin(), rules.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  std::string text = fmt::format("the model will need about {}, but there are {}",
                                 bytes_text(estimate.bytes),
                                 bytes_text(limit));
  if (largest == rules.end()) return text;
  const GroundRule& rule = estimate.rules[static_cast<std::size_t>(largest - rules.begin())];
  return text +
         fmt::format("\n  {}: {}\n  reason: {}", place_of(rule.source), rule.text, largest->reason);
}

std::string terms_text(const RuleForecast& rule) {
  return (rule.exact ? "" : "~") + count_text(std::floor(rule.terms));
}

std::string steps_text(const std::vector<std::string>& steps) {
  std::string text;
  for (const std::string& step : steps) text += fmt::format("  {}\n", step);
  return text;
}

// The steps of a method that works by products of tensors; else what makes each rule as large.
std::string plan_text(const EstimateResult& estimate) {
  const std::vector<std::uint32_t> numbers = rule_numbers(estimate.rules);
  std::string text;
  for (std::size_t r = 0; r < estimate.rules.size(); ++r) {
    const RuleForecast& rule = estimate.forecast.rules[r];
    std::string steps = steps_text(rule.steps);
    if (!rule.reason.empty()) steps += steps_text({rule.reason});
    if (steps.empty()) continue;
    text += fmt::format("rule {}: {}\n{}\n", numbers[r], estimate.rules[r].text, steps);
  }
  if (estimate.forecast.steps.empty()) return text;
  return text + fmt::format("messages\n{}\n", steps_text(estimate.forecast.steps));
}

std::string summary_text(const EstimateResult& estimate, bool color) {
  const bool has_plan = estimate.forecast.operations > 0.0;
  std::vector<std::vector<std::string>> rows{{"terms", has_plan ? "operations" : "memory", "rule"}};
  for (std::size_t r = 0; r < estimate.rules.size(); ++r) {
    const RuleForecast& rule = estimate.forecast.rules[r];
    rows.push_back({terms_text(rule),
                    has_plan ? count_text(rule.operations) : bytes_text(rule.bytes),
                    estimate.rules[r].text});
  }
  std::string text = fmt::format("{}\nabout {} terms; inference takes {} ({:.2f} s)\n",
                                 table_text(rows, color),
                                 count_text(std::floor(estimate.terms)),
                                 bytes_text(estimate.bytes),
                                 estimate.seconds.ground);
  if (!has_plan) return text;
  return text + fmt::format("{} operations per iteration over {} unknown atoms\n",
                            count_text(estimate.forecast.operations),
                            count_text(estimate.forecast.atoms));
}

CLI::Validator positive_seconds() {
  return CLI::Validator(
      [](const std::string& text) {
        double seconds = 0.0;
        const std::string wrong = OptionValue<double>::read(text, above(0), seconds);
        return wrong.substr(wrong.empty() ? 0 : 1);  // behind the flag's name and a colon
      },
      "");
}

int run(const EstimateFlags& flags, const RunContext& context) {
  RunReporter reporter(flags, context);
  Session session = reporter.open(reporter.options());
  const EstimateResult estimate = session.estimate(flags.time_limit);
  reporter.finish();
  if (flags.json) {
    print_json(to_json(flags.model, estimate, reporter.diagnostics()));
    return kDone;
  }
  if (!flags.quiet) {
    if (flags.verbose) print_text(plan_text(estimate));
    print_shown(summary_text(estimate, use_color(flags.color, stdout)));
  }
  if (const std::string warning = warning_text(estimate); !warning.empty()) {
    say(fmt::format("warning: {}\n", warning));
  }
  return kDone;
}

constexpr const char* kEstimateFooter =
    "Grounds a sample of every rule and extrapolates; `~` marks counts that are not exact. Warns\n"
    "if the model will not fit into memory, and says which rule is to blame and why.\n"
    "\n"
    "Of a model of Markov logic it prints the plan of inference: groundings and operations per\n"
    "formula, and memory. A plan that needs more than meanfield.max_bytes is refused.\n"
    "\n"
    "Examples:\n"
    "  sorites estimate model.json --time-limit 5\n"
    "  sorites estimate smokers.mln --data smokers.db --verbose";

}  // namespace

void add_estimate_command(CLI::App& app, RunContext& context) {
  auto flags = std::make_shared<EstimateFlags>();
  CLI::App* command =
      app.add_subcommand("estimate", "forecast ground rules and memory, rule by rule");
  add_common_flags(*command, *flags);
  command
      ->add_option("--time-limit", flags->time_limit, "seconds to spend on samples, after loading")
      ->type_name("SECONDS")
      ->check(positive_seconds())
      ->capture_default_str();
  command->add_flag("--verbose",
                    flags->verbose,
                    "print what makes each rule large; Markov logic: the steps of the plan");
  command->footer(kEstimateFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
