#include "common_flags.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

namespace sorites {

void add_common_flags(CLI::App& command, CommonFlags& flags) {
  static const std::map<std::string, ColorMode> colors = {
      {"auto", ColorMode::kAuto}, {"always", ColorMode::kAlways}, {"never", ColorMode::kNever}};
  command
      .add_option("MODEL",
                  flags.model,
                  "model.json, model.yaml, a folder with one, a rule file, or Markov logic: a "
                  "folder of predicates, facts and rules, or model.mln")
      ->required()
      ->type_name("");
  command.add_option("--data", flags.data, "predicates and data of a rule file (YAML)")
      ->type_name("FILE");
  command
      .add_option("-D,--set",
                  flags.set,
                  "option=value: set an option, over the `options` of the model; may be repeated")
      ->type_name("OPTION=VALUE")
      ->allow_extra_args(false);
  command.add_option("--phase", flags.phase, "only this phase; default: all that the model has")
      ->type_name("PHASE")
      ->check(CLI::IsMember({"learn", "validation", "infer"}));
  command.add_option("--threads", flags.threads, "how many, up to 256; 0 is one per core")
      ->type_name("N");
  command.add_option("--seed", flags.seed, "seed of everything random")->type_name("N");
  command.add_flag("--json", flags.json, "one JSON document on standard output");
  command.add_flag("--quiet", flags.quiet, "say nothing but errors");
  command
      .add_option_function<std::string>(
          "--color",
          [&flags](const std::string& mode) { flags.color = colors.at(mode); },
          "colours: auto (on a terminal, unless NO_COLOR is set), always or never")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

std::string check_readable(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return fmt::format("takes a file, but `{}` is a folder", path);
  }
  if (std::ifstream(path).good()) return {};
  return fmt::format("cannot read `{}`: {}", path, std::strerror(errno));
}

std::vector<OptionSetting> option_settings(const CommonFlags& flags) {
  std::vector<OptionSetting> settings;
  for (const std::string& text : flags.set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw CLI::ValidationError("--set", fmt::format("takes option=value, not `{}`", text));
    }
    settings.push_back({text.substr(0, equals), text.substr(equals + 1), {}});
  }
  return settings;
}

std::vector<Phase> chosen_phases(const CommonFlags& flags,
                                 const ModelFile& model,
                                 std::span<const OptionSetting> overrides) {
  for (const Phase phase : kPhases) {
    if (flags.phase == name_of(phase)) return {phase};
  }
  std::vector<Phase> phases = phases_of(model, overrides);
  if (phases.empty()) phases.push_back(Phase::kInfer);
  return phases;
}

}  // namespace sorites
