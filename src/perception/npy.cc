// NumPy's format: "\x93NUMPY", version, length of the head, and the head, which is a Python
// dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (70, 5), }. Specification: NEP 1 of
// numpy.org.
#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "data/mistakes.h"
#include "perception/array_bytes.h"
#include "perception/read_features.h"

namespace sorites {
namespace {

constexpr std::string_view kHint = "save the array again by numpy.save(path, array)";

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  return text;
}

// What follows `'key':` in the dictionary; empty if the key is not there.
std::string_view value_of(std::string_view head, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::size_t at = head.find(fmt::format("{0}{1}{0}", quote, key));
    if (at == std::string_view::npos) continue;
    const std::string_view rest = without_blanks(head.substr(at + key.size() + 2));
    if (rest.starts_with(':')) return without_blanks(rest.substr(1));
  }
  return {};
}

std::optional<ElementType> element_type(std::string_view letters) {
  using enum ElementType;
  constexpr std::pair<std::string_view, ElementType> kTypes[] = {{"i1", kInt8},
                                                                 {"i2", kInt16},
                                                                 {"i4", kInt32},
                                                                 {"i8", kInt64},
                                                                 {"u1", kUint8},
                                                                 {"u2", kUint16},
                                                                 {"u4", kUint32},
                                                                 {"u8", kUint64},
                                                                 {"f4", kFloat32},
                                                                 {"f8", kFloat64},
                                                                 {"b1", kUint8}};
  for (const auto& [name, type] : kTypes) {
    if (name == letters) return type;
  }
  return std::nullopt;
}

// '<f4' with its quotes: byte order, kind, size.
bool read_descr(std::string_view text, ArrayLayout& layout) {
  if (text.size() < 5 || (text[0] != '\'' && text[0] != '"') || text[4] != text[0]) return false;
  const auto type = element_type(text.substr(2, 2));
  if (!type || std::string_view("<>|=").find(text[1]) == std::string_view::npos) return false;
  layout.type = *type;
  layout.big_endian = text[1] == '>';
  return true;
}

// (70, 5) or (70,)
bool read_shape(std::string_view text, ArrayLayout& layout) {
  constexpr std::size_t kMostDimensions = 32;
  if (!text.starts_with('(')) return false;
  text.remove_prefix(1);
  while (true) {
    text = without_blanks(text);
    if (text.starts_with(')')) return !layout.extents.empty();
    std::uint64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc() || layout.extents.size() == kMostDimensions) return false;
    layout.extents.push_back(extent);
    text = without_blanks(text.substr(static_cast<std::size_t>(end - text.data())));
    if (text.starts_with(',')) {
      text.remove_prefix(1);
    } else if (!text.starts_with(')')) {
      return false;
    }
  }
}

// The head, and where it ends in the file; empty if it is cut off.
std::string_view head_of(std::string_view bytes, std::size_t& end) {
  constexpr std::size_t kVersionAt = 6, kLengthAt = 8;
  if (bytes.size() < kLengthAt + 4) return {};
  const bool is_long = bytes[kVersionAt] > 1;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + kLengthAt, is_long ? 4 : 2);
  const std::size_t begin = kLengthAt + (is_long ? 4 : 2);
  if (length > bytes.size() - begin) return {};
  end = begin + length;
  return bytes.substr(begin, length);
}

}  // namespace

std::optional<FeatureArray> parse_npy(std::string_view bytes,
                                      const std::string& file,
                                      Diagnostics& sink) {
  if (!bytes.starts_with("\x93NUMPY")) {
    return bad_features(file, "the file is no NumPy array", std::string(kHint), sink);
  }
  ArrayLayout layout;
  const std::string_view head = head_of(bytes, layout.begin);
  if (head.empty()) {
    return bad_features(file, "the head of the array is cut off", std::string(kHint), sink);
  }
  const std::string_view descr = value_of(head, "descr"), shape = value_of(head, "shape"),
                         order = value_of(head, "fortran_order");
  if (!read_descr(descr, layout)) {
    return bad_features(file,
                        fmt::format("the type of the array's numbers cannot be read: {}",
                                    shortened(descr.substr(0, descr.find(',')))),
                        "save it by numpy.save(path, array.astype('float32'))",
                        sink);
  }
  if (!read_shape(shape, layout)) {
    return bad_features(
        file,
        fmt::format(
            "the shape of the array cannot be read: {}; it must have at least one dimension",
            shortened(shape.substr(0, shape.find(')') + 1))),
        std::string(kHint),
        sink);
  }
  layout.first_index_fastest = order.starts_with("True");
  if (!layout.first_index_fastest && !order.starts_with("False")) {
    return bad_features(file, "the order of the array is not known", std::string(kHint), sink);
  }
  return take_rows(bytes, layout, file, sink);
}

}  // namespace sorites
