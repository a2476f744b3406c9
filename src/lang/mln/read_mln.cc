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

 private:
  Diagnostics& sink_;
  std::deque<std::string> texts_;
  std::deque<Source> sources_;
};

// Where texts of one kind stand.
struct MlnFile {
  fs::path path;
  std::vector<const Source*> MlnSources::*kind;
  bool may_be_missing = false;
};

std::vector<MlnFile> parts_of(const fs::path& model, const std::string& data_path) {
  std::vector<MlnFile> parts;
  std::error_code error;
  if (fs::is_directory(model, error)) {
    parts = {{model / "predicates", &MlnSources::declarations},
             {model / "facts", &MlnSources::facts},
             {model / "rules", &MlnSources::formulas},
             {model / "queries", &MlnSources::queries, true},
             {model / "unaries", &MlnSources::unaries, true}};
  } else {
    parts = {{model, &MlnSources::statements},
             {fs::path(model).replace_extension(".unaries"), &MlnSources::unaries, true}};
  }
  if (!data_path.empty()) parts.push_back({data_path, &MlnSources::facts});
  return parts;
}

}  // namespace

LoadedProgram read_mln(const std::string& path, const std::string& data_path, Diagnostics& sink) {
  OpenFiles files(sink);
  MlnSources sources;
  std::error_code error;
  for (const MlnFile& part : parts_of(path, data_path)) {
    if (part.may_be_missing && !fs::is_regular_file(part.path, error)) continue;
    files.open(part.path, sources.*part.kind);
  }
  return compile_mln(
      sources,
      [](const std::string& name, std::string& text) { return read_text(name, text); },
      sink);
}

std::vector<std::string> files_of_mln(const std::string& path, const std::string& data_path) {
  Diagnostics sink;  // mistakes are told when the model is read
  OpenFiles files(sink);
  MlnSources sources;
  std::vector<std::string> all;
  for (const MlnFile& part : parts_of(path, data_path)) {
    all.push_back(part.path.string());
    const bool may_include =
        part.kind == &MlnSources::statements || part.kind == &MlnSources::formulas;
    if (may_include || part.kind == &MlnSources::declarations) {
      files.open(part.path, sources.*part.kind);
    }
  }
  compile_mln(
      sources,
      [&all](const std::string& name, std::string& text) {
        all.push_back(name);
        return read_text(name, text);
      },
      sink);
  return all;
}

}  // namespace sorites::markov
