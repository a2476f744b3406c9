// Words of tagged text as rows of numbers, for networks that read sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "perception/networks.h"

namespace sorites {

// A row is the number of the word, in small letters, then its bytes; 0 behind its end. Words are
// numbered by a hash, so that there is no list of them to keep: one in ten of ten thousand shares
// its number with another.
inline constexpr std::size_t kWordNumbers = std::size_t{1} << 16U;
inline constexpr std::size_t kLettersOfWord = 20;  // the first ones; few words are longer
inline constexpr std::size_t kSizeOfTokenRow = 1 + kLettersOfWord;

struct TokenRows {
  FeatureArray array;
  std::vector<std::uint32_t> lines;            // per row: of the token, which is its name
  std::vector<std::uint32_t> sentence_begins;  // rows
};

bool has_token_rows(std::string_view path);  // a column file

// Words are the first column.
TokenRows token_rows(std::string_view text);
std::optional<TokenRows> read_token_rows(const std::string& path, Diagnostics& sink);

}  // namespace sorites
