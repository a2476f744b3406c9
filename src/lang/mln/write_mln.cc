#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "lang/mln/data_printer.h"
#include "lang/mln/program_printer.h"

namespace sorites::markov {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw IoError(fmt::format("cannot write {}: {}", path.string(), why));
}

// Writes a file beside it and renames it, so that it is there whole or not at all.
void write_file(const fs::path& path, std::string_view text) {
  fs::path beside = path;
  beside += ".part";
  std::FILE* file = std::fopen(beside.c_str(), "wb");
  if (file == nullptr) fail(path, std::generic_category().message(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int reason = errno;
  if (std::fclose(file) != 0 || !written) {
    std::remove(beside.c_str());
    fail(path, std::generic_category().message(written ? errno : reason));
  }
  std::error_code error;
  fs::rename(beside, path, error);
  if (error) fail(path, error.message());
}

// None are no file: one of an earlier model must not stay.
void write_unaries(const std::string& text, const fs::path& path) {
  if (!text.empty()) return write_file(path, text);
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
    write_file(target, fmt::format("{}\n{}", texts.declarations, texts.formulas));
    write_file(fs::path(target).replace_extension(".db"), texts.facts + texts.asked);
    write_unaries(texts.unaries, fs::path(target).replace_extension(".unaries"));
    return;
  }
  std::error_code error;
  fs::create_directories(target, error);
  if (error) fail(target, error.message());
  write_file(target / "predicates", texts.declarations);
  write_file(target / "facts", texts.facts);
  write_file(target / "rules", texts.formulas);
  write_file(target / "queries", texts.queries);
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
