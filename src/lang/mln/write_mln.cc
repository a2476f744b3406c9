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

// None are no file: one of an earlier model must not stay.
void write_unaries(const std::string& text, const fs::path& path) {
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
};

void write_texts(const ModelTexts& texts, const fs::path& target) {
  if (target.extension() == ".mln") {
    write_whole_file(target, fmt::format("{}\n{}", texts.declarations, texts.formulas));
    write_whole_file(fs::path(target).replace_extension(".db"), texts.facts + texts.asked);
    write_unaries(texts.unaries, fs::path(target).replace_extension(".unaries"));
    return;
  }
  std::error_code error;
  fs::create_directories(target, error);
  if (error) fail(target, error.message());
  write_whole_file(target / "predicates", texts.declarations);
  write_whole_file(target / "facts", texts.facts);
  write_whole_file(target / "rules", texts.formulas);
  write_whole_file(target / "queries", texts.queries);
  write_unaries(texts.unaries, target / "unaries");
}

}  // namespace

void write_mln(const Program& program, const Database& database, const std::string& path) {
  write_texts({declarations_text(program, &database),
               rules_text(program, &database),
               facts_text(database),
               queries_text(database, QueryStyle::kWithTruth),
               queries_text(database, QueryStyle::kAsQuestions),
               unaries_text(database)},
              path);
}

}  // namespace sorites::markov
