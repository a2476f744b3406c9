// The two formats of data files: how text falls into records, and records into fields.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sorites {

enum class RowFormat : std::uint8_t {
  kTabs,    // lines of fields with one tab between; lines and fields are trimmed, nothing is quoted
  kCommas,  // RFC 4180; nothing is trimmed
};

// By the ending of the name, an ending .gz aside.
RowFormat format_of(std::string_view path);
bool is_gzip_name(std::string_view path);

// Some programs put a byte-order mark before the text.
inline std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_blank(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char c) { return is_blank(c); });
}

// A line; of CSV, as many lines as its quotes span.
struct Record {
  std::string_view text;        // without its end of line
  const char* next;             // where the next one begins
  std::uint32_t num_lines = 1;  // that it spans
};

// The record at `p`; `quoted` if quotes can hide ends of lines. There must be one: p < end.
inline Record next_record(const char* p, const char* end, bool quoted) {
  Record record{{}, end, 1};
  const char* line = p;
  bool inside = false;
  while (true) {
    const auto* newline =
        static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
    const char* line_end = newline == nullptr ? end : newline;
    if (quoted) inside ^= (std::count(line, line_end, '"') & 1) != 0;
    if (!inside || newline == nullptr) {
      record.text = {p, static_cast<std::size_t>(line_end - p)};
      record.next = newline == nullptr ? end : newline + 1;
      return record;
    }
    ++record.num_lines;
    line = newline + 1;
  }
}

struct RecordField {
  std::string_view text;  // what it says
  std::string_view raw;   // where it stands in the record
};

// A quote that does not fit, and why.
struct QuotingMistake {
  std::size_t offset;
  std::string_view message;
  std::size_t other_offset = 0;  // for text after a closing quote: where that is
};

// Takes a record to fields; reused for many.
class FieldSplitter {
 public:
  explicit FieldSplitter(RowFormat format) : format_(format) {}

  // Fills fields(), unless the quotes do not fit.
  std::optional<QuotingMistake> split(std::string_view record);
  const std::vector<RecordField>& fields() const { return fields_; }

  // Fields in which a doubled quote stands for one point into this, all others into the record.
  std::deque<std::string> take_unquoted() { return std::move(unquoted_); }

 private:
  void split_tabs(std::string_view line);
  std::optional<QuotingMistake> split_commas(std::string_view record);
  std::optional<QuotingMistake> add_quoted(std::string_view record, std::size_t& at);

  RowFormat format_;
  std::vector<RecordField> fields_;
  std::deque<std::string> unquoted_;
};

}  // namespace sorites
