// Many constants at once into a dictionary. Codes are given in order of first appearance.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sorites/database.h"

namespace sorites {

inline constexpr std::size_t kMaxConstants = (std::size_t{1} << 31U) - 1;  // of one dictionary

// The bits that stand for a number: of a real, those of the double, with one zero only.
std::uint64_t bits_of(std::int64_t number);
std::uint64_t bits_of(double number);

// Interns numbers[i] (by bits_of) with hashes[i] (by hash_number) as codes[i].
void intern_numbers(Dictionary& dictionary,
                    std::span<const std::uint64_t> numbers,
                    std::span<const std::uint32_t> hashes,
                    std::span<Code> codes);

// Interns texts[i] with hashes[i] (by hash_text) as codes[i].
void intern_texts(Dictionary& dictionary,
                  std::span<const std::string_view> texts,
                  std::span<const std::uint32_t> hashes,
                  std::span<Code> codes);

}  // namespace sorites
