// sorites ground: rules times data.
#include <fmt/format.h>

#include <memory>

#include "base/peak_memory.h"
#include "commands.h"
#include "exit_code.h"
#include "inference_flags.h"
#include "output.h"
#include "report/ground_json.h"
#include "rule_names.h"
#include "run_reporter.h"
#include "table.h"

namespace sorites {
namespace {

struct GroundFlags : CommonFlags {
  InferFiles files;
  std::string rules_out, snapshot;
  bool count_all = false;
};

std::string rules_table(const GroundResult& grounded, bool color) {
  // A snapshot does not remember what was dropped, and grounding mostly does not look at it.
  const GroundReport& report = grounded.report;
  std::vector<std::vector<std::string>> rows{{"terms"}};
  if (report.all_counted) rows[0].insert(rows[0].end(), {"satisfied", "observed"});
  if (!report.rules.empty()) rows[0].insert(rows[0].end(), {"missing", "seconds"});
  rows[0].emplace_back("rule");
  for (std::size_t r = 0; r < grounded.rules.size(); ++r) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(count_text(grounded.size.rule_terms[r]));
    if (report.all_counted) {
      row.push_back(grouped(report.rules[r].satisfied));
      row.push_back(grouped(report.rules[r].observed));
    }
    if (!report.rules.empty()) {
      row.push_back(grouped(report.rules[r].missing));
      row.push_back(fmt::format("{:.3f}", report.rules[r].seconds));
    }
    row.push_back(grounded.rules[r].text);
  }
  return table_text(rows, color);
}

std::string summary_text(const GroundResult& grounded, bool color) {
  const ModelSize& size = grounded.size;
  return rules_table(grounded, color) +
         fmt::format("\n{} terms over {} atoms, {} ({:.1f} bytes per term)\n",
                     count_text(size.terms),
                     count_text(size.atoms),
                     bytes_text(size.bytes),
                     size.terms == 0.0 ? 0.0 : size.bytes / size.terms) +
         fmt::format("load {:.3f} s, ground {:.3f} s, peak memory {}\n",
                     grounded.seconds.load,
                     grounded.seconds.ground,
                     bytes_text(peak_memory_bytes()));
}

int run(const GroundFlags& flags, const RunContext& context) {
  RunReporter reporter(flags, context);
  std::vector<OptionSetting> own;
  if (flags.count_all) own.push_back({"inference.count_all", "true", {}});
  Session session = reporter.open(reporter.options(own));
  session.check_outputs({{flags.snapshot, flags.rules_out}, {}});
  const GroundResult grounded = session.ground(flags.files.from_snapshot);
  if (!flags.snapshot.empty()) session.save_snapshot(flags.snapshot);
  if (!flags.rules_out.empty()) session.write_ground_rules(flags.rules_out);
  reporter.finish();
  if (flags.json) {
    print_json(to_json({flags.model, session.semantics()}, grounded, reporter.diagnostics()));
  } else if (!flags.quiet) {
    print_shown(summary_text(grounded, use_color(flags.color, stdout)));
  }
  return kDone;
}

constexpr const char* kGroundFooter =
    "Puts constants for the variables of every rule. A ground rule that can be violated becomes a "
    "term;\n"
    "`missing` are those that need an atom of an open predicate that is neither observed nor a "
    "target.\n"
    "With --count-all also `satisfied`, which no values of the targets can violate, and "
    "`observed`, without\n"
    "targets: grounding does not look at most of these otherwise.\n"
    "In Markov logic these are the clauses that facts and hard formulas leave undecided, on which "
    "the methods\n"
    "exact, gibbs and mc-sat work; mean field does without.\n"
    "\n"
    "Examples:\n"
    "  sorites ground model.json\n"
    "  sorites ground model.json --rules-out ground.tsv     every ground rule as text\n"
    "  sorites ground model.json --snapshot model.ground    keep the result\n"
    "  sorites ground model.json --from-snapshot model.ground";

}  // namespace

void add_ground_command(CLI::App& app, RunContext& context) {
  auto flags = std::make_shared<GroundFlags>();
  CLI::App* command =
      app.add_subcommand("ground", "put constants for variables; count the ground rules");
  add_common_flags(*command, *flags);
  add_missing_target_flag(*command, flags->options);
  add_snapshot_flag(*command, flags->files);
  command
      ->add_option(
          "--rules-out", flags->rules_out, "write the ground rules as text, in PSL's format")
      ->type_name("FILE");
  command->add_option("--snapshot", flags->snapshot, "save the ground model")->type_name("FILE");
  command
      ->add_flag("--count-all",
                 flags->count_all,
                 "count the ground rules that are dropped, too: all are looked at, which takes "
                 "longer")
      ->excludes("--from-snapshot");
  command->footer(kGroundFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
