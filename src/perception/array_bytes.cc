#include "perception/array_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace sorites {
namespace {

static_assert(std::endian::native == std::endian::little);

// The number at `p` as a float.
template <class T>
float element(const char* p, bool big_endian) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, p, sizeof(T));
  if (big_endian) std::reverse(std::begin(bytes), std::end(bytes));
  T value{};
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<float>(value);
}

using Reader = float (*)(const char*, bool);

Reader reader_of(ElementType type) {
  switch (type) {
    case ElementType::kInt8:
      return element<std::int8_t>;
    case ElementType::kInt16:
      return element<std::int16_t>;
    case ElementType::kInt32:
      return element<std::int32_t>;
    case ElementType::kInt64:
      return element<std::int64_t>;
    case ElementType::kUint8:
      return element<std::uint8_t>;
    case ElementType::kUint16:
      return element<std::uint16_t>;
    case ElementType::kUint32:
      return element<std::uint32_t>;
    case ElementType::kUint64:
      return element<std::uint64_t>;
    case ElementType::kFloat32:
      return element<float>;
    case ElementType::kFloat64:
      return element<double>;
  }
  return nullptr;
}

// How many numbers there are; none if they could not be counted in bytes.
std::optional<std::size_t> product(std::span<const std::uint64_t> extents) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / sizeof(double);
  std::size_t count = 1;
  for (const std::uint64_t extent : extents) {
    if (extent == 0) return 0;
    if (count > kMost / extent) return std::nullopt;
    count *= extent;
  }
  return count;
}

// Where in the file each number of the array, in our order, stands: steps per index.
std::vector<std::size_t> strides_of(const ArrayLayout& layout) {
  std::vector<std::size_t> strides(layout.extents.size(), 1);
  for (std::size_t k = 1; k < strides.size(); ++k) {
    if (layout.first_index_fastest) {
      strides[k] = strides[k - 1] * layout.extents[k - 1];
    } else {
      const std::size_t i = strides.size() - 1 - k;
      strides[i] = strides[i + 1] * layout.extents[i + 1];
    }
  }
  return strides;
}

void copy_numbers(std::string_view numbers, const ArrayLayout& layout, std::vector<float>& out) {
  const Reader read = reader_of(layout.type);
  const std::size_t size = size_of(layout.type);
  if (!layout.first_index_fastest) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = layout.scale * read(numbers.data() + i * size, layout.big_endian);
    }
    return;
  }
  const std::vector<std::size_t> strides = strides_of(layout);
  std::vector<std::uint64_t> index(layout.extents.size());
  for (float& value : out) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < index.size(); ++k) at += index[k] * strides[k];
    value = layout.scale * read(numbers.data() + at * size, layout.big_endian);
    for (std::size_t k = index.size(); k-- > 0 && ++index[k] == layout.extents[k];) index[k] = 0;
  }
}

}  // namespace

std::size_t size_of(ElementType type) {
  constexpr std::size_t kSizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

std::nullopt_t bad_features(const std::string& file,
                            std::string message,
                            std::string hint,
                            Diagnostics& sink) {
  Diagnostic& d = sink.error(DiagnosticCode::kBadFeatures, Span{file, 0, 0, 0}, std::move(message));
  if (!hint.empty()) d.notes.push_back({std::move(hint), {}});
  return std::nullopt;
}

std::optional<FeatureArray> take_rows(std::string_view bytes,
                                      const ArrayLayout& layout,
                                      const std::string& file,
                                      Diagnostics& sink) {
  const std::string_view numbers = bytes.substr(layout.begin);
  const std::size_t size = size_of(layout.type);
  const auto count = product(layout.extents);
  if (!count || *count * size != numbers.size()) {
    return bad_features(
        file,
        fmt::format("the array should have {}, but {} bytes of numbers follow its head, at byte {}",
                    count ? fmt::format("{} numbers of {} bytes", *count, size)
                          : std::string("more numbers than any file can hold"),
                    numbers.size(),
                    layout.begin),
        "the file is cut off or damaged: copy or make it again",
        sink);
  }
  FeatureArray array;
  array.shape.assign(layout.extents.begin() + 1, layout.extents.end());
  if (array.shape.empty()) array.shape = {1};
  if (layout.extents.front() > 0 && *count == 0) {
    return bad_features(file, "the rows of the array are empty", {}, sink);
  }
  if (layout.extents.front() > std::numeric_limits<std::uint32_t>::max()) {
    return bad_features(file, "the array has more rows than can be numbered", {}, sink);
  }
  array.values.resize(*count);
  copy_numbers(numbers, layout, array.values);
  const auto bad = std::find_if(
      array.values.begin(), array.values.end(), [](float value) { return !std::isfinite(value); });
  if (bad == array.values.end()) return array;
  const auto at = static_cast<std::size_t>(bad - array.values.begin());
  return bad_features(file,
                      fmt::format("number {} of row {} (both from 0) is not finite",
                                  at % array.row_size(),
                                  at / array.row_size()),
                      "put 0, or the mean of the others, where nothing is known",
                      sink);
}

}  // namespace sorites
