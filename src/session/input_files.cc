#include "session/input_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/whole_file.h"
#include "data/sources/column_file.h"
#include "eval/results.h"
#include "lang/mln/read_mln.h"
#include "modelfile/network_options.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

struct InputFile {
  std::string path;
  Span declared_at;
};

std::vector<InputFile> inputs_of(const ModelFile& file) {
  std::vector<InputFile> inputs = {{file.path, {}}, {file.mln_path, {}}, {file.mln_data_path, {}}};
  if (file.is_text_of_markov_logic()) {
    for (std::string& path : markov::files_of_mln(file.mln_path, file.mln_data_path)) {
      inputs.push_back({std::move(path), {}});
    }
  }
  for (const ModelText& text : file.texts) inputs.push_back({text.path, {}});
  const fs::path folder = fs::path(file.path).parent_path();
  for (const PredicateDeclaration& predicate : file.predicates) {
    for (const DataSource& source : predicate.data) {
      inputs.push_back({std::string(without_view(source.path)), source.declared_at});
    }
    // Whatever an option of a network names, if there is such a file.
    for (const auto& [name, value] : predicate.options) {
      const auto at = predicate.options_at.find(name);
      inputs.push_back({(folder / without_view(without_class(value))).string(),
                        at == predicate.options_at.end() ? Span{} : at->second});
    }
  }
  return inputs;
}

bool is_same(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error))
    return fs::is_regular_file(a, error) || fs::is_directory(a, error);
  return fs::absolute(a, error).lexically_normal() == fs::absolute(b, error).lexically_normal() &&
         !fs::exists(a, error);
}

[[noreturn]] void refuse(const std::string& output, std::string_view what, const Span& at) {
  Diagnostics sink;
  Diagnostic& diagnostic = sink.error(
      DiagnosticCode::kOutputIsInput, Span{output}, fmt::format("this would replace {}", what));
  if (!at.file.empty()) diagnostic.notes.push_back({"it is named here", at});
  diagnostic.notes.push_back({"write to another name", {}});
  throw InputError(sink.take_sorted());
}

bool has_results(const PredicateDeclaration& predicate) {
  return predicate.force_open || predicate.neural ||
         std::any_of(predicate.data.begin(), predicate.data.end(), [](const DataSource& source) {
           return source.partition == Partition::kTarget;
         });
}

}  // namespace

void refuse_to_replace_inputs(const ModelFile& file,
                              std::span<const std::string> outputs,
                              std::span<const std::string> read) {
  const auto is_none = [](const std::string& output) { return output.empty(); };
  if (std::all_of(outputs.begin(), outputs.end(), is_none)) return;
  const std::vector<InputFile> inputs = inputs_of(file);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) continue;
    for (const InputFile& input : inputs) {
      if (!input.path.empty() && is_same(outputs[i], input.path)) {
        refuse(outputs[i], "a file that the model is read from", input.declared_at);
      }
    }
    for (const std::string& input : read) {
      if (!input.empty() && is_same(outputs[i], input)) {
        refuse(outputs[i], "a file that was named to be read", {});
      }
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (!outputs[k].empty() && is_same(outputs[i], outputs[k])) {
        refuse(outputs[i], "another output", {});
      }
    }
  }
}

void refuse_to_replace_inputs(const Session::State& state, std::span<const std::string> outputs) {
  const std::string read[] = {state.snapshot, state.warm_start};
  refuse_to_replace_inputs(state.file, outputs, read);
}

void Session::check_outputs(const OutputFiles& outputs) const {
  const ModelFile& file = state_->file;
  std::vector<std::string> all = outputs.files;
  if (!outputs.results.empty()) {
    for (const PredicateDeclaration& predicate : file.predicates) {
      if (!has_results(predicate)) continue;
      const Predicate named{.name = predicate.name};
      all.push_back((fs::path(outputs.results) / results_file_name(named)).string());
    }
  }
  refuse_to_replace_inputs(file, all);
  for (const std::string& path : outputs.files) {
    if (!path.empty()) check_can_write(path);
  }
  if (!outputs.results.empty()) check_can_write_into(outputs.results);
}

}  // namespace sorites
