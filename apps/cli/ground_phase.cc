#include "ground_phase.h"

#include <chrono>
#include <map>

#include "session/inference_settings.h"
#include "sorites/snapshot.h"

namespace sorites {

void add_missing_target_flag(CLI::App& command, GroundFlags& flags) {
  static const std::map<std::string, OnMissingTarget> kChoices = {
      {"error", OnMissingTarget::kError},
      {"skip", OnMissingTarget::kSkip},
      {"zero", OnMissingTarget::kZero}};
  command
      .add_option_function<std::string>(
          "--on-missing-target",
          [&flags](const std::string& name) {
            flags.on_missing_target = kChoices.at(name);
            flags.on_missing_target_given = true;
          },
          "a ground rule needs an atom that is neither observed nor a target: error, skip the "
          "ground\n"
          "rule, or take the atom as zero")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"error", "skip", "zero"}));
}

void add_ground_flags(CLI::App& command, GroundFlags& flags) {
  add_missing_target_flag(command, flags);
  command
      .add_option(
          "--from-snapshot", flags.from_snapshot, "load the ground model instead of grounding")
      ->type_name("FILE")
      ->check(check_readable);
}

GroundOptions ground_options(const CommonFlags& common,
                             const GroundFlags& flags,
                             const LoadedModel& loaded,
                             const RunContext& context) {
  const InferenceSettings settings = inference_settings(loaded.options);
  GroundOptions options;
  options.threads = common.threads != 0 ? common.threads : settings.solve.threads;
  options.on_missing_target = flags.on_missing_target;
  if (!flags.on_missing_target_given && settings.skip_missing_targets) {
    options.on_missing_target = OnMissingTarget::kSkip;
  }
  options.stop = context.stop;
  return options;
}

Grounded ground_phase(const CommonFlags& common,
                      const GroundFlags& flags,
                      const LoadedModel& loaded,
                      const RunContext& context) {
  using Clock = std::chrono::steady_clock;
  ProgressLine progress("grounding", !common.quiet && !common.json);
  GroundOptions options = ground_options(common, flags, loaded, context);
  options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  const auto start = Clock::now();
  Grounded grounded;
  grounded.model =
      flags.from_snapshot.empty()
          ? ground(loaded.program, loaded.database, options, &grounded.report)
          : load_snapshot(flags.from_snapshot, fingerprint(loaded.program, loaded.database));
  grounded.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return grounded;
}

}  // namespace sorites
