// Hashes of constants and rows: 32 bits, of which the high ones choose a slot and the low ones its
// tag (slots.h), so all must be good.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sorites {

__extension__ using Product = unsigned __int128;

// Both halves of the product: every bit of the result depends on all bits of `a` (with an odd `b`
// of many bits).
inline std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
  const Product product = static_cast<Product>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

// Odd, with bits spread at random.
inline constexpr std::uint64_t kHashSeed = 0x9E3779B97F4A7C15U;
inline constexpr std::uint64_t kHashFactor = 0xD1B54A32D192ED03U;
inline constexpr std::uint64_t kHashFinal = 0x8CB92BA72F3D8DD7U;

inline std::uint32_t finish_hash(std::uint64_t state) {
  return static_cast<std::uint32_t>((state * kHashFinal) >> 32U);
}

inline std::uint32_t hash_number(std::uint64_t bits) {
  return finish_hash(fold_multiply(bits ^ kHashSeed, kHashFactor));
}

inline std::uint32_t hash_text(std::string_view text) {
  std::uint64_t state = kHashSeed ^ text.size();
  const char* p = text.data();
  std::size_t left = text.size();
  std::uint64_t word = 0;
  for (; left > sizeof word; p += sizeof word, left -= sizeof word) {
    std::memcpy(&word, p, sizeof word);
    state = fold_multiply(state ^ word, kHashFactor);
  }
  word = 0;
  for (std::size_t i = 0; i < left; ++i) {
    word = (word << 8U) | static_cast<unsigned char>(p[i]);
  }
  return finish_hash(fold_multiply(state ^ word, kHashFactor));
}

// The hash of the row whose argument k is code(k).
template <class CodeAt>
std::uint32_t hash_row(std::size_t arity, const CodeAt& code) {
  std::uint64_t state = kHashSeed;
  std::size_t k = 0;
  for (; k + 1 < arity; k += 2) {
    const std::uint64_t pair = (std::uint64_t{code(k)} << 32U) | code(k + 1);
    state = fold_multiply(state ^ pair, kHashFactor);
  }
  if (k < arity) state = fold_multiply(state ^ code(k), kHashFactor);
  return finish_hash(state);
}

}  // namespace sorites
