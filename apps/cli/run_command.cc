// sorites run: what PSL does with a model, with the flags of its command line.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>

#include "atom_output.h"
#include "commands.h"
#include "exit_code.h"
#include "infer_report.h"
#include "learn_report.h"
#include "metrics_report.h"
#include "output.h"
#include "report/learn_json.h"
#include "run_reporter.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

// A flag that may have a value behind it.
struct OptionalValue {
  bool given = false;
  std::string value;
};

struct RunFlags : CommonFlags {
  std::string config, rules;  // other ways to name the model
  OptionalValue infer, learn, ground_rules;
  std::vector<std::string> evaluators;
  std::string output;
  bool integer_ids = false;
  // Of PSL, and listed among the options without effect.
  std::string log, h2_path, postgres;
  bool skip_commit = false;
};

// What a run found out, for the report.
struct RunResults {
  std::optional<LearnReport> learned;
  std::optional<InferResult> inferred;
  std::optional<EvaluateResult> evaluated;  // by --eval
  std::string results_directory;
};

// Files that are made for one run only.
class ScratchFolder {
 public:
  // A new one: others may write to the folder of temporary files, too.
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "sorites_run_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw IoError(fmt::format("cannot make `{}`: {}", name, std::strerror(errno)));
    }
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// Flags of PSL that stand for options of it.
std::vector<OptionSetting> settings_of(const RunFlags& flags) {
  std::vector<OptionSetting> settings;
  const auto set = [&](bool given, const char* name, const std::string& value) {
    if (given) settings.push_back({name, value, {}});
  };
  set(flags.infer.given, "runtime.inference", "true");
  set(!flags.infer.value.empty(), "runtime.inference.method", flags.infer.value);
  set(flags.learn.given, "runtime.learn", "true");
  set(!flags.learn.value.empty(), "runtime.learn.method", flags.learn.value);
  set(flags.integer_ids, "runtime.db.intids", "true");
  set(!flags.log.empty(), "runtime.log.level", flags.log);
  set(!flags.h2_path.empty(), "runtime.db.h2.path", flags.h2_path);
  set(!flags.postgres.empty(), "runtime.db.pg.name", flags.postgres);
  set(flags.skip_commit, "runtime.inference.commit", "false");
  for (OptionSetting& setting : option_settings(flags)) settings.push_back(std::move(setting));
  return settings;
}

// Where PSL writes the rules that it learned of a rule file.
std::string learned_rules_of(const std::string& rules) {
  const fs::path path(rules);
  return (path.parent_path() / (path.stem().string() + "-learned.psl")).string();
}

void print_ground_rules(Session& session, const std::string& path) {
  if (!path.empty()) return session.write_ground_rules(path);
  const ScratchFolder scratch;
  session.write_ground_rules(scratch.file("rules"));
  std::ifstream rules(scratch.file("rules"));
  for (std::string line; std::getline(rules, line);) print_text(line + "\n");
}

void infer(Session& session, const RunFlags& flags, RunResults& results) {
  results.inferred = session.infer();
  const InferResult& result = *results.inferred;
  if (flags.ground_rules.given) print_ground_rules(session, flags.ground_rules.value);
  if (!result.is_usable()) return;
  results.results_directory = results_folder(session.result_files(), flags.output);
  if (!results.results_directory.empty()) {
    session.write_results(result, results.results_directory);
  }
  if (flags.evaluators.empty()) return;
  results.evaluated = session.evaluate(result, flags.evaluators);
}

void print_learned(const LearnReport& report, const RunFlags& flags) {
  if (!flags.quiet) {
    print_shown(summary_text(report, LearnFlags{}, use_color(flags.color, stdout)) + "\n");
  }
  if (!report.stop) say(fmt::format("sorites: learning failed: {}\n", report.error));
}

void print_inferred(Session& session, const RunFlags& flags, const InferReport& report) {
  const InferResult& result = report.result;
  if (result.is_usable() && session.result_files().write && report.results_directory.empty()) {
    print_atoms(session.database(),
                result.ranges,
                result.values,
                result.errors,
                std::numeric_limits<std::size_t>::max());
    flush_output();
  }
  if (!flags.quiet) say_shown(summary_text(report, use_color(flags.color, stderr)));
}

void present(Session& session,
             const RunFlags& flags,
             const RunResults& results,
             const std::vector<Diagnostic>& diagnostics) {
  const auto& predicates = session.database().predicates();
  std::optional<InferReport> inferred;
  if (results.inferred) {
    inferred.emplace(InferReport{flags.model,
                                 session.database(),
                                 *results.inferred,
                                 diagnostics,
                                 results.results_directory});
  }
  if (flags.json) {
    Json document = {{"command", "run"},
                     {"model", flags.model},
                     {"semantics", session.semantics()},
                     {"diagnostics", to_json(std::span<const Diagnostic>(diagnostics))}};
    document["learn"] =
        results.learned ? to_json(flags.model, *results.learned, diagnostics) : Json();
    document["infer"] = inferred ? to_json(*inferred) : Json();
    document["metrics"] =
        results.evaluated ? metrics_to_json(results.evaluated->metrics, predicates) : Json();
    return print_json(document);
  }
  if (results.learned) print_learned(*results.learned, flags);
  if (inferred) print_inferred(session, flags, *inferred);
  if (results.evaluated) {
    print_shown(
        metrics_text(results.evaluated->metrics, predicates, use_color(flags.color, stdout)));
  }
}

int exit_code_of(const RunResults& results) {
  if (results.learned &&
      (!results.learned->stop || *results.learned->stop == LearnStop::kInterrupted)) {
    return kRunFailed;
  }
  if (!results.inferred || results.inferred->is_finished()) return kDone;
  return results.inferred->status == SolveStatus::kInfeasible ? kInfeasible : kRunFailed;
}

bool has(const std::vector<Phase>& phases, Phase phase) {
  return std::find(phases.begin(), phases.end(), phase) != phases.end();
}

int run_model(const RunFlags& flags, const RunContext& context) {
  RunReporter reporter(flags, context);
  SessionOptions options = reporter.options();
  options.settings = settings_of(flags);
  Session session = reporter.open(std::move(options));
  const std::vector<Phase> phases = session.phases();
  const std::string folder = has(phases, Phase::kInfer)
                                 ? results_folder(session.result_files(), flags.output)
                                 : std::string();
  session.check_outputs({{flags.ground_rules.value}, folder});
  RunResults results;
  if (has(phases, Phase::kLearn)) {
    LearningFiles files;
    if (!flags.rules.empty()) files.output = learned_rules_of(flags.rules);
    results.learned = session.learn(files, false);
  }
  const bool failed = exit_code_of(results) != kDone;
  if (has(phases, Phase::kInfer) && !failed) infer(session, flags, results);
  reporter.finish();
  if (results.inferred && results.inferred->status == SolveStatus::kInfeasible) {
    const Diagnostic conflict = contradiction(flags.model, *results.inferred);
    print_diagnostics({&conflict, 1}, flags);
  }
  present(session, flags, results, reporter.diagnostics());
  return exit_code_of(results);
}

// The model is named in one of three ways. What stands behind --infer or --learn may be it too.
void settle_model(RunFlags& flags) {
  for (const std::string* named : {&flags.config, &flags.rules}) {
    if (named->empty()) continue;
    if (!flags.model.empty()) {
      throw CLI::ValidationError("MODEL",
                                 fmt::format("is given twice: `{}` and `{}`", flags.model, *named));
    }
    flags.model = *named;
  }
  for (OptionalValue* behind : {&flags.infer, &flags.learn}) {
    std::error_code error;
    if (!flags.model.empty() || !fs::exists(behind->value, error)) continue;
    flags.model = std::exchange(behind->value, {});
  }
  if (flags.model.empty()) {
    throw CLI::ValidationError("MODEL", "is required: a model file, or --model with --data");
  }
}

void add_optional_value(
    CLI::App& command, const char* name, OptionalValue& flag, const char* type, const char* help) {
  command
      .add_option_function<std::string>(
          name,
          [&flag](const std::string& value) {
            flag.given = true;
            flag.value = value;
          },
          help)
      ->expected(0, 1)
      ->type_name(type)
      ->trigger_on_parse();
}

void add_psl_flags(CLI::App& command, RunFlags& flags) {
  command.get_option("MODEL")->required(false)->description(
      "model.json, model.yaml, a folder with one, or a rule file; - is a model file from standard "
      "input");
  command.remove_option(command.get_option("--phase"));  // it runs those there are
  command.add_option("-c,--config", flags.config, "the model: the same as MODEL")
      ->type_name("FILE");
  command.add_option("--model", flags.rules, "a rule file, whose data --data names")
      ->type_name("FILE");
  add_optional_value(
      command, "-i,--infer", flags.infer, "METHOD", "infer; default: if there is data for it");
  add_optional_value(
      command, "-l,--learn", flags.learn, "METHOD", "learn; default: if there is data for it");
  command.add_option("--eval", flags.evaluators, "evaluate predicates with truth by these, too")
      ->type_name("NAME");
  command.add_option("-o,--output", flags.output, "write the inferred values into this folder")
      ->type_name("DIR");
  add_optional_value(command,
                     "--groundrules",
                     flags.ground_rules,
                     "FILE",
                     "write the ground rules; default: to standard output");
  command.add_flag("--int-ids", flags.integer_ids, "arguments without types are UniqueIntID");
  command.add_option("--log", flags.log, "of PSL, without effect")->type_name("LEVEL");
  command.add_option("--h2path", flags.h2_path, "of PSL, without effect")->type_name("PATH");
  command.add_option("--postgres", flags.postgres, "of PSL, without effect")->type_name("NAME");
  command.add_flag("--skipAtomCommit", flags.skip_commit, "of PSL, without effect");
}

constexpr const char* kRunFooter =
    "Does what PSL does with a model: learns, if there is data to learn from, then infers with "
    "the\n"
    "learned weights and evaluates what the model asks for. The options runtime.learn and\n"
    "runtime.inference of the model say otherwise. The flags are those of PSL's command line, so "
    "that\n"
    "a script which calls psl.jar can call `sorites run` instead. --learn of a rule file writes\n"
    "RULES-learned.psl beside it; runtime.learn.output.model.path names the file of others.\n"
    "\n"
    "Examples:\n"
    "  sorites run model.json                              learn if there is data, and infer\n"
    "  sorites run --config model.json --output results\n"
    "  sorites run --infer --model rules.psl --data rules.data --eval DiscreteEvaluator\n"
    "  sorites run --learn --model rules.psl --data learn.data\n"
    "  sorites run model.json --groundrules ground.txt -D runtime.learn=false";

}  // namespace

void add_run_command(CLI::App& app, RunContext& context) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* command =
      app.add_subcommand("run", "learn, infer and evaluate, as PSL does with a model");
  add_common_flags(*command, *flags);
  add_psl_flags(*command, *flags);
  command->footer(kRunFooter);
  command->callback([flags, &context] {
    settle_model(*flags);
    context.run = [flags, &context] {
      return run_on_model(*flags, [&] { return run_model(*flags, context); });
    };
  });
}

}  // namespace sorites
