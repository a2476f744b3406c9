// Numbers of data files, for the most part without from_chars.
#pragma once

#include <cstdint>
#include <string_view>

namespace sorites {

// Both read from `p` on, up to the first byte that does not belong to the number, set `p` to it and
// return true; or they return false, for anything that is not short and plain. There must be a byte
// in reach that ends every number, such as '\n'.

// At most 18 digits, with or without '-'.
inline bool read_short_integer(const char*& p, std::int64_t& result) {
  const char* q = p;
  const bool negative = *q == '-';
  if (negative) ++q;
  const char* digits = q;
  std::uint64_t number = 0;
  for (unsigned digit = 0; (digit = static_cast<unsigned char>(*q) - unsigned{'0'}) <= 9; ++q) {
    number = 10 * number + digit;  // wraps for long ones, which are refused below
  }
  constexpr std::ptrdiff_t kMostDigits = 18;
  if (q == digits || q - digits > kMostDigits) return false;
  result = negative ? -static_cast<std::int64_t>(number) : static_cast<std::int64_t>(number);
  p = q;
  return true;
}

// Digits, and perhaps a point and more digits, at most 18 in all, that as an integer m are at most
// 2^53. Then m and the power of ten are exact doubles, so their quotient is the nearest double to
// the decimal (Clinger 1990), which is what from_chars gives.
inline bool read_short_decimal(const char*& p, double& result) {
  constexpr double kPowersOfTen[] = {1e0,
                                     1e1,
                                     1e2,
                                     1e3,
                                     1e4,
                                     1e5,
                                     1e6,
                                     1e7,
                                     1e8,
                                     1e9,
                                     1e10,
                                     1e11,
                                     1e12,
                                     1e13,
                                     1e14,
                                     1e15,
                                     1e16,
                                     1e17,
                                     1e18};
  constexpr std::ptrdiff_t kMostDigits = 18;
  constexpr std::uint64_t kLargestExact = std::uint64_t{1} << 53U;
  const char* q = p;
  std::uint64_t number = 0;
  const auto digits = [&] {
    const char* first = q;
    for (unsigned digit = 0; (digit = static_cast<unsigned char>(*q) - unsigned{'0'}) <= 9; ++q) {
      number = 10 * number + digit;
    }
    return q - first;
  };
  const std::ptrdiff_t before = digits();
  std::ptrdiff_t after = 0;
  if (before == 0) return false;
  if (*q == '.') {
    ++q;
    after = digits();
    if (after == 0) return false;
  }
  if (before + after > kMostDigits || number > kLargestExact) return false;
  if (*q == 'e' || *q == 'E') return false;
  result = static_cast<double>(number) / kPowersOfTen[after];
  p = q;
  return true;
}

enum class ValueStatus : std::uint8_t { kGood, kNotANumber, kOutOfRange };

// A truth value: any decimal number in [0, 1]. NaN and infinities are out of range.
ValueStatus parse_value(std::string_view text, double& result);

}  // namespace sorites
