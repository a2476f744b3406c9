#include "data/sources/load_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "data/access.h"
#include "data/insert.h"

namespace sorites {

void LoadReport::add_chunk(std::size_t file, MistakeList&& mistakes, bool quoting_broken) {
  FileMistakes& found = found_[file];
  if (!found.quoting_broken && mistakes.total > 0) found.mistakes.append(std::move(mistakes));
  found.quoting_broken = found.quoting_broken || quoting_broken;
}

void LoadReport::add_duplicates(const Database& database,
                                PredicateId predicate,
                                std::span<const Duplicate> duplicates) {
  std::map<std::string, MistakeList> lists;  // each in the order of the rows
  for (const Duplicate& duplicate : duplicates) {
    const Span place = database.origin(predicate, duplicate.second);
    MistakeList& list = lists[place.file];
    if (!list.count()) continue;
    RowMistake mistake =
        duplicate_mistake(database, predicate, duplicate.first, duplicate.second.partition);
    list.first.push_back(
        {mistake.code, place, {}, std::move(mistake.message), std::move(mistake.notes)});
  }
  for (auto& [file, list] : lists) of_rows_[file].append(std::move(list));
}

void LoadReport::add_unlisted(const Database& database,
                              PredicateId predicate,
                              Partition partition) {
  const Predicate& declared = database.predicates()[predicate];
  const Table& table = database.relation(predicate).table(partition);
  for (std::size_t k = 0; k < declared.arity(); ++k) {
    const DomainId domain = declared.domain(k);
    if (!DataAccess::is_closed(database, domain)) continue;
    std::map<std::string, MistakeList> lists;
    for (std::uint32_t row = 0; row < table.num_rows; ++row) {
      const Code code = table.columns[k][row];
      // A row with a mistake has no code in its first column, and that is reported.
      if (table.columns[0][row] == kNoCode || !DataAccess::is_unlisted(database, domain, code)) {
        continue;
      }
      const Span place = database.origin(predicate, {partition, row});
      MistakeList& list = lists[place.file];
      if (!list.count()) continue;
      RowMistake mistake =
          unlisted_mistake(database, predicate, k, database.dictionary(domain).text(code));
      list.first.push_back(
          {mistake.code, place, {}, std::move(mistake.message), std::move(mistake.notes)});
    }
    for (auto& [file, list] : lists) of_rows_[file].append(std::move(list));
  }
}

void LoadReport::hint_at_headers(const Database& database, std::span<const InputFile> files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const DataFile& declared = files[i].declared;
    MistakeList& mistakes = found_[i].mistakes;
    const auto& columns = database.relation(declared.predicate).table(declared.partition).columns;
    if (mistakes.first.empty() || files[i].num_rows < 2 || columns.empty()) continue;
    Mistake& first = mistakes.first.front();
    const auto row = static_cast<std::uint32_t>(files[i].first_row);
    const Span first_row = database.origin(declared.predicate, {declared.partition, row});
    const bool by_type =
        first.code == DiagnosticCode::kBadValue || first.code == DiagnosticCode::kTypeMismatch;
    if (by_type && first.span.line == first_row.line && columns[0][row + 1] != kNoCode) {
      first.notes.insert(first.notes.begin(),
                         {"this row looks like a header; data files have none: delete it", {}});
    }
  }
}

namespace {

// The line of a mistake up to a little after it, so that there is something to recognise it by.
void cut_short(Mistake& mistake) {
  constexpr std::size_t kAfter = 20;  // characters
  std::size_t end = 0;
  for (std::size_t seen = 0; end < mistake.excerpt.size(); ++end) {
    seen += num_characters(std::string_view(mistake.excerpt).substr(end, 1));
    if (seen > mistake.span.column + kAfter) break;
  }
  if (end == mistake.excerpt.size()) return;
  mistake.excerpt.resize(end);
  mistake.span.length = std::min<std::uint32_t>(mistake.span.length, kAfter);
  mistake.excerpt += "...";
}

// A row with a number that is too large is still one of data.
bool is_row_of_data(const Mistake& mistake) { return mistake.code == DiagnosticCode::kValueRange; }

void forget_what_it_says(Mistake& mistake) {
  if (is_row_of_data(mistake)) return;
  mistake.excerpt.clear();
  const bool quotes =
      mistake.code == DiagnosticCode::kBadValue || mistake.code == DiagnosticCode::kTypeMismatch;
  if (!quotes) return;
  mistake.message = "this value does not fit either";
  mistake.notes.clear();
}

// A file of which hardly a row fits is hardly one of data. It may be one that whoever sees the
// message is not meant to see: of its lines the begin of one is shown, and if no row fits, nothing.
void hide_rows_of_no_data(const InputFile& file, MistakeList& mistakes) {
  constexpr std::uint64_t kFewRows = 5;
  if (2 * mistakes.total <= file.num_rows) return;
  if (std::all_of(mistakes.first.begin(), mistakes.first.end(), is_row_of_data)) return;
  cut_short(mistakes.first.front());
  for (std::size_t i = 1; i < mistakes.first.size(); ++i) forget_what_it_says(mistakes.first[i]);
  if (file.num_rows < kFewRows || mistakes.total < file.num_rows) return;
  mistakes.first.resize(1);
  mistakes.total = 1;
  Mistake& first = mistakes.first.front();
  first.excerpt.clear();
  first.notes.push_back(
      {fmt::format("none of its {} rows fits: is it the right file?", file.num_rows), {}});
}

}  // namespace

void LoadReport::finish(std::span<const InputFile> files, Diagnostics& sink) {
  std::vector<std::string> names;
  for (const InputFile& file : files) names.push_back(file.declared.path);
  for (const auto& [name, list] : of_rows_) names.push_back(name);
  // A file that is named several times has all its mistakes reported together.
  std::map<std::string, MistakeList> lists = std::move(of_rows_);
  for (std::size_t i = 0; i < files.size(); ++i) {
    hide_rows_of_no_data(files[i], found_[i].mistakes);
    lists[names[i]].append(std::move(found_[i].mistakes));
  }
  for (const std::string& name : names) {
    report_mistakes(std::exchange(lists[name], {}), sink);
  }
}

}  // namespace sorites
