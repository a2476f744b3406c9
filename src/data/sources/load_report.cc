#include "data/sources/load_report.h"

#include <utility>

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
  for (auto& [file, list] : lists) duplicates_[file].append(std::move(list));
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

void LoadReport::finish(std::span<const InputFile> files, Diagnostics& sink) {
  std::vector<std::string> names;
  for (const InputFile& file : files) names.push_back(file.declared.path);
  for (const auto& [name, list] : duplicates_) names.push_back(name);
  // A file that is named several times has all its mistakes reported together.
  std::map<std::string, MistakeList> lists = std::move(duplicates_);
  for (std::size_t i = 0; i < files.size(); ++i) {
    lists[names[i]].append(std::move(found_[i].mistakes));
  }
  for (const std::string& name : names) {
    report_mistakes(std::exchange(lists[name], {}), sink);
  }
}

}  // namespace sorites
