// sorites explain: why an atom has its value, how well a rule holds.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "common_flags.h"
#include "exit_code.h"
#include "explain_report.h"
#include "ground_phase.h"
#include "load_phase.h"
#include "markov_commands.h"
#include "modelfile/markov_kind.h"
#include "network_phase.h"
#include "solve_phase.h"

namespace sorites {
namespace {

struct ExplainFlags : CommonFlags {
  GroundFlags ground;
  SolveFlags solve;
  std::vector<std::string> atoms, rules;
  std::size_t limit = 10;
};

struct Explanations {
  std::vector<AtomExplanation> atoms;
  std::vector<RuleExplanation> rules;
};

// What was asked for; looked up before solving, so that a typo costs no time.
struct Questions {
  std::vector<AtomId> atoms;
  std::vector<std::uint32_t> rules;
};

Questions questions_of(const ExplainFlags& flags, const LoadedModel& loaded, const Model& model) {
  Questions questions;
  for (const std::string& text : flags.atoms) {
    questions.atoms.push_back(find_target(loaded.database, model, text));
  }
  for (const std::string& text : flags.rules) {
    const auto found = find_rules(model, text);
    questions.rules.insert(questions.rules.end(), found.begin(), found.end());
  }
  return questions;
}

Json to_json(const Explanations& found, const Model& model, const Solved& solved) {
  Json atoms = Json::array(), rules = Json::array();
  for (const AtomExplanation& atom : found.atoms) atoms.push_back(to_json(atom, model));
  for (const RuleExplanation& rule : found.rules) rules.push_back(to_json(rule, model));
  return {{"command", "explain"},
          {"status", name_of(solved.solution.status)},
          {"relative_gap", solved.solution.relative_gap},
          {"weight_scale", solved.parameters.weight_scale},
          {"atoms", std::move(atoms)},
          {"rules", std::move(rules)}};
}

void print_text(const Explanations& found, const Model& model, bool color) {
  const char* between = "";
  for (const AtomExplanation& atom : found.atoms) {
    fmt::print("{}{}", between, explanation_text(atom, model, color));
    between = "\n\n";
  }
  for (const RuleExplanation& rule : found.rules) {
    fmt::print("{}{}", between, explanation_text(rule, model, color));
    between = "\n\n";
  }
}

int run_markov(const ExplainFlags& flags, const RunContext& context) {
  refuse_flags(flags,
               {{"--solver", !flags.solve.solver.empty()},
                {"--gap", flags.solve.gap.has_value()},
                {"--violation", flags.solve.violation.has_value()},
                {"--warm-start", !flags.solve.warm_start.empty()},
                {"--on-missing-target", flags.ground.on_missing_target_given},
                {"--from-snapshot", !flags.ground.from_snapshot.empty()}});
  MarkovExplainFlags own;
  own.max_iterations = flags.solve.max_iterations;
  own.time_limit = flags.solve.time_limit;
  own.atoms = flags.atoms;
  own.rules = flags.rules;
  own.limit = flags.limit;
  return explain_markov(flags, own, context);
}

int run(const ExplainFlags& flags, const RunContext& context) {
  if (flags.atoms.empty() && flags.rules.empty()) {
    throw CLI::ValidationError("explain", "takes at least one --atom or --rule");
  }
  if (is_markov_model(flags.model)) return run_markov(flags, context);
  option_settings(flags);  // a malformed --set is a mistake of the command line: it comes first
  const ModelFile file = read_model(flags.model, flags.data);
  const LoadedModel loaded = load_phase(flags, context, file);
  const InferenceSettings settings = settings_of(flags, flags.solve, loaded);
  Grounded grounded = ground_phase(flags, flags.ground, loaded, context);
  const Questions questions = questions_of(flags, loaded, grounded.model);
  const NetworkOutputs outputs = network_phase(flags, settings, file, loaded, grounded.model);
  const Solved solved = solve_phase(
      flags, flags.solve, settings, file, loaded, context, outputs.values, grounded.model);
  if (context.stop.stop_requested()) throw Interrupted();
  const bool optimal = solved.solution.status == SolveStatus::kOptimal;
  if (!optimal) {
    fmt::print(stderr,
               "sorites: the values are not optimal ({}); see `sorites infer`\n",
               name_of(solved.solution.status));
  }
  const Explained what{
      loaded.program, loaded.database, grounded.model, solved.parameters, solved.solution};
  const ExplainOptions options{flags.limit, ground_options(flags, flags.ground, loaded, context)};
  Explanations found;
  for (const AtomId atom : questions.atoms) {
    found.atoms.push_back(explain_atom(what, atom, options));
  }
  for (const std::uint32_t rule : questions.rules) {
    found.rules.push_back(explain_rule(what, rule, options));
  }
  if (flags.json) {
    print_json(to_json(found, grounded.model, solved));
  } else {
    print_text(found, grounded.model, use_color(flags.color, stdout));
  }
  if (optimal) return kDone;
  return solved.solution.status == SolveStatus::kInfeasible ? kInfeasible : kRunFailed;
}

constexpr const char* kExplainFooter =
    "Solves the model (from --warm-start, at once if that is its solution) and explains.\n"
    "\n"
    "An atom: the ground rules that pull it up and down, strongest first. The force is what the\n"
    "objective would gain per unit of change if the ground rule were not there; up and down are "
    "in\n"
    "balance, unless the atom is 0 or 1. Below each ground rule stand the facts it rests on.\n"
    "A rule: how many of its ground rules hold, and those that hold least.\n"
    "\n"
    "An atom of Markov logic: its log-odds as the sum of what every formula adds, hardest push\n"
    "first, with the groundings that push hardest. Behind each condition of a grounding stands "
    "its\n"
    "probability. A formula: how many of its groundings are expected to be violated, and those "
    "that\n"
    "cost most, which is their weight times the probability that they are violated.\n"
    "\n"
    "Examples:\n"
    "  sorites explain model.json --atom \"Knows('ann', 'bob')\"\n"
    "  sorites explain model.json --rule 3 --rule model.json:18\n"
    "  sorites infer model.json --save-state model.state\n"
    "  sorites explain model.json --warm-start model.state --atom \"Knows(ann, bob)\" --json\n"
    "  sorites explain smokers.mln --data smokers.db \"cancer(Ann)\" --rule 1";

}  // namespace

void add_explain_command(CLI::App& app, RunContext& context) {
  auto flags = std::make_shared<ExplainFlags>();
  CLI::App* command = app.add_subcommand("explain", "say why an atom has its value");
  add_common_flags(*command, *flags);
  command
      ->add_option("--atom,ATOM", flags->atoms, "explain the value of this target; may be repeated")
      ->type_name("ATOM")
      ->allow_extra_args(false);
  command
      ->add_option("--rule",
                   flags->rules,
                   "how well this rule holds: its number from 1, or its place as in "
                   "model.json:18; may be repeated")
      ->type_name("RULE")
      ->allow_extra_args(false);
  command->add_option("--limit", flags->limit, "most ground rules to show in a list; default 10")
      ->type_name("N");
  add_ground_flags(*command, flags->ground);
  add_solve_flags(*command, flags->solve);
  command->footer(kExplainFooter);
  command->callback([flags, &context] {
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run(*flags, context); });
    };
  });
}

}  // namespace sorites
