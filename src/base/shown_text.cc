#include "base/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace sorites {
namespace {

constexpr std::string_view kColors[] = {"\x1b[0m",
                                        "\x1b[1m",
                                        "\x1b[2m",
                                        "\x1b[31m",
                                        "\x1b[32m",
                                        "\x1b[1;31m",
                                        "\x1b[1;32m",
                                        "\x1b[1;33m"};

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

std::size_t color_length(std::string_view text) {
  for (const std::string_view color : kColors) {
    if (text.starts_with(color)) return color.size();
  }
  return 0;
}

bool is_plain(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return is_control(byte) || byte == 0xC2 || byte == 0xE2;
  });
}

}  // namespace

std::string shown_text(std::string_view text, bool colors) {
  if (is_plain(text)) return std::string(text);
  std::string result;
  while (!text.empty()) {
    std::size_t taken = colors ? color_length(text) : 0;
    if (taken > 0) {
      result += text.substr(0, taken);
    } else if (is_control(byte_at(text, 0))) {
      taken = 1;
      result += fmt::format("\\x{:02x}", byte_at(text, 0));
    } else if (is_wide_control(text)) {
      taken = 2;
      result += fmt::format("\\u{:04x}", byte_at(text, 1));
    } else if (turns_direction(text)) {
      taken = 3;
      result += fmt::format(
          "\\u{:04x}", 0x2000U + ((byte_at(text, 1) - 0x80U) << 6U) + (byte_at(text, 2) - 0x80U));
    } else {
      taken = 1;
      result += text.front();
    }
    text.remove_prefix(taken);
  }
  return result;
}

}  // namespace sorites
