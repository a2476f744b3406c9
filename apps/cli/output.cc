#include "output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/shown_number.h"
#include "base/shown_text.h"

namespace sorites {
namespace {

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

[[noreturn]] void fail_to_print() {
  throw IoError(fmt::format("cannot write the output: {}", std::strerror(errno)));
}

}  // namespace

void print_text(std::string_view text) {
  if (is_terminal(stdout)) return print_shown(shown_text(text));
  print_shown(text);
}

void print_shown(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_to_print();
}

void flush_output() {
  if (std::fflush(stdout) != 0) fail_to_print();
}

void say(std::string_view text) { say_shown(shown_text(text)); }

void say_shown(std::string_view text) { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

bool has_errors(std::span<const Diagnostic> diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::kError;
  });
}

std::string count_text(std::span<const Diagnostic> diagnostics) {
  const auto errors = static_cast<std::size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::kError;
      }));
  const std::size_t warnings = diagnostics.size() - errors;
  if (warnings == 0) return counted(errors, "error");
  if (errors == 0) return counted(warnings, "warning");
  return fmt::format("{}, {}", counted(errors, "error"), counted(warnings, "warning"));
}

void print_diagnostics(std::span<const Diagnostic> diagnostics, const CommonFlags& flags) {
  if (flags.json) return;
  const bool color = use_color(flags.color, stderr);
  for (const Diagnostic& diagnostic : diagnostics) {
    if (flags.quiet && diagnostic.severity != Severity::kError) continue;
    say_shown(render(diagnostic, color));
  }
}

void print_json(const Json& document) {
  // JSON escapes control characters itself.
  print_text(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string count_text(double count) {
  if (!(count < kExactCount)) return fmt::format("{:.3g}", count);
  if (count == std::floor(count)) return grouped(static_cast<std::uint64_t>(count));
  constexpr double kLarge = 1e4;  // beyond, what is behind the point says little
  return count >= kLarge ? grouped(static_cast<std::uint64_t>(std::llround(count)))
                         : fmt::format("{:.6g}", count);
}

}  // namespace sorites
