#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>
#include <system_error>

#include "lang/mln/compile.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }  // NOLINT: owned here
};

[[noreturn]] void fail(const std::string& path, std::string_view why) {
  throw IoError(fmt::format("cannot read {}: {}", path, why));
}

std::string read_text(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{1} << 30U;  // places in it are 32 bits
  std::error_code error;
  if (fs::is_directory(path, error)) fail(path, "it is a folder");
  const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
  if (!file) fail(path, std::generic_category().message(errno));
  std::string text;
  char buffer[1U << 16U];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file.get())) > 0) {
    text.append(buffer, count);
    if (text.size() > kLargest) fail(path, "it is larger than 1 GB");
  }
  if (std::ferror(file.get()) != 0) fail(path, std::generic_category().message(errno));
  return text;
}

bool has_file(const fs::path& folder, const char* name) {
  std::error_code error;
  return fs::is_regular_file(folder / name, error);
}

// Files with their texts, which stay where they are.
class Files {
 public:
  const Source* open(const std::string& path) {
    texts_.push_back(read_text(path));
    return &sources_.emplace_back(path, texts_.back());
  }

 private:
  std::deque<std::string> texts_;
  std::deque<Source> sources_;
};

markov::MarkovSources open_sources(const std::string& path,
                                   const std::string& data_path,
                                   Files& files) {
  markov::MarkovSources sources;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    const fs::path folder = path;
    sources.declarations.push_back(files.open(folder / "predicates"));
    sources.facts.push_back(files.open(folder / "facts"));
    if (has_file(folder, "queries")) sources.queries.push_back(files.open(folder / "queries"));
    if (has_file(folder, "unaries")) sources.unaries.push_back(files.open(folder / "unaries"));
    sources.formulas.push_back(files.open(folder / "rules"));
  } else {
    sources.statements.push_back(files.open(path));
    const fs::path unaries = fs::path(path).replace_extension(".unaries");
    if (fs::is_regular_file(unaries, error)) sources.unaries.push_back(files.open(unaries));
  }
  if (!data_path.empty()) sources.facts.push_back(files.open(data_path));
  return sources;
}

}  // namespace

bool is_markov_folder(const std::string& path) {
  return has_file(path, "predicates") && has_file(path, "facts") && has_file(path, "rules");
}

MarkovModel read_markov(const std::string& path,
                        const std::string& data_path,
                        std::vector<Diagnostic>* warnings) {
  Files files;
  const markov::MarkovSources sources = open_sources(path, data_path, files);
  Diagnostics sink;
  std::optional<MarkovModel> model = markov::compile(sources, sink);
  std::vector<Diagnostic> said = sink.take_sorted();
  if (!model) throw InputError(std::move(said));
  if (warnings != nullptr) warnings->insert(warnings->end(), said.begin(), said.end());
  return std::move(*model);
}

}  // namespace sorites
