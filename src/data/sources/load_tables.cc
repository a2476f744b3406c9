// Rows are cut into blocks. Numbers are given codes of their block by all threads, the constants of
// the blocks are merged one after the other, and the codes are turned into the database's by all
// threads again. Texts come with codes, so for them the last step is all there is.
#include "data/sources/load_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/constant.h"
#include "data/access.h"
#include "data/index.h"
#include "data/intern.h"
#include "data/mistakes.h"
#include "data/origin.h"
#include "data/sources/load_report.h"
#include "data/sources/local_dictionary.h"

namespace sorites {
namespace {

constexpr std::size_t kBlockRows = std::size_t{1} << 16U;  // whose dictionary stays in the cache

std::size_t num_blocks(std::size_t num_rows) { return (num_rows + kBlockRows - 1) / kBlockRows; }

Part block_of(std::size_t num_rows, std::size_t block) {
  return {block * kBlockRows, std::min(num_rows, (block + 1) * kBlockRows)};
}

class TableLoader {
 public:
  TableLoader(Database& database,
              const TableSource& source,
              ThreadPool& pool,
              const std::stop_token& stop)
      : database_(database),
        predicate_(database.predicates()[source.predicate]),
        rows_(*source.rows),
        pool_(pool),
        stop_(stop),
        relation_(DataAccess::relation(database, source.predicate)),
        table_(DataAccess::table(relation_, source.partition)),
        partition_(source.partition),
        first_row_(table_.num_rows) {}

  MistakeList load() {
    check_shape();
    add_origin(DataAccess::origins(relation_, partition_),
               {static_cast<std::uint32_t>(first_row_), file_number(database_, rows_.name), 1});
    table_.num_rows += rows_.num_rows;
    for (std::size_t k = 0; k < predicate_.arity(); ++k) {
      if (stop_.stop_requested()) throw Interrupted();
      table_.columns[k].resize(table_.num_rows);
      if (rows_.columns[k].numbers.empty()) {
        load_texts(k);
      } else {
        load_numbers(k);
      }
    }
    load_values();
    return std::move(mistakes_);
  }

 private:
  void check_shape() const {
    if (rows_.columns.size() != predicate_.arity()) {
      throw std::invalid_argument(fmt::format("`{}` takes {} arguments, not {}",
                                              predicate_.name,
                                              predicate_.arity(),
                                              rows_.columns.size()));
    }
    for (const RowColumn& column : rows_.columns) {
      if (column.numbers.size() + column.codes.size() != rows_.num_rows) {
        throw std::invalid_argument("a column has not as many rows as the table");
      }
    }
  }

  Code* codes(std::size_t k) { return table_.columns[k].data() + first_row_; }

  void mistake(DiagnosticCode code, std::size_t row, std::string message, std::string hint) {
    if (!mistakes_.count()) return;
    mistakes_.first.push_back({code,
                               Span{rows_.name, static_cast<std::uint32_t>(row + 1), 0, 0},
                               {},
                               std::move(message),
                               {{std::move(hint), {}}}});
  }

  void for_blocks(const std::function<void(std::size_t block, Part rows)>& task) {
    pool_.for_each(num_blocks(rows_.num_rows),
                   [&](std::size_t block) { task(block, block_of(rows_.num_rows, block)); });
  }

  // Each text once into the dictionary; rows then look up what became of theirs.
  void load_texts(std::size_t k) {
    const RowColumn& column = rows_.columns[k];
    const std::vector<Code> known = intern_column_texts(k, column.texts);
    Code* out = codes(k);
    std::atomic<bool> wrong = false;
    for_blocks([&](std::size_t, Part rows) {
      bool bad = false;
      for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const std::uint32_t code = column.codes[i];
        out[i] = code < known.size() ? known[code] : kNoCode;
        bad = bad || out[i] == kNoCode;
      }
      if (bad) wrong = true;
    });
    if (wrong) report_texts(k);
  }

  std::vector<Code> intern_column_texts(std::size_t k, std::span<const std::string_view> texts) {
    Dictionary& dictionary = DataAccess::dictionary(database_, predicate_.domain(k));
    std::vector<Code> known(texts.size(), kNoCode);
    if (dictionary.type() == ConstantType::kText) {
      std::vector<std::uint32_t> hashes;
      hashes.reserve(texts.size());
      for (const std::string_view text : texts) hashes.push_back(hash_text(text));
      intern_texts(dictionary, texts, hashes, known);
      return known;
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (canonical_constant(dictionary.type(), texts[i])) known[i] = dictionary.intern(texts[i]);
    }
    return known;
  }

  void report_texts(std::size_t k) {
    const RowColumn& column = rows_.columns[k];
    for (std::size_t row = 0; row < rows_.num_rows; ++row) {
      if (codes(k)[row] != kNoCode) continue;
      codes(0)[row] = kNoCode;  // such rows are in no index
      if (column.codes[row] >= column.texts.size()) {
        mistake(DiagnosticCode::kColumnCount,
                row,
                fmt::format("argument {} of {} is missing", k + 1, predicate_.name),
                "leave such rows out");
        continue;
      }
      const std::string_view text = column.texts[column.codes[row]];
      mistake(DiagnosticCode::kTypeMismatch,
              row,
              type_mismatch_message(predicate_, k, text),
              type_mismatch_hint(predicate_.types[k], text));
    }
  }

  void load_numbers(std::size_t k) {
    const std::span<const std::int64_t> numbers = rows_.columns[k].numbers;
    const ConstantType type = database_.dictionary(predicate_.domain(k)).type();
    std::vector<LocalDictionary> blocks(num_blocks(rows_.num_rows));
    Code* out = codes(k);
    for_blocks([&](std::size_t block, Part rows) {
      HashSlots slots;
      reset_slots(slots, rows.end - rows.begin);
      for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const std::uint64_t bits = type == ConstantType::kReal
                                       ? bits_of(static_cast<double>(numbers[i]))
                                       : bits_of(numbers[i]);
        out[i] = blocks[block].intern_number(slots, bits);
      }
    });
    for (LocalDictionary& block : blocks) merge(k, block);
    for_blocks([&](std::size_t block, Part rows) {
      for (std::size_t i = rows.begin; i < rows.end; ++i) out[i] = blocks[block].codes[out[i]];
    });
  }

  // In a domain of texts, 7 is the text "7".
  void merge(std::size_t k, LocalDictionary& block) {
    if (stop_.stop_requested()) throw Interrupted();
    Dictionary& dictionary = DataAccess::dictionary(database_, predicate_.domain(k));
    constexpr std::size_t kMostDigits = 20;  // of 64 bits, with the sign
    std::vector<char> bytes;
    if (dictionary.type() == ConstantType::kText) {
      bytes.resize(block.numbers.size() * kMostDigits);
      char* begin = bytes.data();
      for (std::size_t i = 0; i < block.numbers.size(); ++i) {
        const auto number = static_cast<std::int64_t>(block.numbers[i]);
        char* end = std::to_chars(begin, begin + kMostDigits, number).ptr;
        block.texts.emplace_back(begin, static_cast<std::size_t>(end - begin));
        block.hashes[i] = hash_text(block.texts.back());
        begin = end;
      }
    }
    block.merge_into(dictionary);
  }

  void load_values() {
    if (rows_.values.empty() && table_.values.empty()) return;
    if (table_.values.empty()) table_.values.assign(first_row_, 1.0);
    table_.values.resize(table_.num_rows, 1.0);
    if (rows_.values.empty()) return;
    double* out = table_.values.data() + first_row_;
    std::atomic<bool> wrong = false, all_ones = true;
    for_blocks([&](std::size_t, Part rows) {
      bool bad = false, ones = true;
      for (std::size_t i = rows.begin; i < rows.end; ++i) {
        out[i] = rows_.values[i];
        bad = bad || !(out[i] >= 0.0 && out[i] <= 1.0);  // NaN as well
        ones = ones && out[i] == 1.0;
      }
      if (bad) wrong = true;
      if (!ones) all_ones = false;
    });
    if (wrong) report_values();
    if (all_ones && first_row_ == 0) table_.values = {};
  }

  void report_values() {
    for (std::size_t row = 0; row < rows_.num_rows; ++row) {
      const double value = rows_.values[row];
      if (value >= 0.0 && value <= 1.0) continue;
      mistake(DiagnosticCode::kValueRange,
              row,
              fmt::format("the truth value {} is outside [0, 1]", to_text(value)),
              "truth values go from 0 (false) to 1 (true); scale other numbers to that range");
    }
  }

  Database& database_;
  const Predicate& predicate_;
  const RowTable& rows_;
  ThreadPool& pool_;
  const std::stop_token& stop_;
  Relation& relation_;
  Table& table_;
  Partition partition_;
  std::size_t first_row_;
  MistakeList mistakes_;
};

// False, with an error, if there are more rows or constants than there can be.
bool check_table_size(const Database& database, const TableSource& source, Diagnostics& sink) {
  const Relation& relation = database.relation(source.predicate);
  const auto rows_of = [&](Partition partition) { return relation.table(partition).num_rows; };
  const std::size_t there = source.partition == Partition::kTruth
                                ? rows_of(Partition::kTruth)
                                : rows_of(Partition::kObserved) + rows_of(Partition::kTarget);
  const std::size_t num_rows = source.rows->num_rows;
  bool fits = there + num_rows <= kMaxRows;
  const Predicate& predicate = database.predicates()[source.predicate];
  for (std::size_t k = 0; k < predicate.arity(); ++k) {
    fits = fits && database.dictionary(predicate.domain(k)).size() + num_rows <= kMaxConstants;
  }
  if (!fits) {
    sink.error(DiagnosticCode::kTooManyRows,
               Span{source.rows->name, 0, 0, 0},
               too_many_rows_message(kMaxRows));
  }
  return fits;
}

}  // namespace

void load_tables(Database& database,
                 std::span<const TableSource> tables,
                 const LoadOptions& options,
                 Diagnostics& sink) {
  if (tables.empty()) return;
  ThreadPool pool(options.threads);
  LoadReport report(0);
  std::set<std::pair<PredicateId, Partition>> filled;
  std::set<std::pair<PredicateId, bool>> indexed;  // true: truth, which has an index of its own
  for (const TableSource& source : tables) {
    if (!check_table_size(database, source, sink)) return;
    report_mistakes(TableLoader(database, source, pool, options.stop).load(), sink);
    filled.insert({source.predicate, source.partition});
    indexed.insert({source.predicate, source.partition == Partition::kTruth});
  }
  for (const auto& [predicate, truth] : indexed) {
    Relation& relation = DataAccess::relation(database, predicate);
    const Partition partition = truth ? Partition::kTruth : Partition::kObserved;
    report.add_duplicates(
        database, predicate, build_index(relation, partition, 0, pool, options.stop));
  }
  for (const auto& [predicate, partition] : filled) {
    report.add_unlisted(database, predicate, partition);
  }
  report.finish({}, sink);
}

}  // namespace sorites
