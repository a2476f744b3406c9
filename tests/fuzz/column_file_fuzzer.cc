// Any bytes as a column file of tagged text: they have the rows of a view, each in the line of its
// token, or a mistake; and words for networks.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "data/sources/column_file.h"
#include "perception/token_rows.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t tokens = 0;
  std::uint32_t last_line = 0;
  const auto sentences = sorites::read_column_file(text);
  for (const auto& sentence : sentences) {
    SORITES_CHECK(!sentence.empty(), "a sentence has tokens");
    tokens += sentence.size();
    for (const auto& token : sentence) {
      SORITES_CHECK(token.line > last_line, "tokens come line by line");
      SORITES_CHECK(!token.columns.empty(), "a token has a word");
      last_line = token.line;
    }
  }
  for (const char* view :
       {"token", "first", "last", "next", "sentence", "0", "-1:bioes", "1:bio"}) {
    const auto rows = sorites::rows_of_view(sentences, view);
    SORITES_CHECK(rows.error.empty() || rows.text.empty(), "there are rows, or a mistake");
  }
  const auto rows = sorites::token_rows(text);
  SORITES_CHECK(rows.lines.size() == tokens, "every token is a row");
  SORITES_CHECK(rows.array.values.size() == tokens * sorites::kSizeOfTokenRow, "of one size");
  return 0;
}
