// The format of MNIST: two zeros, the type of the numbers, how many dimensions there are, their
// extents in four bytes each, and the numbers; all big-endian. yann.lecun.com/exdb/mnist.
#include <fmt/format.h>

#include "perception/array_bytes.h"
#include "perception/read_features.h"

namespace sorites {
namespace {

constexpr std::size_t kMagicBytes = 4, kExtentBytes = 4;  // of the format

std::optional<ElementType> element_type(unsigned char code) {
  switch (code) {
    case 0x08:
      return ElementType::kUint8;
    case 0x09:
      return ElementType::kInt8;
    case 0x0B:
      return ElementType::kInt16;
    case 0x0C:
      return ElementType::kInt32;
    case 0x0D:
      return ElementType::kFloat32;
    case 0x0E:
      return ElementType::kFloat64;
    default:
      return std::nullopt;
  }
}

std::uint64_t big_endian_number(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = (number << 8U) | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace

std::optional<FeatureArray> parse_idx(std::string_view bytes,
                                      const std::string& file,
                                      Diagnostics& sink) {
  const std::string hint = "the file is damaged, or no IDX file: copy it again";
  if (bytes.size() < kMagicBytes || bytes[0] != 0 || bytes[1] != 0) {
    return bad_features(file, "an IDX file begins with two zeros, a type and a count", hint, sink);
  }
  const auto code = static_cast<unsigned char>(bytes[2]);
  const auto type = element_type(code);
  if (!type) {
    return bad_features(file,
                        fmt::format("byte 2 says type 0x{:02x}, which IDX files do not have", code),
                        hint,
                        sink);
  }
  const auto dimensions = static_cast<unsigned char>(bytes[3]);
  ArrayLayout layout{.type = *type, .big_endian = true};
  layout.begin = kMagicBytes + dimensions * kExtentBytes;
  if (dimensions == 0 || bytes.size() < layout.begin) {
    return bad_features(
        file,
        fmt::format("byte 3 says {} dimensions, whose sizes are not there", dimensions),
        hint,
        sink);
  }
  for (std::size_t k = 0; k < dimensions; ++k) {
    layout.extents.push_back(
        big_endian_number(bytes.substr(kMagicBytes + k * kExtentBytes, kExtentBytes)));
  }
  const bool are_images = dimensions >= 3 && *type == ElementType::kUint8;
  constexpr float kBrightest = 255.0F;  // a byte
  if (are_images) layout.scale = 1.0F / kBrightest;
  auto array = take_rows(bytes, layout, file, sink);
  if (array && dimensions == 3) array->shape.insert(array->shape.begin(), 1);  // one channel
  return array;
}

}  // namespace sorites
