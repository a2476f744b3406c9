#include "perception/token_rows.h"

#include "base/stable_hash.h"
#include "data/sources/column_file.h"
#include "perception/read_features.h"

namespace sorites {
namespace {

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// From 1: 0 stands for words that training did not see.
float number_of(std::string_view word) {
  std::string small(word);
  for (char& c : small) c = small_letter(c);
  StableHash hash;
  hash.add(std::string_view(small));
  constexpr unsigned kLowBits = 20;  // of a product, which depend on few letters
  return static_cast<float>(1 + (hash.value() >> kLowBits) % (kWordNumbers - 1));
}

void add_row(std::string_view word, std::vector<float>& values) {
  values.push_back(number_of(word));
  for (std::size_t i = 0; i < kLettersOfWord; ++i) {
    values.push_back(i < word.size() ? static_cast<float>(static_cast<unsigned char>(word[i]))
                                     : 0.0F);
  }
}

}  // namespace

bool has_token_rows(std::string_view path) {
  const auto file = column_file_view(path);
  return file && file->view.empty();
}

TokenRows token_rows(std::string_view text) {
  TokenRows rows;
  rows.array.shape = {kSizeOfTokenRow};
  for (const ColumnFileSentence& sentence : read_column_file(text)) {
    rows.sentence_begins.push_back(static_cast<std::uint32_t>(rows.lines.size()));
    for (const ColumnFileToken& token : sentence) {
      add_row(token.columns.front(), rows.array.values);
      rows.lines.push_back(token.line);
    }
  }
  return rows;
}

std::optional<TokenRows> read_token_rows(const std::string& path, Diagnostics& sink) {
  const auto bytes = open_features(path, sink);
  if (!bytes) return std::nullopt;
  TokenRows rows = token_rows(bytes->view());
  if (!rows.lines.empty()) return rows;
  sink.error(DiagnosticCode::kBadFeatures, Span{path, 0, 0, 0}, "the column file has no tokens");
  return std::nullopt;
}

}  // namespace sorites
