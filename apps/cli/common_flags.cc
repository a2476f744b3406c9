#include "common_flags.h"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>

#include "base/constant.h"
#include "base/memory_limit.h"
#include "session/option_catalog.h"
#include "sorites/session.h"

namespace sorites {
namespace {

constexpr OptionFlag kOptionFlags[] = {{"--threads", "parallel.numthreads", "N"},
                                       {"--seed", "random.seed", "N"}};

// "2000000", "500M", "1.5GB": powers of 1,000, as memory is shown. None if it is no such text.
std::optional<std::uint64_t> parse_bytes(std::string text) {
  constexpr std::string_view kUnits = "KMGT";
  if (text.ends_with('B') || text.ends_with('b')) text.pop_back();
  double factor = 1.0;
  const std::size_t unit =
      text.empty()
          ? std::string_view::npos
          : kUnits.find(static_cast<char>(std::toupper(static_cast<unsigned char>(text.back()))));
  if (unit != std::string_view::npos) {
    text.pop_back();
    factor = std::pow(1000.0, static_cast<double>(unit + 1));
  }
  const auto number = parse_real(text);
  constexpr double kMost = 1e18;  // fits 64 bits
  if (!number || !(*number * factor >= 1.0) || *number * factor > kMost) return std::nullopt;
  return static_cast<std::uint64_t>(*number * factor);
}

std::string take_memory_limit(const std::string& text) {
  const auto bytes = text == "none" ? std::optional(kNoMemoryLimit) : parse_bytes(text);
  if (!bytes) return fmt::format("takes bytes, as 2000000, 500M or 8GB, or none, not `{}`", text);
  set_memory_limit(*bytes);
  return {};
}

}  // namespace

CLI::Validator whole_number() {
  return CLI::Validator(
      [](const std::string& text) {
        constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
        std::uint64_t number = 0;
        const char* last = text.data() + text.size();
        const auto end = std::from_chars(text.data(), last, number);
        if (end.ec == std::errc() && end.ptr == last && number <= kMost) return std::string();
        return fmt::format("takes a whole number that is not negative, not `{}`", text);
      },
      "");
}

void add_common_flags(CLI::App& command, CommonFlags& flags) {
  static const std::map<std::string, ColorMode> colors = {
      {"auto", ColorMode::kAuto}, {"always", ColorMode::kAlways}, {"never", ColorMode::kNever}};
  command
      .add_option("MODEL",
                  flags.model,
                  "model.json, model.yaml, a folder with one, a rule file, or Markov logic: a "
                  "folder of predicates, facts and rules, or model.mln; - is a model file from "
                  "standard input")
      ->required()
      ->type_name("");
  command
      .add_option(
          "--data", flags.data, "data of a rule file: predicates and data (YAML), or an .mln's .db")
      ->type_name("FILE");
  command
      .add_option("-D,--set",
                  flags.set,
                  "option=value: set an option, over the `options` of the model; may be repeated")
      ->type_name("OPTION=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--phase",
                  flags.phase,
                  "the phase to look at; default: infer, of `check` all that the model has")
      ->type_name("PHASE")
      ->transform(CLI::IsMember({"learn", "validation", "infer"}, CLI::ignore_case));
  const std::vector<std::string_view> semantics = semantics_names();
  command
      .add_option("--semantics",
                  flags.semantics,
                  "what rules mean: hinge (values that violate them least) or markov-logic\n"
                  "(probabilities); default: as the model says")
      ->type_name("NAME")
      ->check(CLI::IsMember(std::vector<std::string>(semantics.begin(), semantics.end()),
                            CLI::ignore_case));
  add_option_flags(command, option_catalog(), kOptionFlags, flags.options);
  command
      .add_option("--memory-limit",
                  flags.memory_limit,
                  "stop when data or ground rules need more: 500M, 8GB, none; default: what the\n"
                  "machine has left, within the limits of ulimit and of control groups")
      ->type_name("BYTES")
      ->check(CLI::Validator(take_memory_limit, ""));
  command.add_flag("--json", flags.json, "one JSON document on standard output");
  command.add_flag("--quiet", flags.quiet, "say nothing but errors");
  command
      .add_option_function<std::string>(
          "--color",
          [&flags](const std::string& mode) { flags.color = colors.at(mode); },
          "colours: auto (on a terminal, unless NO_COLOR is set), always or never")
      ->type_name("WHEN")
      ->transform(CLI::IsMember({"auto", "always", "never"}, CLI::ignore_case));
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

}  // namespace sorites
