#include "lang/mln/read_mln.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>
#include <system_error>

namespace sorites::markov {
namespace {

namespace fs = std::filesystem;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }  // NOLINT: owned here
};

// Returns why the file cannot be read, or an empty text.
std::string read_whole_file(const std::string& path, std::string& text) {
  constexpr std::size_t kLargest = std::size_t{1} << 30U;  // places in it are 32 bits
  std::error_code error;
  if (fs::is_directory(path, error)) return "it is a folder";
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (!file) return std::generic_category().message(errno);
  char buffer[1U << 16U];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file.get())) > 0) {
    text.append(buffer, count);
    if (text.size() > kLargest) return "it is larger than 1 GB";
  }
  return std::ferror(file.get()) != 0 ? std::generic_category().message(errno) : std::string();
}

// Files with their texts, which stay where they are.
class OpenFiles {
 public:
  explicit OpenFiles(Diagnostics& sink) : sink_(sink) {}

  void open(const fs::path& path, std::vector<const Source*>& to) {
    std::string& text = texts_.emplace_back();
    const std::string why = read_whole_file(path.string(), text);
    if (why.empty()) {
      to.push_back(&sources_.emplace_back(path.string(), text));
      return;
    }
    sink_.error(DiagnosticCode::kUnreadableFile,
                Span{path.string(), 0, 0, 0},
                fmt::format("cannot read the file: {}", why));
  }

  void open_if_there(const fs::path& path, std::vector<const Source*>& to) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) open(path, to);
  }

 private:
  Diagnostics& sink_;
  std::deque<std::string> texts_;
  std::deque<Source> sources_;
};

}  // namespace

LoadedProgram read_mln(const std::string& path, const std::string& data_path, Diagnostics& sink) {
  OpenFiles files(sink);
  MlnSources sources;
  const fs::path model = path;
  std::error_code error;
  if (fs::is_directory(model, error)) {
    files.open(model / "predicates", sources.declarations);
    files.open(model / "facts", sources.facts);
    files.open(model / "rules", sources.formulas);
    files.open_if_there(model / "queries", sources.queries);
    files.open_if_there(model / "unaries", sources.unaries);
  } else {
    files.open(model, sources.statements);
    files.open_if_there(fs::path(model).replace_extension(".unaries"), sources.unaries);
  }
  if (!data_path.empty()) files.open(data_path, sources.facts);
  return compile_mln(sources, read_whole_file, sink);
}

}  // namespace sorites::markov
