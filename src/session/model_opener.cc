// Finding out what kind of model a path is.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "modelfile/file_access.h"
#include "modelfile/options.h"
#include "session/model_loader.h"
#include "session/option_catalog.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

std::optional<ConfigFormat> format_of(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".json") return ConfigFormat::kJson;
  if (extension == ".yaml" || extension == ".yml") return ConfigFormat::kYaml;
  return std::nullopt;
}

Span whole_file(const std::string& path) { return {path, 0, 0, 0}; }

// The one model file in a folder.
std::optional<std::string> find_in_folder(const std::string& folder, Diagnostics& diagnostics) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (format_of(entry->path())) found.push_back(entry->path().string());
  }
  if (found.size() == 1) return found.front();
  std::sort(found.begin(), found.end());
  diagnostics
      .error(DiagnosticCode::kUnknownModelFormat,
             whole_file(folder),
             found.empty()
                 ? "the folder holds no *.json or *.yaml file"
                 : fmt::format("the folder holds several model files: {}", fmt::join(found, ", ")))
      .notes.push_back({"name the model file itself", {}});
  return std::nullopt;
}

bool read_or_report(ModelText& text, Diagnostics& diagnostics) {
  const std::string why = read_text_file(text.path, text.text);
  if (why.empty()) return true;
  diagnostics.error(DiagnosticCode::kUnreadableFile,
                    whole_file(text.path),
                    fmt::format("cannot read the file: {}", why));
  return false;
}

ModelDraft open_config(const std::string& path,
                       ConfigFormat format,
                       const std::string& data_path,
                       Diagnostics& diagnostics) {
  if (!data_path.empty()) {
    diagnostics
        .error(DiagnosticCode::kUnknownModelFormat,
               whole_file(path),
               "a JSON or YAML model names its data itself, --data is for rule files")
        .notes.push_back({fmt::format("leave out --data {}", data_path), {}});
    return {};
  }
  ModelText text{path, {}};
  if (!read_or_report(text, diagnostics)) return {};
  return parse_model(path, std::move(text.text), format, read_text_file, diagnostics);
}

ModelDraft open_pair(const std::string& path,
                     const std::string& data_path,
                     Diagnostics& diagnostics) {
  if (data_path.empty()) {
    diagnostics
        .error(DiagnosticCode::kUnknownModelFormat,
               whole_file(path),
               "rules alone are no model: nothing says which predicates and data they are about")
        .notes.push_back(
            {fmt::format("give a .json or .yaml model, or the predicates and data of these rules: "
                         "--data {}",
                         fs::path(path).replace_extension(".data").string()),
             {}});
    return {};
  }
  ModelText rules{path, {}}, data{data_path, {}};
  const bool both = read_or_report(rules, diagnostics);
  if (!read_or_report(data, diagnostics) || !both) return {};
  return parse_rules_and_data(std::move(rules), std::move(data), diagnostics);
}

// A folder with the files `predicates`, `facts` and `rules`, or an .mln file.
bool is_mln(const std::string& path) {
  const auto has = [&](const char* name) {
    std::error_code error;
    return fs::is_regular_file(fs::path(path) / name, error);
  };
  return fs::path(path).extension() == ".mln" ||
         (has("predicates") && has("facts") && has("rules"));
}

ModelDraft open_mln(const std::string& path, const std::string& data_path) {
  ModelDraft draft;
  draft.model.path = draft.model.mln_path = path;
  draft.model.mln_data_path = data_path;
  draft.model.language = Language::kMln;
  draft.model.semantics = Semantics::kMarkovLogic;
  // What stands in them is shown beside mistakes that are found later.
  for (const fs::path& file : {fs::path(path), fs::path(path) / "rules"}) {
    ModelText text{file.string(), {}};
    if (read_text_file(text.path, text.text).empty()) draft.model.texts.push_back(std::move(text));
  }
  return draft;
}

ModelDraft open_any(const std::string& path,
                    const std::string& data_path,
                    Diagnostics& diagnostics) {
  std::error_code error;
  if (fs::exists(path, error) && is_mln(path)) return open_mln(path, data_path);
  if (fs::is_directory(path, error)) {
    const auto file = find_in_folder(path, diagnostics);
    return file ? open_config(*file, *format_of(*file), data_path, diagnostics) : ModelDraft{};
  }
  if (!fs::exists(path, error)) {
    diagnostics.error(
        DiagnosticCode::kUnreadableFile, whole_file(path), "there is no such file or folder");
    return {};
  }
  const auto format = format_of(path);
  return format ? open_config(path, *format, data_path, diagnostics)
                : open_pair(path, data_path, diagnostics);
}

}  // namespace

ModelDraft open_model(const std::string& path,
                      const std::string& data_path,
                      Diagnostics& diagnostics) {
  ModelDraft draft = open_any(path, data_path, diagnostics);
  check_options(draft.model, option_catalog(), diagnostics);
  return draft;
}

}  // namespace sorites
