#include "session/learning_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/diagnostics.h"
#include "base/whole_file.h"
#include "lang/mln/program_printer.h"
#include "session/training_log.h"
#include "session/write_model.h"

namespace sorites {

void check_files(const LearningFiles& files) {
  if (!files.log.empty()) check_log_name(files.log);
  if (!files.plot.empty() && !files.plot.ends_with(".svg")) {
    Diagnostics sink;
    sink.error(DiagnosticCode::kUnknownLogFormat, Span{files.plot}, "plots are SVG pictures")
        .notes.push_back({"end the name in .svg", {}});
    throw InputError(sink.take_sorted());
  }
  for (const std::string& path : {files.output, files.save_state, files.log, files.plot}) {
    if (!path.empty()) check_can_write(path);
  }
}

void check_kind_of_output(const ModelFile& model, const std::string& output) {
  const bool is_made_in_memory = model.predicates.empty() && !model.is_text_of_markov_logic();
  const std::string kind = std::filesystem::path(output).extension().string();
  const bool is_model_file = kind == ".json" || kind == ".yaml" || kind == ".yml";
  const auto refuse = [&](const char* why, const char* hint) {
    Diagnostics sink;
    sink.error(DiagnosticCode::kUnknownModelFormat, Span{output}, why).notes.push_back({hint, {}});
    throw InputError(sink.take_sorted());
  };
  if (is_model_file && is_made_in_memory) {
    refuse("a program and a database that were made in memory are no model file to be written",
           "the rules alone are written to a file with another ending");
  }
  if (is_model_file && model.is_text_of_markov_logic()) {
    refuse("what was read as Markov logic is written as *.mln or as a folder, not as a model file",
           "name a file *.mln, or a folder, as the output");
  }
  if (kind == ".mln" && model.language == Language::kPsl && !model.is_text_of_markov_logic()) {
    refuse("rules of PSL are not written in the language of Markov logic",
           "name a file *.psl for the rules alone, or *.json for the whole model");
  }
}

void make_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
}

std::vector<std::string> all_outputs(const ModelFile& model, const LearningFiles& files) {
  std::vector<std::string> all = {files.output, files.save_state, files.log, files.plot};
  if (files.output.empty()) return all;
  if (model.is_text_of_markov_logic()) {
    const std::vector<std::string> texts = markov::files_of_written_mln(files.output);
    all.insert(all.end(), texts.begin() + 1, texts.end());
    return all;
  }
  const std::filesystem::path path(files.output);
  for (const PredicateDeclaration& predicate : model.predicates) {
    if (!predicate.neural) continue;
    all.push_back(
        std::filesystem::path(path)
            .replace_filename(fmt::format("{}.{}.pt", path.stem().string(), predicate.name))
            .string());
  }
  if (files.output.ends_with(".json")) {
    const std::vector<std::string> tables = table_files(model, files.output);
    all.insert(all.end(), tables.begin(), tables.end());
  }
  return all;
}

}  // namespace sorites
