#include "data/sources/open_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "data/origin.h"
#include "data/sources/column_file.h"

namespace sorites {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";

// A file, or the code and the words for why there is none.
struct Opening {
  OpenedFile file;
  DiagnosticCode code = DiagnosticCode::kUnreadableFile;
  std::string_view problem = "cannot read the data file";
  std::string_view hint;
};

Opening open_plain_file(const std::string& path, const std::stop_token& stop) {
  Opening opening;
  opening.file = open_file(path, stop);
  if (!opening.file.error.empty()) return opening;
  const std::string_view bytes = opening.file.bytes.view();
  opening.code = DiagnosticCode::kBadGzip;
  if (is_gzip_name(path)) {
    opening.problem = "cannot unpack the data file";
    opening.hint = "test it with `gzip -t`, and copy or pack it again";
    opening.file = unpack_gzip(bytes, stop);
  } else if (bytes.starts_with(kGzipMagic)) {
    opening.problem = "cannot read the data file";
    opening.hint = "let its name end in .gz";
    opening.file.error = "it is packed by gzip, but its name does not say so";
  }
  return opening;
}

// Read once, whatever many views of it there are.
struct ColumnFile {
  Opening opening;
  std::vector<ColumnFileSentence> sentences;
};

void read(const std::string& path, const std::stop_token& stop, ColumnFile& file) {
  file.opening = open_plain_file(path, stop);
  if (!file.opening.file.error.empty()) return;
  file.sentences = read_column_file(file.opening.file.bytes.view(), stop);
}

// The rows that a name asks for.
Opening open_rows(const ColumnFile& file, const std::string& view, const Predicate& predicate) {
  const Opening& whole = file.opening;
  if (!whole.file.error.empty()) {
    return {{{}, whole.file.error}, whole.code, whole.problem, whole.hint};
  }
  ColumnFileRows rows = rows_of_view(file.sentences, view);
  if (rows.error.empty() && predicate.arity() < rows.num_arguments) {
    // The second one would be read as a truth value.
    rows.error =
        fmt::format("the rows of `#{}` have two arguments, and `{}` has one", view, predicate.name);
  }
  return {{FileBytes::copy(rows.text), std::move(rows.error)},
          DiagnosticCode::kBadColumnFile,
          "cannot use the column file",
          {}};
}

// By their names without the views.
std::map<std::string, ColumnFile> read_column_files(std::span<const DataFile> files,
                                                    ThreadPool& pool,
                                                    const std::stop_token& stop) {
  std::map<std::string, ColumnFile> result;
  for (const DataFile& file : files) {
    if (const auto named = column_file_view(file.path)) result[named->file];
  }
  std::vector<std::pair<const std::string, ColumnFile>*> all;
  all.reserve(result.size());
  for (auto& one : result) all.push_back(&one);
  pool.for_each(all.size(), [&](std::size_t i) {
    if (stop.stop_requested()) throw Interrupted();
    read(all[i]->first, stop, all[i]->second);
  });
  return result;
}

// A name in the same folder that may be meant instead.
std::string similar_file(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr std::size_t kMostNames = 1000;  // of a folder: a hint must not take time
  const fs::path wanted(path);
  const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code error;
  if (fs::exists(wanted, error)) return {};  // it is the right name, but cannot be read
  fs::directory_iterator entry(folder, error);
  while (!error && entry != fs::directory_iterator() && names.size() < kMostNames) {
    names.push_back(entry->path().filename().string());
    entry.increment(error);
  }
  std::sort(names.begin(), names.end());
  return std::string(nearest_name(wanted.filename().string(), {names.begin(), names.end()}));
}

std::vector<Note> declared_note(const DataFile& file) {
  if (file.declared_at.file.empty()) return {};
  return {{"the file is named here", file.declared_at}};
}

void report(const DataFile& declared, const Opening& opening, Diagnostics& sink) {
  Diagnostic& d = sink.error(opening.code,
                             Span{declared.path, 0, 0, 0},
                             fmt::format("{}: {}", opening.problem, opening.file.error));
  d.notes = declared_note(declared);
  if (!opening.hint.empty()) d.notes.push_back({std::string(opening.hint), {}});
  if (opening.code != DiagnosticCode::kUnreadableFile) return;
  const auto column_file = column_file_view(declared.path);
  const std::string similar = similar_file(column_file ? column_file->file : declared.path);
  if (!similar.empty()) d.notes.push_back({fmt::format("did you mean `{}`?", similar), {}});
}

}  // namespace

std::vector<InputFile> open_inputs(Database& database,
                                   std::span<const DataFile> files,
                                   ThreadPool& pool,
                                   const std::stop_token& stop,
                                   Diagnostics& sink) {
  const std::map<std::string, ColumnFile> column_files = read_column_files(files, pool, stop);
  std::vector<Opening> openings(files.size());
  pool.for_each(files.size(), [&](std::size_t i) {
    if (stop.stop_requested()) throw Interrupted();
    const auto named = column_file_view(files[i].path);
    openings[i] = named ? open_rows(column_files.at(named->file),
                                    named->view,
                                    database.predicates()[files[i].predicate])
                        : open_plain_file(files[i].path, stop);
  });
  std::vector<InputFile> inputs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!openings[i].file.error.empty()) {
      report(files[i], openings[i], sink);
      continue;
    }
    const std::size_t arity = database.predicates()[files[i].predicate].arity();
    inputs.push_back(open_input(files[i], std::move(openings[i].file.bytes), arity));
    inputs.back().number = file_number(database, files[i].path);
  }
  return inputs;
}

void warn_of_empty_files(std::span<const InputFile> files, Diagnostics& sink) {
  for (const InputFile& file : files) {
    if (file.num_rows > 0) continue;
    sink.warning(DiagnosticCode::kEmptyFile,
                 Span{file.declared.path, 0, 0, 0},
                 "the data file has no rows")
        .notes = declared_note(file.declared);
  }
}

}  // namespace sorites
