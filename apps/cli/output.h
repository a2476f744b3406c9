// Diagnostics and numbers as commands print them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes_text.h"
#include "common_flags.h"
#include "report/json.h"
#include "sorites/diagnostic.h"

namespace sorites {

// On standard output. A terminal shows control characters in texts of others, and does not obey
// them. Throw IoError if it cannot be written, on a full disk say.
void print_text(std::string_view text);
// Of a report: it may have colours, which were put around texts of others after shown_text().
void print_shown(std::string_view text);
void flush_output();

// On standard error. If that cannot be written, there is nobody left to tell.
void say(std::string_view text);
void say_shown(std::string_view text);  // as print_shown()

// To stderr: all of them, or only the errors if --quiet; nothing if --json, whose document has
// them.
void print_diagnostics(std::span<const Diagnostic> diagnostics, const CommonFlags& flags);

bool has_errors(std::span<const Diagnostic> diagnostics);

// "2 errors, 1 warning"
std::string count_text(std::span<const Diagnostic> diagnostics);

// The document on stdout. Bytes that are not UTF-8 become U+FFFD.
void print_json(const Json& document);

std::string grouped(std::uint64_t number);  // 12,345
// Numbers that are mostly whole, and may be larger than any integer: 12,345, 3.25, 6.22e+20.
std::string count_text(double count);
inline std::string bytes_text(std::uint64_t bytes) {  // "1.2 MB"
  return bytes_text(static_cast<double>(bytes));
}

}  // namespace sorites
