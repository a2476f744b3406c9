// sorites ground: rules times data.
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <memory>

#include "commands.h"
#include "common_flags.h"
#include "exit_code.h"
#include "ground_phase.h"
#include "load_phase.h"
#include "markov_commands.h"
#include "modelfile/markov_kind.h"
#include "output.h"
#include "peak_memory.h"
#include "sorites/ground.h"
#include "sorites/snapshot.h"
#include "table.h"

namespace sorites {
namespace {

struct GroundCommandFlags : CommonFlags {
  GroundFlags ground;
  std::string rules_out, snapshot;
};

struct Outcome : Grounded {
  double load_seconds = 0.0;
};

std::uint64_t num_terms(const Model& model, std::size_t rule) {
  std::uint64_t count = 0;
  for (const TermBlock& block : model.blocks) count += block.rule == rule ? block.num_terms : 0;
  return count;
}

std::size_t bytes_of(const Model& model, std::size_t rule) {
  std::size_t bytes = 0;
  for (const TermBlock& block : model.blocks)
    bytes += block.rule == rule ? block.memory_bytes() : 0;
  return bytes;
}

Outcome run_ground(const GroundCommandFlags& flags, const RunContext& context) {
  const auto start = std::chrono::steady_clock::now();
  const LoadedModel loaded = load_phase(flags, context);
  const std::chrono::duration<double> load_time = std::chrono::steady_clock::now() - start;
  Outcome outcome{ground_phase(flags, flags.ground, loaded, context), load_time.count()};
  const Program& program = loaded.program;
  const Database& database = loaded.database;
  if (!flags.snapshot.empty()) {
    save_snapshot(outcome.model, fingerprint(program, database), flags.snapshot);
  }
  if (!flags.rules_out.empty()) {
    std::ofstream out(flags.rules_out);
    write_ground_rules(
        program, database, ground_options(flags, flags.ground, loaded, context), out);
    if (!out.flush()) throw IoError(fmt::format("cannot write `{}`", flags.rules_out));
  }
  return outcome;
}

Json to_json(const Outcome& grounded) {
  Json rules = Json::array();
  const Model& model = grounded.model;
  for (std::size_t r = 0; r < model.rules.size(); ++r) {
    Json rule = {{"text", model.rules[r].text},
                 {"line", model.rules[r].source.line},
                 {"terms", num_terms(model, r)},
                 {"memory_bytes", bytes_of(model, r)}};
    if (!grounded.report.rules.empty()) {
      const GroundCounts& counts = grounded.report.rules[r];
      rule["observed"] = counts.observed;
      rule["satisfied"] = counts.satisfied;
      rule["missing"] = counts.missing;
      rule["seconds"] = counts.seconds;
    }
    rules.push_back(std::move(rule));
  }
  return {{"command", "ground"},
          {"atoms", model.num_atoms},
          {"terms", model.num_terms()},
          {"nonzeros", model.num_nonzeros()},
          {"memory_bytes", model.memory_bytes()},
          {"index_memory_bytes", grounded.report.index_memory_bytes},
          {"rules", std::move(rules)},
          {"seconds", {{"load", grounded.load_seconds}, {"ground", grounded.seconds}}},
          {"peak_memory_bytes", peak_memory_bytes()}};
}

std::string summary_text(const Outcome& grounded, bool color) {
  const Model& model = grounded.model;
  const bool counted =
      !grounded.report.rules.empty();  // a snapshot does not remember what was dropped
  std::vector<std::vector<std::string>> rows;
  rows.push_back(
      counted
          ? std::vector<std::string>{"terms", "satisfied", "observed", "missing", "seconds", "rule"}
          : std::vector<std::string>{"terms", "rule"});
  for (std::size_t r = 0; r < model.rules.size(); ++r) {
    rows.push_back({grouped(num_terms(model, r))});
    if (counted) {
      const GroundCounts& counts = grounded.report.rules[r];
      rows.back().insert(rows.back().end(),
                         {grouped(counts.satisfied),
                          grouped(counts.observed),
                          grouped(counts.missing),
                          fmt::format("{:.3f}", counts.seconds)});
    }
    rows.back().push_back(model.rules[r].text);
  }
  std::string text = table_text(rows, color);
  const std::size_t terms = model.num_terms();
  text += fmt::format(
      "\n{} terms over {} atoms, {} ({:.1f} bytes per term)\n",
      grouped(terms),
      grouped(model.num_atoms),
      bytes_text(model.memory_bytes()),
      terms == 0 ? 0.0 : static_cast<double>(model.memory_bytes()) / static_cast<double>(terms));
  text += fmt::format("load {:.3f} s, ground {:.3f} s, peak memory {}\n",
                      grounded.load_seconds,
                      grounded.seconds,
                      bytes_text(peak_memory_bytes()));
  return text;
}

int run(const GroundCommandFlags& flags, const RunContext& context) {
  if (is_markov_model(flags.model)) refuse_to_ground_markov(flags);
  const Outcome grounded = run_ground(flags, context);
  if (flags.json) {
    print_json(to_json(grounded));
  } else if (!flags.quiet) {
    fmt::print("{}", summary_text(grounded, use_color(flags.color, stdout)));
  }
  return kDone;
}

constexpr const char* kGroundFooter =
    "Puts constants for the variables of every rule. A ground rule that can be violated becomes a "
    "term;\n"
    "`satisfied` are those that no values of the targets can violate, `observed` those without "
    "targets,\n"
    "`missing` those that need an atom of an open predicate that is neither observed nor a "
    "target.\n"
    "\n"
    "Examples:\n"
    "  sorites ground model.json\n"
    "  sorites ground model.json --rules-out ground.tsv     every ground rule as text\n"
    "  sorites ground model.json --snapshot model.ground    keep the result\n"
    "  sorites ground model.json --from-snapshot model.ground";

}  // namespace

void add_ground_command(CLI::App& app, RunContext& context) {
  auto flags = std::make_shared<GroundCommandFlags>();
  CLI::App* command =
      app.add_subcommand("ground", "put constants for variables; count the ground rules");
  add_common_flags(*command, *flags);
  add_ground_flags(*command, flags->ground);
  command
      ->add_option(
          "--rules-out", flags->rules_out, "write the ground rules as text, in PSL's format")
      ->type_name("FILE");
  command->add_option("--snapshot", flags->snapshot, "save the ground model")->type_name("FILE");
  command->footer(kGroundFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
