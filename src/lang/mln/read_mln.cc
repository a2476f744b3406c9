#include "lang/mln/read_mln.h"

#include <fmt/format.h>

#include <deque>
#include <filesystem>
#include <system_error>

#include "base/read_file.h"

namespace sorites::markov {
namespace {

namespace fs = std::filesystem;

// Files with their texts, which stay where they are.
class OpenFiles {
 public:
  explicit OpenFiles(Diagnostics& sink) : sink_(sink) {}

  void open(const fs::path& path, std::vector<const Source*>& to) {
    std::string& text = texts_.emplace_back();
    const std::string why = read_text(path.string(), text);
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
  return compile_mln(
      sources,
      [](const std::string& name, std::string& text) { return read_text(name, text); },
      sink);
}

}  // namespace sorites::markov
