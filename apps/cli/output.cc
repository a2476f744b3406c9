#include "output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sorites {
namespace {

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

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
    fmt::print(stderr, "{}", render(diagnostic, color));
  }
}

void print_json(const Json& document) {
  fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string count_text(double count) {
  constexpr double kExact = 1e15;  // a double knows no more digits
  if (!(count < kExact)) return fmt::format("{:.3g}", count);
  if (count == std::floor(count)) return grouped(static_cast<std::uint64_t>(count));
  return count >= 1e4 ? grouped(static_cast<std::uint64_t>(std::llround(count)))
                      : fmt::format("{:.6g}", count);
}

}  // namespace sorites
