// Names of the values of an enumeration, in the order of its values, which count from 0.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace sorites {

template <class Enum, std::size_t kSize>
constexpr std::string_view name_in(const std::array<std::string_view, kSize>& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < kSize ? names[index] : std::string_view();  // no value has no name
}

template <class Enum, std::size_t kSize>
constexpr std::optional<Enum> value_named(const std::array<std::string_view, kSize>& names,
                                          std::string_view name) {
  for (std::size_t i = 0; i < kSize; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace sorites
