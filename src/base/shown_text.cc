#include "base/shown_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sorites {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

bool is_control(unsigned byte) {
  return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
}

// C1 controls: U+0080 to U+009F.
bool is_wide_control(std::string_view text) {
  return byte_at(text, 0) == 0xC2 && byte_at(text, 1) >= 0x80 && byte_at(text, 1) <= 0x9F;
}

// U+202A to U+202E and U+2066 to U+2069 reorder what stands around them.
bool turns_direction(std::string_view text) {
  const unsigned third = byte_at(text, 2);
  if (byte_at(text, 0) != 0xE2) return false;
  return (byte_at(text, 1) == 0x80 && third >= 0xAA && third <= 0xAE) ||
         (byte_at(text, 1) == 0x81 && third >= 0xA6 && third <= 0xA9);
}

bool is_plain(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return is_control(byte) || byte == 0xC2 || byte == 0xE2;
  });
}

}  // namespace

std::string shown_text(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string result;
  while (!text.empty()) {
    std::size_t taken = 1;
    if (is_control(byte_at(text, 0))) {
      result += fmt::format("\\x{:02x}", byte_at(text, 0));
    } else if (is_wide_control(text)) {
      taken = 2;
      result += fmt::format("\\u{:04x}", byte_at(text, 1));
    } else if (turns_direction(text)) {
      taken = 3;
      result += fmt::format(
          "\\u{:04x}", 0x2000U + ((byte_at(text, 1) - 0x80U) << 6U) + (byte_at(text, 2) - 0x80U));
    } else {
      result += text.front();
    }
    text.remove_prefix(taken);
  }
  return result;
}

std::string blanked_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const unsigned byte = byte_at(text, 0);
    const std::size_t taken = is_wide_control(text) ? 2 : turns_direction(text) ? 3 : 1;
    result += taken > 1 || is_control(byte) || byte == '\n' || byte == '\t' ? ' ' : text.front();
    text.remove_prefix(taken);
  }
  return result;
}

bool is_terminal_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISCHR(status.st_mode)) return false;
  const int file = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return false;
  const bool result = ::isatty(file) != 0;
  ::close(file);
  return result;
}

std::string text_for_file(const std::string& path, std::string text) {
  return is_terminal_file(path) ? shown_text(text) : std::move(text);
}

}  // namespace sorites
