#include "perception/entity_list.h"

#include <fmt/format.h>

#include <limits>

#include "base/constant.h"
#include "base/mistake_limits.h"
#include "data/sources/file_bytes.h"
#include "data/sources/records.h"

namespace sorites {
namespace {

class EntityReader {
 public:
  EntityReader(const std::string& path,
               std::span<const ArgumentType> types,
               AfterEntity after,
               std::uint64_t num_rows,
               Diagnostics& sink)
      : path_(path), types_(types), after_(after), num_rows_(num_rows), sink_(sink) {}

  EntityRows read(std::string_view text) {
    EntityRows rows;
    FieldSplitter splitter(RowFormat::kTabs);
    std::uint32_t line = 0, next_row = 0;
    for (const char *p = text.data(), *end = p + text.size(); p < end;) {
      const Record record = next_record(p, end, false);
      p = record.next;
      ++line;
      if (is_blank(record.text)) continue;
      splitter.split(record.text);
      add(splitter.fields(), line, next_row++, rows);
    }
    if (mistakes_ > kMostMistakesPerFile) {
      sink_.error(
          DiagnosticCode::kMoreMistakes,
          Span{path_},
          fmt::format("... and {} more mistakes in this file", mistakes_ - kMostMistakesPerFile));
    }
    return rows;
  }

 private:
  void add(const std::vector<RecordField>& fields,
           std::uint32_t line,
           std::uint32_t by_line,
           EntityRows& rows) {
    const std::size_t needed = types_.size() + (after_ == AfterEntity::kRowNumber ? 1 : 0);
    const bool exact = after_ == AfterEntity::kRowNumber;
    if (fields.size() < needed || (exact && fields.size() > needed)) {
      return mistake(DiagnosticCode::kColumnCount,
                     line,
                     fmt::format("this line has {} column{}, but an entity has {} argument{}{}",
                                 fields.size(),
                                 fields.size() == 1 ? "" : "s",
                                 types_.size(),
                                 types_.size() == 1 ? "" : "s",
                                 exact ? " and a row number" : ""));
    }
    std::vector<std::string> arguments;
    for (std::size_t k = 0; k < types_.size(); ++k) arguments.emplace_back(fields[k].text);
    std::uint32_t row = by_line;
    if (exact && !row_number(fields.back().text, line, row)) return;
    const std::string key = entity_key(arguments, types_);
    std::uint32_t first = 0;
    if (rows.add(key, row, line, first)) return;
    mistake(DiagnosticCode::kDuplicateFeatures,
            line,
            fmt::format("the entity {} stands twice", entity_text(key)),
            first);
  }

  bool row_number(std::string_view text, std::uint32_t line, std::uint32_t& row) {
    const auto number = parse_integer(text);
    if (number && *number >= 0 && static_cast<std::uint64_t>(*number) < num_rows_) {
      row = static_cast<std::uint32_t>(*number);
      return true;
    }
    mistake(DiagnosticCode::kBadFeatures,
            line,
            number ? fmt::format("there is no row {}: the features have rows 0 to {}",
                                 *number,
                                 static_cast<std::int64_t>(num_rows_) - 1)
                   : fmt::format("`{}` is no row number", text));
    return false;
  }

  void mistake(DiagnosticCode code,
               std::uint32_t line,
               std::string message,
               std::uint32_t first_line = 0) {
    if (++mistakes_ > kMostMistakesPerFile) return;
    Diagnostic& added = sink_.error(code, Span{path_, line, 0, 0}, std::move(message));
    if (first_line != 0) added.notes.push_back({"the first one", Span{path_, first_line, 0, 0}});
  }

  const std::string& path_;
  std::span<const ArgumentType> types_;
  AfterEntity after_;
  std::uint64_t num_rows_;
  Diagnostics& sink_;
  std::size_t mistakes_ = 0;
};

}  // namespace

std::string entity_key(std::span<const std::string> arguments,
                       std::span<const ArgumentType> types) {
  std::string key;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (k > 0) key += '\t';
    key += canonical_constant(constant_type(types[k]), arguments[k]).value_or(arguments[k]);
  }
  return key;
}

std::vector<std::string> arguments_of(std::string_view key) {
  std::vector<std::string> arguments;
  while (true) {
    const std::size_t end = std::min(key.find('\t'), key.size());
    arguments.emplace_back(key.substr(0, end));
    if (end == key.size()) return arguments;
    key.remove_prefix(end + 1);
  }
}

std::string entity_text(std::string_view key) {
  return fmt::format("('{}')", fmt::join(arguments_of(key), "', '"));
}

bool EntityRows::add(const std::string& key,
                     std::uint32_t row,
                     std::uint32_t line,
                     std::uint32_t& first_line) {
  const auto [entry, is_new] = entries_.try_emplace(key, Entry{row, line});
  if (is_new) keys_.push_back(key);
  first_line = entry->second.line;
  return is_new;
}

std::optional<std::uint32_t> EntityRows::row_of(const std::string& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? std::nullopt : std::optional(found->second.row);
}

EntityRows read_entities(const std::string& path,
                         std::span<const ArgumentType> types,
                         AfterEntity after,
                         std::uint64_t num_rows,
                         const Span& declared_at,
                         Diagnostics& sink) {
  OpenedFile file = open_file(path);
  if (file.error.empty() && is_gzip_name(path)) {
    const FileBytes packed = std::move(file.bytes);
    file = unpack_gzip(packed.view());
  }
  if (!file.error.empty()) {
    sink.error(DiagnosticCode::kUnreadableFile,
               declared_at,
               fmt::format("cannot read `{}`: {}", path, file.error));
    return {};
  }
  return EntityReader(path, types, after, num_rows, sink).read(file.bytes.view());
}

}  // namespace sorites
