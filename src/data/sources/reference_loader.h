// The rows of a data file, read slowly and plainly: what tests and the fuzzer hold the loader
// against.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/constant.h"
#include "base/utf8.h"
#include "sorites/database.h"

namespace sorites {

struct ReferenceRow {
  std::vector<std::string> arguments;  // canonical
  double value = 1.0;
  std::uint32_t line = 0;

  bool operator==(const ReferenceRow&) const = default;
};

struct ReferenceRecord {
  std::string raw;
  std::vector<std::string> fields;
  std::uint32_t line = 0;
};

inline std::string reference_trim(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

inline std::vector<ReferenceRecord> reference_tabs(const std::string& text) {
  std::vector<ReferenceRecord> records;
  std::istringstream lines(text);
  std::uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ReferenceRecord record{line, {}, ++number};
    const std::string inner = reference_trim(line);
    std::size_t begin = 0;
    while (true) {
      const std::size_t tab = inner.find('\t', begin);
      record.fields.push_back(reference_trim(inner.substr(begin, tab - begin)));
      if (tab == std::string::npos) break;
      begin = tab + 1;
    }
    records.push_back(record);
  }
  return records;
}

// One character after the other; none if the quotes do not fit.
inline std::optional<std::vector<ReferenceRecord>> reference_commas(const std::string& text) {
  enum class State { kFieldStart, kPlain, kQuoted, kQuoteInQuoted };
  std::vector<ReferenceRecord> records;
  ReferenceRecord record{"", {""}, 1};
  std::uint32_t line = 1;
  State state = State::kFieldStart;
  const auto end_record = [&] {
    if (record.raw.ends_with('\r') && state == State::kPlain) record.fields.back().pop_back();
    records.push_back(record);
    record = {"", {""}, line};
    state = State::kFieldStart;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (c == '\n' && state != State::kQuoted) {
      end_record();
      continue;
    }
    record.raw += c;
    const bool at_end = i + 1 == text.size() || text[i + 1] == '\n';
    if (state == State::kQuoted) {
      if (c == '"') {
        state = State::kQuoteInQuoted;
      } else {
        record.fields.back() += c;
      }
    } else if (state == State::kQuoteInQuoted && c == '"') {
      record.fields.back() += '"';
      state = State::kQuoted;
    } else if (c == ',') {
      record.fields.emplace_back();
      state = State::kFieldStart;
    } else if (state == State::kQuoteInQuoted) {
      if (c != '\r' || !at_end) return std::nullopt;
    } else if (c == '"') {
      if (state == State::kPlain) return std::nullopt;
      state = State::kQuoted;
    } else {
      record.fields.back() += c;
      state = State::kPlain;
    }
  }
  if (state == State::kQuoted) return std::nullopt;
  if (!record.raw.empty()) end_record();
  return records;
}

// None if anything is wrong with the text. Rows longer than max_bytes are wrong.
inline std::optional<std::vector<ReferenceRow>> reference_load(
    std::string text, bool commas, const std::vector<ArgumentType>& types, std::size_t max_bytes) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  const auto records = commas ? reference_commas(text) : std::optional(reference_tabs(text));
  if (!records) return std::nullopt;
  std::vector<ReferenceRow> rows;
  std::optional<std::size_t> num_columns;
  std::set<std::vector<std::string>> atoms;
  for (const ReferenceRecord& record : *records) {
    if (reference_trim(record.raw).empty()) continue;
    const std::size_t n = record.fields.size();
    if (record.raw.size() > max_bytes || find_invalid_utf8(record.raw) < record.raw.size() ||
        record.raw.find('\0') != std::string::npos) {
      return std::nullopt;
    }
    if (!num_columns) num_columns = n;
    if (n != *num_columns || (n != types.size() && n != types.size() + 1)) return std::nullopt;
    ReferenceRow row{{}, 1.0, record.line};
    for (std::size_t k = 0; k < types.size(); ++k) {
      const auto constant = canonical_constant(constant_type(types[k]), record.fields[k]);
      if (!constant) return std::nullopt;
      row.arguments.push_back(*constant);
    }
    if (n > types.size()) {
      const auto value = parse_real(record.fields.back());
      if (!value || !(*value >= 0 && *value <= 1)) return std::nullopt;
      row.value = *value;
    }
    if (!atoms.insert(row.arguments).second) return std::nullopt;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace sorites
