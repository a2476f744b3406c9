#include "learn_flags.h"

#include "session/option_catalog.h"

namespace sorites {
namespace {

constexpr OptionFlag kLearnFlags[] = {
    {"--method", "runtime.learn.method", "NAME"},
    {"--loss", "learn.loss", "LOSSES"},
    {"--algorithm", "learn.algorithm", "NAME"},
    {"--domain", "learn.domain", "NAME"},
    {"--step-size", "learn.step_size", "NUMBER"},
    {"--schedule", "learn.schedule", "NAME"},
    {"--epochs", "learn.max_epochs", "N"},
    {"--patience", "learn.patience", "N"},
    {"--time-limit", "learn.time_limit", "SECONDS"},
    {"--solver", "learn.solver", "NAME"},
    {"--gap", "learn.gap", "NUMBER"},
};

}  // namespace

void add_learn_flags(CLI::App& command, LearnFlags& flags) {
  add_missing_target_flag(command, flags.options);
  add_option_flags(command, option_catalog(), kLearnFlags, flags.options);
  command
      .add_option("--output",
                  flags.files.output,
                  "write the learned model: *.json is a model file that runs as it is, anything\n"
                  "else the rules alone")
      ->type_name("FILE");
  command
      .add_option("--save-state",
                  flags.files.save_state,
                  "keep the state of learning while it runs, for --resume later")
      ->type_name("FILE");
  command.add_option("--resume", flags.files.resume, "go on from a state that --save-state wrote")
      ->type_name("FILE");
  command.add_option("--log", flags.files.log, "a line per epoch: *.csv, or *.json for JSON lines")
      ->type_name("FILE");
  command.add_option("--plot", flags.files.plot, "curves of loss and metrics, as an SVG picture")
      ->type_name("FILE");
  command.add_flag(
      "--no-eval", flags.no_eval, "do not evaluate on the data of the inference phase");
}

}  // namespace sorites
