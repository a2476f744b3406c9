// Numbers of arrays, from the bytes in which files hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "perception/networks.h"

namespace sorites {

enum class ElementType : std::uint8_t {
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat32,
  kFloat64,
};
std::size_t size_of(ElementType type);

struct ArrayLayout {
  ElementType type = ElementType::kFloat32;
  bool big_endian = false;
  bool first_index_fastest = false;    // Fortran's order
  std::vector<std::uint64_t> extents;  // rows first
  std::size_t begin = 0;               // of the numbers in the file
  float scale = 1.0F;                  // numbers are multiplied by it
};

// The rows of an array whose head is read. An error, and none, if the bytes are not as many as the
// head says, or a number is not finite.
std::optional<FeatureArray> take_rows(std::string_view bytes,
                                      const ArrayLayout& layout,
                                      const std::string& file,
                                      Diagnostics& sink);

// An error about the whole file, with a hint how to mend it.
std::nullopt_t bad_features(const std::string& file,
                            std::string message,
                            std::string hint,
                            Diagnostics& sink);

}  // namespace sorites
