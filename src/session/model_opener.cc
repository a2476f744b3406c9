// Finding out what kind of model a path is.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/read_file.h"
#include "modelfile/options.h"
#include "semantics/semantics.h"
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

// The files of a folder that is a model of Markov logic (docs/markov-logic.md).
constexpr std::string_view kMarkovFiles[] = {"predicates", "facts", "rules"};

// Those that are there, or are not.
std::vector<std::string> markov_files(const std::string& folder, bool that_are_there) {
  std::vector<std::string> names;
  for (const std::string_view name : kMarkovFiles) {
    std::error_code error;
    if (fs::is_regular_file(fs::path(folder) / name, error) != that_are_there) continue;
    names.push_back(fmt::format("`{}`", name));
  }
  return names;
}

void report_no_model(const std::string& folder, Diagnostics& diagnostics) {
  const std::vector<std::string> there = markov_files(folder, true);
  Diagnostic& error = diagnostics.error(
      DiagnosticCode::kUnknownModelFormat,
      whole_file(folder),
      there.empty() ? "the folder holds no *.json or *.yaml file"
                    : fmt::format("the folder has {}, but not {}",
                                  fmt::join(there, " and "),
                                  fmt::join(markov_files(folder, false), " and ")));
  error.notes.push_back(
      {"a folder is a model if it holds one *.json or *.yaml file, or the files `predicates`, "
       "`facts` and `rules` of Markov logic (and `queries`); or name the model file itself",
       {}});
}

// The one model file in a folder.
std::optional<std::string> find_in_folder(const std::string& folder, Diagnostics& diagnostics) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (format_of(entry->path())) found.push_back(entry->path().string());
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    report_no_model(folder, diagnostics);
    return std::nullopt;
  }
  std::sort(found.begin(), found.end());
  diagnostics
      .error(DiagnosticCode::kUnknownModelFormat,
             whole_file(folder),
             fmt::format("the folder holds several model files: {}", fmt::join(found, ", ")))
      .notes.push_back({"name the model file itself", {}});
  return std::nullopt;
}

FileReader reader(const std::stop_token& stop) {
  return
      [&stop](const std::string& path, std::string& text) { return read_text(path, text, stop); };
}

bool read_or_report(ModelText& text, Diagnostics& diagnostics, const std::stop_token& stop) {
  const std::string why = read_text(text.path, text.text, stop);
  if (why.empty()) return true;
  diagnostics.error(DiagnosticCode::kUnreadableFile,
                    whole_file(text.path),
                    fmt::format("cannot read the file: {}", why));
  return false;
}

ModelDraft open_config(const std::string& path,
                       ConfigFormat format,
                       const std::string& data_path,
                       Diagnostics& diagnostics,
                       const std::stop_token& stop) {
  if (!data_path.empty()) {
    diagnostics
        .error(DiagnosticCode::kUnknownModelFormat,
               whole_file(path),
               "a JSON or YAML model names its data itself, --data is for rule files")
        .notes.push_back({fmt::format("leave out --data {}", data_path), {}});
    return {};
  }
  ModelText text{path, {}};
  if (!read_or_report(text, diagnostics, stop)) return {};
  return parse_model(path, std::move(text.text), format, reader(stop), diagnostics, stop);
}

ModelDraft open_pair(const std::string& path,
                     const std::string& data_path,
                     Diagnostics& diagnostics,
                     const std::stop_token& stop) {
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
  const bool both = read_or_report(rules, diagnostics, stop);
  if (!read_or_report(data, diagnostics, stop) || !both) return {};
  return parse_rules_and_data(std::move(rules), std::move(data), diagnostics, stop);
}

// A folder with the files `predicates`, `facts` and `rules`, or an .mln file.
bool is_mln(const std::string& path) {
  return fs::path(path).extension() == ".mln" || markov_files(path, false).empty();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Lines `name = value`: options that the model asks for, as those of a model file.
void read_option_lines(const ModelText& text,
                       std::vector<OptionSetting>& options,
                       Diagnostics& diagnostics) {
  std::string_view rest = text.text;
  for (std::uint32_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t equals = line.find('=');
    const Span at{text.path, number, 1, static_cast<std::uint32_t>(line.size())};
    if (equals == std::string_view::npos) {
      diagnostics.error(DiagnosticCode::kBadOptionValue, at, "an option is written `name = value`");
      continue;
    }
    options.push_back({std::string(trimmed(line.substr(0, equals))),
                       std::string(trimmed(line.substr(equals + 1))),
                       at,
                       {}});
  }
}

// Of `model.mln` without --data: `model.db`, if it is there, as its `model.unaries` are taken.
std::string data_beside(const std::string& path) {
  const fs::path beside = fs::path(path).replace_extension(".db");
  std::error_code error;
  return fs::is_regular_file(path, error) && fs::is_regular_file(beside, error) ? beside.string()
                                                                                : std::string();
}

ModelDraft open_mln(const std::string& path,
                    const std::string& data_path,
                    Diagnostics& diagnostics,
                    const std::stop_token& stop) {
  ModelDraft draft;
  draft.model.path = draft.model.mln_path = path;
  draft.model.mln_data_path = data_path.empty() ? data_beside(path) : data_path;
  draft.model.language = Language::kMln;
  draft.model.semantics = kMarkovSemantics;
  // What stands in them is shown beside mistakes that are found later.
  for (const fs::path& file : {fs::path(path), fs::path(path) / "rules"}) {
    ModelText text{file.string(), {}};
    if (read_text(text.path, text.text, stop).empty()) draft.model.texts.push_back(std::move(text));
  }
  const bool is_file = fs::path(path).extension() == ".mln";
  const fs::path beside =
      is_file ? fs::path(path).replace_extension(".options") : fs::path(path) / "options";
  ModelText options{beside.string(), {}};
  std::error_code error;
  if (!fs::is_regular_file(beside, error) || !read_or_report(options, diagnostics, stop))
    return draft;
  auto& all = draft.model.sections[static_cast<std::size_t>(Section::kAll)];
  read_option_lines(options, all.options, diagnostics);
  draft.model.texts.push_back(std::move(options));
  return draft;
}

ModelDraft open_any(const std::string& path,
                    const std::string& data_path,
                    Diagnostics& diagnostics,
                    const std::stop_token& stop) {
  std::error_code error;
  if (fs::exists(path, error) && is_mln(path)) return open_mln(path, data_path, diagnostics, stop);
  if (fs::is_directory(path, error)) {
    const auto file = find_in_folder(path, diagnostics);
    return file ? open_config(*file, *format_of(*file), data_path, diagnostics, stop)
                : ModelDraft{};
  }
  if (!fs::exists(path, error)) {
    diagnostics.error(
        DiagnosticCode::kUnreadableFile, whole_file(path), "there is no such file or folder");
    return {};
  }
  const auto format = format_of(path);
  return format ? open_config(path, *format, data_path, diagnostics, stop)
                : open_pair(path, data_path, diagnostics, stop);
}

// The model file has the name of a semantics as it is written; src/semantics knows which there are.
void settle_semantics(ModelFile& model, Diagnostics& diagnostics) {
  try {
    model.semantics = known_semantics(model.semantics, model.semantics_at);
  } catch (const InputError& error) {
    for (const Diagnostic& one : error.diagnostics()) diagnostics.add(one);
    model.semantics = kDefaultSemantics;
  }
}

}  // namespace

ModelDraft open_model(const std::string& path,
                      const std::string& data_path,
                      Diagnostics& diagnostics,
                      const std::stop_token& stop) {
  ModelDraft draft = open_any(path, data_path, diagnostics, stop);
  settle_semantics(draft.model, diagnostics);
  check_options(draft.model, option_catalog(), diagnostics);
  return draft;
}

ModelDraft open_text(std::string text,
                     const std::map<std::string, std::string>& texts,
                     Diagnostics& diagnostics,
                     const std::stop_token& stop) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  // A comment of JSON may come first.
  const bool json = first != std::string::npos && (text[first] == '{' || text[first] == '/');
  const ConfigFormat format = json ? ConfigFormat::kJson : ConfigFormat::kYaml;
  const auto read = [&](const std::string& path, std::string& into) {
    const auto given = texts.find(path);
    if (given == texts.end()) return read_text(path, into, stop);
    into = given->second;
    return std::string();
  };
  ModelDraft draft = parse_model("<text>", std::move(text), format, read, diagnostics, stop);
  settle_semantics(draft.model, diagnostics);
  check_options(draft.model, option_catalog(), diagnostics);
  return draft;
}

}  // namespace sorites
