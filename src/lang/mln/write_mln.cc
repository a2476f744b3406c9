#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/whole_file.h"
#include "lang/mln/data_printer.h"
#include "lang/mln/program_printer.h"

namespace sorites::markov {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw IoError(fmt::format("cannot write {}: {}", path.string(), why));
}

bool is_mln_file(const fs::path& target) { return target.extension() == ".mln"; }

// Without a text there is no file: one of an earlier model must not stay.
void write_or_remove(const std::string& text, const fs::path& path) {
  if (!text.empty()) return write_whole_file(path, text);
  std::error_code error;
  fs::remove(path, error);
  if (error) fail(path, error.message());
}

struct ModelTexts {
  std::string declarations, formulas, facts;
  std::string queries;  // of a folder
  std::string asked;    // of a .db file
  std::string unaries;
  std::string options;
};

void write_texts(const ModelTexts& texts, const fs::path& target) {
  if (is_mln_file(target)) {
    write_whole_file(target, fmt::format("{}\n{}", texts.declarations, texts.formulas));
    write_whole_file(fs::path(target).replace_extension(".db"), texts.facts + texts.asked);
    write_or_remove(texts.unaries, fs::path(target).replace_extension(".unaries"));
    write_or_remove(texts.options, fs::path(target).replace_extension(".options"));
    return;
  }
  std::error_code error;
  fs::create_directories(target, error);
  if (error) fail(target, error.message());
  write_whole_file(target / "predicates", texts.declarations);
  write_whole_file(target / "facts", texts.facts);
  write_whole_file(target / "rules", texts.formulas);
  write_whole_file(target / "queries", texts.queries);
  write_or_remove(texts.unaries, target / "unaries");
  write_or_remove(texts.options, target / "options");
}

}  // namespace

void write_mln(const Program& program,
               const Database& database,
               const std::map<std::string, std::string>& options,
               const std::string& path) {
  std::string settings;
  for (const auto& [name, value] : options) settings += fmt::format("{} = {}\n", name, value);
  write_texts({declarations_text(program, &database),
               rules_text(program, &database),
               facts_text(database),
               queries_text(database, QueryStyle::kWithTruth),
               queries_text(database, QueryStyle::kAsQuestions),
               unaries_text(database),
               settings},
              path);
}

std::vector<std::string> files_of_written_mln(const std::string& path) {
  std::vector<std::string> files = {path};
  if (is_mln_file(path)) {
    for (const char* kind : {".db", ".unaries", ".options"}) {
      files.push_back(fs::path(path).replace_extension(kind).string());
    }
    return files;
  }
  for (const char* name : {"predicates", "facts", "rules", "queries", "unaries", "options"}) {
    files.push_back((fs::path(path) / name).string());
  }
  return files;
}

}  // namespace sorites::markov
