// Plain structs in framed files. A table per struct is all that says what is written and read:
//
//   template <>
//   inline constexpr auto kFields<AdamState> =
//       std::tuple{Field{"steps", &AdamState::steps}, Field{"mean", &AdamState::mean}};
//
//   save_struct(state, kFormat, fingerprint, path);
//   const auto state = load_struct<AdamState>(path, kFormat, fingerprint, check);
//
// Each field is a section: its name, what it is (a number, an array, a list, ...), how large its
// elements are, how many there are, and then they themselves. Reading compares all of this with the
// table before anything is allocated, so that no number is ever taken for another.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "base/framed_file.h"

namespace sorites {

template <class Struct, class Member>
struct Field {
  std::string_view name;
  Member Struct::*member;
};
template <class Struct, class Member>
Field(std::string_view, Member Struct::*) -> Field<Struct, Member>;

// The table of a struct.
template <class Struct>
inline constexpr auto kFields = nullptr;

// What a section holds. Numbers are part of the format.
enum class SectionKind : std::uint8_t { kNumber = 1, kArray, kList, kOptional, kStruct };

namespace saved {

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
concept Struct = !std::same_as<std::remove_cv_t<decltype(kFields<T>)>, std::nullptr_t>;
template <class T>
concept Optional = requires {
  typename T::value_type;
}
&&std::same_as<T, std::optional<typename T::value_type>>;
// Elements that lie in memory as they do in the file.
template <class T>
concept Array = requires(T& values) {
  values.data()[0];
}
&&std::is_trivially_copyable_v<std::decay_t<decltype(std::declval<T>().data()[0])>> &&
    !Struct<std::decay_t<decltype(std::declval<T>().data()[0])>>;

struct Head {
  SectionKind kind = SectionKind::kNumber;
  std::uint8_t element_bytes = 0;  // of numbers and arrays
  std::uint64_t count = 1;
};
inline constexpr std::size_t kHeadBytes = 10;

template <class T>
constexpr Head head_of(const T& value) {
  if constexpr (Number<T>) {
    return {SectionKind::kNumber, sizeof(T), 1};
  } else if constexpr (Struct<T>) {
    return {SectionKind::kStruct, 0, std::tuple_size_v<std::decay_t<decltype(kFields<T>)>>};
  } else if constexpr (Optional<T>) {
    return {SectionKind::kOptional, 0, value.has_value() ? 1U : 0U};
  } else if constexpr (Array<T>) {
    return {SectionKind::kArray, sizeof(value.data()[0]), value.size()};
  } else {
    return {SectionKind::kList, 0, value.size()};
  }
}

template <class T>
void write(FrameWriter& out, const T& value) {
  const Head head = head_of(value);
  out.number(head.kind);
  out.number(head.element_bytes);
  out.number(head.count);
  if constexpr (Number<T>) {
    out.number(value);
  } else if constexpr (Struct<T>) {
    const auto write_field = [&](const auto& field) {
      out.number(static_cast<std::uint8_t>(field.name.size()));
      out.bytes(field.name.data(), field.name.size());
      write(out, value.*field.member);
    };
    std::apply([&](const auto&... fields) { (write_field(fields), ...); }, kFields<T>);
  } else if constexpr (Optional<T>) {
    if (value) write(out, *value);
  } else if constexpr (Array<T>) {
    out.bytes(value.data(), value.size() * sizeof(value.data()[0]));
  } else {
    for (const auto& element : value) write(out, element);
  }
}

// The head that stands next, which must be of this kind; `name` is that of the section, for errors.
Head read_head(FrameCursor& in, const Head& expected, std::string_view name);
void read_name(FrameCursor& in, std::string_view expected);

template <class T>
void read(FrameCursor& in, T& value, std::string_view name) {
  value = T();
  const Head head = read_head(in, head_of(value), name);
  if constexpr (std::same_as<T, bool>) {
    const auto byte = in.number<std::uint8_t>();
    if (byte > 1) throw DamagedFrame(fmt::format("`{}` is out of range", name));
    value = byte == 1;
  } else if constexpr (Number<T>) {
    value = in.number<T>();
  } else if constexpr (Struct<T>) {
    const auto read_field = [&](const auto& field) {
      read_name(in, field.name);
      read(in, value.*field.member, field.name);
    };
    std::apply([&](const auto&... fields) { (read_field(fields), ...); }, kFields<T>);
  } else if constexpr (Optional<T>) {
    if (head.count > 0) read(in, value.emplace(), name);
  } else if constexpr (Array<T>) {
    in.elements(value, head.count);
  } else {
    for (std::uint64_t i = 0; i < head.count; ++i) read(in, value.emplace_back(), name);
  }
}

// Says in an InputError what is wrong with a file.
[[noreturn]] void refuse(const std::string& path,
                         const FrameFormat& format,
                         const std::string& problem);

}  // namespace saved

// The file is there whole or not at all. Throws IoError.
template <class T>
void save_struct(const T& value,
                 const FrameFormat& format,
                 std::uint64_t fingerprint,
                 const std::string& path) {
  FrameWriter out(path);
  saved::write(out, value);
  out.finish(format, fingerprint);
}

// The struct that the bytes of a file hold, or what is wrong with them. `check` throws DamagedFrame
// where values do not fit each other.
template <class T>
std::variant<T, std::string> read_struct(std::span<const char> file,
                                         const FrameFormat& format,
                                         std::uint64_t fingerprint,
                                         const auto& check) {
  const auto body = body_of(file, format, fingerprint);
  if (const auto* problem = std::get_if<std::string>(&body)) return *problem;
  try {
    FrameCursor in(std::get<std::span<const char>>(body));
    T value;
    saved::read(in, value, format.name);
    if (in.left() > 0) throw DamagedFrame("it goes on after its end");
    check(std::as_const(value));
    return value;
  } catch (const DamagedFrame& error) {
    return fmt::format("it is damaged: {}", error.what());
  }
}

// Throws IoError if the file cannot be read, InputError if it is cut off, damaged, of another
// version, or belongs to something else.
template <class T>
T load_struct(const std::string& path,
              const FrameFormat& format,
              std::uint64_t fingerprint,
              const auto& check) {
  const FileMapping file(path);
  auto result = read_struct<T>(file.bytes(), format, fingerprint, check);
  if (const auto* problem = std::get_if<std::string>(&result)) {
    saved::refuse(path, format, *problem);
  }
  return std::get<T>(std::move(result));
}

}  // namespace sorites
