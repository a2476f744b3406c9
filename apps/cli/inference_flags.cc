#include "inference_flags.h"

#include "common_flags.h"
#include "session/option_catalog.h"

namespace sorites {
namespace {

constexpr OptionFlag kMissingTargetFlag[] = {
    {"--on-missing-target", "inference.on_missing_target", "WHAT"},
};
constexpr OptionFlag kSolveFlags[] = {
    {"--solver", "inference.solver", "NAME"},
    {"--method", "inference.method", "NAME"},
    {"--samples", "inference.samples", "N"},
    {"--gap", "inference.gap", "NUMBER"},
    {"--violation", "inference.violation", "NUMBER"},
    {"--regularization", "inference.regularization", "NUMBER"},
    {"--time-limit", "inference.time_limit", "SECONDS"},
    {"--max-iterations", "inference.max_iterations", "N"},
};

}  // namespace

void add_missing_target_flag(CLI::App& command, OptionFlagValues& values) {
  add_option_flags(command, option_catalog(), kMissingTargetFlag, values);
}

void add_snapshot_flag(CLI::App& command, InferFiles& files) {
  command
      .add_option(
          "--from-snapshot", files.from_snapshot, "load the ground model instead of grounding")
      ->type_name("FILE")
      ->check(check_readable);
}

void add_inference_flags(CLI::App& command, OptionFlagValues& values, InferFiles& files) {
  add_missing_target_flag(command, values);
  add_snapshot_flag(command, files);
  add_option_flags(command, option_catalog(), kSolveFlags, values);
  command
      .add_option("--warm-start", files.warm_start, "start from a state that --save-state wrote")
      ->type_name("FILE")
      ->check(check_readable);
}

}  // namespace sorites
