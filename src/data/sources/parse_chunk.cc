#include "data/sources/parse_chunk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/constant.h"
#include "base/utf8.h"
#include "data/index.h"
#include "data/sources/number.h"

namespace sorites {
namespace {

// A constant before it has a code.
struct Cell {
  std::uint64_t bits = 0;
  std::string_view text;
};

class ChunkParser {
 public:
  ChunkParser(const InputFile& file,
              const Chunk& chunk,
              const ChunkTarget& target,
              ParseScratch& scratch,
              ParsedChunk& result);
  void run();

 private:
  bool read_plain_row(const char*& p);
  bool read_plain_cell(const char*& p, Cell& cell, ConstantType type) const;
  bool read_plain_text(const char*& p, Cell& cell) const;
  const char* read_record(const char* p);
  bool read_fields(std::string_view record);
  bool read_cells(std::string_view record);
  bool read_value(std::string_view record, const RecordField& field);
  void store_row();
  void store_bad_row();
  void next_row(std::uint32_t num_lines);

  void report(DiagnosticCode code,
              std::string_view record,
              std::string_view at,
              const std::string& message,
              const std::string& hint = {});
  void report_quoting(std::string_view record, const QuotingMistake& mistake);
  void report_column_count(std::string_view record);
  bool has_bad_bytes(std::string_view record);

  const InputFile& file_;
  const Chunk& chunk_;
  const Predicate& predicate_;
  ParseScratch& scratch_;
  ParsedChunk& result_;
  const std::size_t max_line_bytes_;
  const char separator_;
  bool suspicious_ = false;  // there are bytes in the chunk that must not be

  const DomainSlots domains_;
  std::vector<ConstantType> types_;  // per argument
  std::vector<Code*> columns_;       // per argument: of the chunk's first row
  double* values_ = nullptr;         // of the chunk's first row, if the table has values
  FieldSplitter splitter_;
  std::vector<Cell> cells_;  // per argument, of the row being read
  double value_ = 1.0;
  std::size_t row_ = 0;     // within the chunk
  std::uint32_t line_ = 0;  // on which the row being read begins
};

// Room for `num_constants`, keeping the memory.
void clear_slots(HashSlots& table, std::size_t num_constants) {
  table.slots.assign(num_slots_for(num_constants), kEmptySlot);
  table.id_mask = static_cast<std::uint32_t>(std::bit_ceil(num_constants + 2) - 1);
}

ChunkParser::ChunkParser(const InputFile& file,
                         const Chunk& chunk,
                         const ChunkTarget& target,
                         ParseScratch& scratch,
                         ParsedChunk& result)
    : file_(file),
      chunk_(chunk),
      predicate_(*target.predicate),
      scratch_(scratch),
      result_(result),
      max_line_bytes_(target.max_line_bytes),
      separator_(file.format == RowFormat::kTabs ? '\t' : ','),
      domains_(predicate_),
      splitter_(file.format),
      cells_(predicate_.arity()),
      line_(static_cast<std::uint32_t>(chunk.first_line)) {
  const std::size_t num_slots = domains_.domains.size();
  std::vector<std::size_t> num_cells(num_slots, 0);
  for (std::size_t k = 0; k < predicate_.arity(); ++k) {
    types_.push_back(constant_type(predicate_.types[k]));
    num_cells[domains_.of_argument[k]] += chunk.num_rows;
    columns_.push_back(target.table->columns[k].data() + chunk.first_row);
  }
  scratch.slots.resize(std::max(scratch.slots.size(), num_slots));
  result.dictionaries.resize(std::max(result.dictionaries.size(), num_slots));
  for (std::size_t d = 0; d < num_slots; ++d) clear_slots(scratch.slots[d], num_cells[d]);
  if (!target.table->values.empty()) values_ = target.table->values.data() + chunk.first_row;
}

void ChunkParser::run() {
  const std::string_view text = chunk_.text;
  suspicious_ = text.find('\0') != std::string_view::npos || find_invalid_utf8(text) < text.size();
  // Plain rows are read without a look at where the chunk ends: up to its last '\n' there is always
  // one to stop at.
  const std::size_t last_newline = text.rfind('\n');
  const bool plain = !suspicious_ && !chunk_.quoted && last_newline != std::string_view::npos;
  const char* p = text.data();
  const char* plain_end = plain ? p + last_newline : p;
  const char* end = p + text.size();
  while (p < end) {
    if (p < plain_end && read_plain_row(p)) {
      store_row();
      next_row(1);
    } else {
      p = read_record(p);
    }
  }
  SORITES_CHECK(row_ == chunk_.num_rows, "counting and parsing agree on the rows");
  result_.unquoted = splitter_.take_unquoted();
}

// A row in which nothing needs a second look: no blanks around fields, short numbers, nothing that
// is wrong. Otherwise `p` stays where it is.
bool ChunkParser::read_plain_row(const char*& p) {
  const char* q = p;
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    if (k > 0 && *q++ != separator_) return false;
    if (!read_plain_cell(q, cells_[k], types_[k])) return false;
  }
  value_ = 1.0;
  if (file_.has_values) {
    if (!cells_.empty() && *q++ != separator_) return false;
    if (!read_short_decimal(q, value_) || value_ > 1.0) return false;
  }
  if (*q == '\r') ++q;
  if (*q != '\n' || static_cast<std::size_t>(q - p) > max_line_bytes_) return false;
  p = q + 1;
  return true;
}

bool ChunkParser::read_plain_cell(const char*& p, Cell& cell, ConstantType type) const {
  if (type == ConstantType::kText) return read_plain_text(p, cell);
  if (type == ConstantType::kInteger) {
    std::int64_t number = 0;
    if (!read_short_integer(p, number)) return false;
    cell.bits = bits_of(number);
    return true;
  }
  double number = 0.0;
  if (!read_short_decimal(p, number)) return false;
  cell.bits = bits_of(number);
  return true;
}

bool ChunkParser::read_plain_text(const char*& p, Cell& cell) const {
  const char* q = p;
  while (*q != separator_ && *q != '\n') ++q;
  const char* end = q;
  if (*q == '\n' && end > p && end[-1] == '\r') --end;
  if (end == p || is_blank(*p) || is_blank(end[-1])) return false;
  cell.text = {p, static_cast<std::size_t>(end - p)};
  p = end;
  return true;
}

// Any record, with mistakes reported. Returns where the next one begins.
const char* ChunkParser::read_record(const char* p) {
  const char* end = chunk_.text.data() + chunk_.text.size();
  const Record record = next_record(p, end, chunk_.quoted);
  if (is_blank(record.text)) {
    line_ += record.num_lines;
    return record.next;
  }
  if (!result_.quoting_broken && read_fields(record.text)) {
    store_row();
  } else {
    store_bad_row();
  }
  next_row(record.num_lines);
  return record.next;
}

bool ChunkParser::read_fields(std::string_view record) {
  if (record.size() > max_line_bytes_) {
    if (result_.mistakes.count()) {
      result_.mistakes.first.push_back(
          {DiagnosticCode::kLineTooLong,
           Span{file_.declared.path, line_, 0, 0},
           {},
           fmt::format("the row has {} bytes, more than {}", record.size(), max_line_bytes_),
           {{"is this a data file, with one row per line?", {}}}});
    }
    return false;
  }
  if (has_bad_bytes(record)) return false;
  if (const auto mistake = splitter_.split(record)) {
    report_quoting(record, *mistake);
    return false;
  }
  if (splitter_.fields().size() != cells_.size() + (file_.has_values ? 1 : 0)) {
    report_column_count(record);
    return false;
  }
  const bool good = read_cells(record);
  value_ = 1.0;
  return (!file_.has_values || read_value(record, splitter_.fields().back())) && good;
}

bool ChunkParser::read_cells(std::string_view record) {
  bool good = true;
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    const RecordField& field = splitter_.fields()[k];
    std::optional<std::uint64_t> bits;
    if (types_[k] == ConstantType::kText) {
      cells_[k].text = field.text;
      continue;
    }
    if (types_[k] == ConstantType::kInteger) {
      if (const auto number = parse_integer(field.text)) bits = bits_of(*number);
    } else if (const auto number = parse_real(field.text)) {
      bits = bits_of(*number);
    }
    if (bits) {
      cells_[k].bits = *bits;
    } else {
      good = false;
      report(DiagnosticCode::kTypeMismatch,
             record,
             field.raw,
             type_mismatch_message(predicate_, k, field.text),
             type_mismatch_hint(predicate_.types[k], field.text));
    }
  }
  return good;
}

bool ChunkParser::read_value(std::string_view record, const RecordField& field) {
  switch (parse_value(field.text, value_)) {
    case ValueStatus::kGood:
      return true;
    case ValueStatus::kNotANumber:
      report(DiagnosticCode::kBadValue,
             record,
             field.raw,
             fmt::format("the truth value `{}` is not a number", shortened(field.text)),
             "the last column is a number from 0 to 1, such as 0.5");
      return false;
    case ValueStatus::kOutOfRange:
      report(DiagnosticCode::kValueRange,
             record,
             field.raw,
             fmt::format("the truth value {} is outside [0, 1]", shortened(field.text)),
             "truth values go from 0 (false) to 1 (true); scale other numbers to that range");
      return false;
  }
  return false;  // not reached: the switch is complete
}

void ChunkParser::store_row() {
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    const std::uint32_t d = domains_.of_argument[k];
    LocalDictionary& dictionary = result_.dictionaries[d];
    columns_[k][row_] = types_[k] == ConstantType::kText
                            ? dictionary.intern_text(scratch_.slots[d], cells_[k].text)
                            : dictionary.intern_number(scratch_.slots[d], cells_[k].bits);
  }
  if (values_ == nullptr) return;
  values_[row_] = value_;
  result_.all_ones = result_.all_ones && value_ == 1.0;
}

void ChunkParser::store_bad_row() {
  for (Code* column : columns_) column[row_] = kNoCode;
}

void ChunkParser::next_row(std::uint32_t num_lines) {
  add_origin(result_.origins,
             {static_cast<std::uint32_t>(chunk_.first_row + row_), file_.number, line_});
  ++row_;
  line_ += num_lines;
}

void ChunkParser::report(DiagnosticCode code,
                         std::string_view record,
                         std::string_view at,
                         const std::string& message,
                         const std::string& hint) {
  if (!result_.mistakes.count()) return;
  Mistake& mistake = result_.mistakes.first.emplace_back(
      mistake_at(code,
                 Span{file_.declared.path, line_, 0, 0},
                 record,
                 static_cast<std::size_t>(at.data() - record.data()),
                 at.size(),
                 message));
  if (!hint.empty()) mistake.notes.push_back({hint, {}});
}

bool ChunkParser::has_bad_bytes(std::string_view record) {
  if (!suspicious_) return false;
  const std::size_t at = std::min(find_invalid_utf8(record), record.find('\0'));
  if (at >= record.size()) return false;
  const bool nul = record[at] == '\0';
  report(DiagnosticCode::kInvalidUtf8,
         record,
         record.substr(at, 1),
         nul ? "the row holds a NUL byte" : "the row is not UTF-8 text",
         nul ? "is this a text file? UTF-16 text has NUL bytes: save it as UTF-8"
             : "save the file as UTF-8");
  return true;
}

void ChunkParser::report_quoting(std::string_view record, const QuotingMistake& wrong) {
  result_.quoting_broken = true;
  report(
      DiagnosticCode::kBadQuoting,
      record,
      record.substr(wrong.offset, 1),
      std::string(wrong.message),
      "quote the whole field and double the quotes in it: \"say \"\"hello\"\"\"; the rest of the "
      "file is not checked");
  const bool reported = result_.mistakes.first.size() == result_.mistakes.total;
  if (wrong.other_offset == 0 || !reported) return;
  const Mistake closing = mistake_at(DiagnosticCode::kBadQuoting,
                                     Span{file_.declared.path, line_, 0, 0},
                                     record,
                                     wrong.other_offset,
                                     1,
                                     {});
  auto& notes = result_.mistakes.first.back().notes;
  notes.insert(notes.begin(), {"it is closed here", closing.span});
}

void ChunkParser::report_column_count(std::string_view record) {
  const ColumnCount count{predicate_, splitter_.fields().size(), file_.has_values};
  const bool tabs = file_.format == RowFormat::kTabs;
  report(DiagnosticCode::kColumnCount,
         record,
         record,
         column_count_message(count),
         column_count_hint(count, record, tabs));
}

}  // namespace

void ParsedChunk::clear() {
  for (LocalDictionary& dictionary : dictionaries) dictionary.clear();
  unquoted.clear();
  origins.clear();
  mistakes = {};
  all_ones = true;
  quoting_broken = false;
}

std::unique_ptr<ParseScratch> ScratchPool::take() {
  const std::scoped_lock lock(mutex_);
  if (free_.empty()) return std::make_unique<ParseScratch>();
  auto scratch = std::move(free_.back());
  free_.pop_back();
  return scratch;
}

void ScratchPool::give_back(std::unique_ptr<ParseScratch> scratch) {
  const std::scoped_lock lock(mutex_);
  free_.push_back(std::move(scratch));
}

void parse_chunk(const InputFile& file,
                 const Chunk& chunk,
                 const ChunkTarget& target,
                 ParseScratch& scratch,
                 ParsedChunk& result) {
  ChunkParser(file, chunk, target, scratch, result).run();
}

void remap_codes(const Chunk& chunk, const ChunkTarget& target, const ParsedChunk& parsed) {
  const DomainSlots slots(*target.predicate);
  for (std::size_t k = 0; k < target.predicate->arity(); ++k) {
    const std::uint32_t d = slots.of_argument[k];
    const std::vector<Code>& codes = parsed.dictionaries[d].codes;
    Code* column = target.table->columns[k].data() + chunk.first_row;
    for (std::size_t row = 0; row < chunk.num_rows; ++row) {
      if (column[row] != kNoCode) column[row] = codes[column[row]];
    }
  }
}

}  // namespace sorites
