#include "data/sources/records.h"

#include <cctype>

namespace sorites {
namespace {

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() &&
         std::equal(
             ending.begin(), ending.end(), text.end() - std::ssize(ending), [](char a, char b) {
               return a == std::tolower(static_cast<unsigned char>(b));
             });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

bool is_gzip_name(std::string_view path) { return ends_with_ignoring_case(path, ".gz"); }

RowFormat format_of(std::string_view path) {
  if (is_gzip_name(path)) path.remove_suffix(3);
  return ends_with_ignoring_case(path, ".csv") ? RowFormat::kCommas : RowFormat::kTabs;
}

std::optional<QuotingMistake> FieldSplitter::split(std::string_view record) {
  fields_.clear();
  if (format_ == RowFormat::kCommas) return split_commas(record);
  split_tabs(record);
  return std::nullopt;
}

void FieldSplitter::split_tabs(std::string_view line) {
  line = trimmed(line);
  while (true) {
    const std::size_t tab = std::min(line.find('\t'), line.size());
    const std::string_view field = trimmed(line.substr(0, tab));
    fields_.push_back({field, field});
    if (tab == line.size()) return;
    line.remove_prefix(tab + 1);
  }
}

std::optional<QuotingMistake> FieldSplitter::split_commas(std::string_view record) {
  if (record.ends_with('\r')) record.remove_suffix(1);
  std::size_t at = 0;
  while (true) {
    if (at < record.size() && record[at] == '"') {
      if (const auto mistake = add_quoted(record, at)) return mistake;
    } else {
      const std::size_t end = std::min(record.find(',', at), record.size());
      const std::string_view field = record.substr(at, end - at);
      if (const std::size_t quote = field.find('"'); quote != std::string_view::npos) {
        return QuotingMistake{at + quote,
                              "a quote stands inside a field that does not begin with one"};
      }
      fields_.push_back({field, field});
      at = end;
    }
    if (at == record.size()) return std::nullopt;
    ++at;  // the comma
  }
}

// The quoted field at `at`; sets `at` behind it, to a comma or the end.
std::optional<QuotingMistake> FieldSplitter::add_quoted(std::string_view record, std::size_t& at) {
  const std::size_t begin = at + 1;
  bool doubled = false;
  std::size_t end = record.find('"', begin);
  while (end != std::string_view::npos && end + 1 < record.size() && record[end + 1] == '"') {
    doubled = true;
    end = record.find('"', end + 2);
  }
  if (end == std::string_view::npos) {
    return QuotingMistake{at, "a quote is opened here and never closed"};
  }
  if (end + 1 < record.size() && record[end + 1] != ',') {
    return QuotingMistake{at, "text follows the closing quote of a field", end};
  }
  std::string_view text = record.substr(begin, end - begin);
  const std::string_view raw = record.substr(at, end + 1 - at);
  if (doubled) {
    std::string& plain = unquoted_.emplace_back();
    for (std::size_t i = 0; i < text.size(); ++i) {
      plain += text[i];
      if (text[i] == '"') ++i;
    }
    text = plain;
  }
  fields_.push_back({text, raw});
  at = end + 1;
  return std::nullopt;
}

}  // namespace sorites
