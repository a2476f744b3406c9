// A hash of what must be the same again, for fingerprints in files: every compiler and library
// gives the same one, which std::hash does not promise.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace sorites {

// A multiplicative hash of 64-bit words: it tells changes apart, it is no defence against an
// adversary. What is added is told apart by its order, texts also by where they end.
class StableHash {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * kFactor + (value_ >> 32U); }
  void add(double number) {
    std::uint64_t word = 0;
    std::memcpy(&word, &number, sizeof word);
    add(word);
  }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio
  // The offset basis of the hash of Fowler, Noll and Vo: any number that is not 0 will do.
  static constexpr std::uint64_t kStart = 0xCBF29CE484222325U;

  std::uint64_t value_ = kStart;
};

}  // namespace sorites
