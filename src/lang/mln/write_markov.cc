#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "lang/mln/printer.h"

namespace sorites {
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
void write_unaries(const MarkovModel& model, const fs::path& path) {
  const std::string text = markov::unaries_text(model);
  if (!text.empty()) return write_file(path, text);
  std::error_code error;
  fs::remove(path, error);
  if (error) fail(path, error.message());
}

}  // namespace

void write_markov(const MarkovModel& model, const std::string& path) {
  const fs::path target = path;
  const std::string declarations = markov::declarations_text(model);
  const std::string formulas = markov::formulas_text(model);
  const std::string facts = markov::facts_text(model);
  if (target.extension() == ".mln") {
    write_file(target, fmt::format("{}\n{}", declarations, formulas));
    write_file(fs::path(target).replace_extension(".db"),
               facts + markov::queries_text(model, markov::QueryStyle::kAsQuestions));
    write_unaries(model, fs::path(target).replace_extension(".unaries"));
    return;
  }
  std::error_code error;
  fs::create_directories(target, error);
  if (error) fail(target, error.message());
  write_file(target / "predicates", declarations);
  write_file(target / "facts", facts);
  write_file(target / "rules", formulas);
  write_file(target / "queries", markov::queries_text(model, markov::QueryStyle::kWithTruth));
  write_unaries(model, target / "unaries");
}

}  // namespace sorites
