// sorites estimate: how large the ground model will be.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "commands.h"
#include "common_flags.h"
#include "exit_code.h"
#include "load_phase.h"
#include "markov_commands.h"
#include "modelfile/markov_kind.h"
#include "output.h"
#include "sorites/ground.h"
#include "table.h"

namespace sorites {
namespace {

struct EstimateFlags : CommonFlags {
  double time_limit = 1.0;
  bool verbose = false;
};

std::uint64_t machine_memory_bytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
}

struct Totals {
  double terms = 0.0, bytes = 0.0;
  std::size_t largest_rule = 0;
};

Totals totals_of(const Forecast& forecast) {
  Totals totals;
  totals.bytes = static_cast<double>(forecast.index_memory_bytes);
  for (std::size_t r = 0; r < forecast.rules.size(); ++r) {
    totals.terms += forecast.rules[r].terms;
    totals.bytes += forecast.rules[r].bytes;
    if (forecast.rules[r].bytes > forecast.rules[totals.largest_rule].bytes)
      totals.largest_rule = r;
  }
  return totals;
}

// What to say if the model will not fit; empty if it will.
std::string warning_text(const Program& program, const Forecast& forecast, const Totals& totals) {
  if (totals.bytes <= static_cast<double>(machine_memory_bytes())) return {};
  const Rule& rule = program.rules[totals.largest_rule];
  return fmt::format(
      "the ground model will need about {}, but this machine has {}\n"
      "  {}:{}: {}\n"
      "  reason: {}",
      bytes_text(static_cast<std::uint64_t>(std::min(totals.bytes, 1e18))),
      bytes_text(machine_memory_bytes()),
      rule.source.file,
      rule.source.line,
      rule.text,
      forecast.rules[totals.largest_rule].reason);
}

std::string count_of(const RuleForecast& rule) {
  return (rule.exact ? "" : "~") + grouped(static_cast<std::uint64_t>(std::min(rule.terms, 1e18)));
}

Json to_json(const Program& program, const Forecast& forecast, const Totals& totals) {
  Json rules = Json::array();
  for (std::size_t r = 0; r < forecast.rules.size(); ++r) {
    const RuleForecast& rule = forecast.rules[r];
    rules.push_back({{"text", program.rules[r].text},
                     {"line", program.rules[r].source.line},
                     {"terms", rule.terms},
                     {"memory_bytes", rule.bytes},
                     {"exact", rule.exact},
                     {"reason", rule.reason}});
  }
  return {{"command", "estimate"},
          {"terms", totals.terms},
          {"memory_bytes", totals.bytes},
          {"machine_memory_bytes", machine_memory_bytes()},
          {"fits", totals.bytes <= static_cast<double>(machine_memory_bytes())},
          {"rules", std::move(rules)},
          {"seconds", forecast.seconds}};
}

int run(const EstimateFlags& flags, const RunContext& context) {
  if (is_markov_model(flags.model)) return estimate_markov(flags, flags.verbose, context);
  const LoadedModel model = load_phase(flags, context);
  GroundOptions options;
  options.threads = flags.threads;
  options.on_missing_target = OnMissingTarget::kSkip;
  options.stop = context.stop;
  const Forecast forecast = estimate(model.program, model.database, options, flags.time_limit);
  const Totals totals = totals_of(forecast);
  if (flags.json) {
    print_json(to_json(model.program, forecast, totals));
    return kDone;
  }
  std::vector<std::vector<std::string>> rows{{"terms", "memory", "rule"}};
  for (std::size_t r = 0; r < forecast.rules.size(); ++r) {
    rows.push_back({count_of(forecast.rules[r]),
                    bytes_text(static_cast<std::uint64_t>(std::min(forecast.rules[r].bytes, 1e18))),
                    model.program.rules[r].text});
  }
  if (!flags.quiet) {
    fmt::print("{}\nabout {} terms, {} with its indexes ({:.2f} s)\n",
               table_text(rows, use_color(flags.color, stdout)),
               grouped(static_cast<std::uint64_t>(std::min(totals.terms, 1e18))),
               bytes_text(static_cast<std::uint64_t>(std::min(totals.bytes, 1e18))),
               forecast.seconds);
  }
  if (const std::string warning = warning_text(model.program, forecast, totals); !warning.empty()) {
    fmt::print(stderr, "warning: {}\n", warning);
  }
  return kDone;
}

constexpr const char* kEstimateFooter =
    "Grounds a sample of every rule and extrapolates; `~` marks counts that are not exact. Warns "
    "if the\n"
    "model will not fit into memory, and says which rule is to blame and why.\n"
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
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--verbose", flags->verbose, "Markov logic: print the steps of the plan");
  command->footer(kEstimateFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
