#include "output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace sorites {
namespace {

Json to_json(const Span& span) {
  return {
      {"file", span.file}, {"line", span.line}, {"column", span.column}, {"length", span.length}};
}

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

Json to_json(std::span<const Diagnostic> diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    Json entry = {
        {"severity", diagnostic.severity == Severity::kError ? "error" : "warning"},
        {"code", diagnostic.code},
    };
    entry.update(to_json(diagnostic.span));
    entry["message"] = diagnostic.message;
    entry["notes"] = Json::array();
    for (const Note& note : diagnostic.notes) {
      Json note_entry = {{"message", note.message}};
      if (!note.span.file.empty()) note_entry.update(to_json(note.span));
      entry["notes"].push_back(std::move(note_entry));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

void print_json(const Json& document) {
  fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

}  // namespace sorites
