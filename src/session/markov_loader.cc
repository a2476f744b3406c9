#include "session/markov_loader.h"

#include <filesystem>
#include <limits>
#include <utility>

#include "base/diagnostics.h"
#include "modelfile/bounded_options.h"
#include "modelfile/markov_kind.h"
#include "modelfile/options.h"
#include "session/markov_model.h"
#include "session/markov_networks.h"
#include "session/markov_options.h"

namespace sorites {
namespace {

WeightScale weight_scale(BoundedOptions& options) {
  std::string name = options.text("meanfield.weight_scale");  // in any case
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto found = weight_scale_named(name);
  if (!found) options.takes("meanfield.weight_scale", "the name of a scale");
  return found.value_or(WeightScale::kNone);
}

MeanFieldOptions mean_field_options(BoundedOptions& options) {
  MeanFieldOptions result;
  std::uint64_t iterations = result.iterations, max_bytes = result.plan.max_bytes, threads = 0;
  options.count("meanfield.iterations", 1, iterations);
  options.count("meanfield.max_bytes", 1, max_bytes);
  options.count("parallel.numthreads", 0, threads);
  options.real("meanfield.tolerance", Bound::kNotNegative, result.tolerance);
  options.real("meanfield.damping", Bound::kBelowOne, result.damping);
  options.real("meanfield.hard_weight", Bound::kPositive, result.hard_weight);
  result.centre_messages = options.is_set("meanfield.centre_messages");
  result.weight_scale = weight_scale(options);
  result.track_free_energy = options.is_set("meanfield.track_free_energy");
  result.iterations = iterations;
  result.plan.max_bytes = max_bytes;
  result.threads = static_cast<unsigned>(threads);
  return result;
}

// Returns the seed of everything random.
std::uint64_t read_options(const ModelFile& file,
                           std::span<const OptionSetting> overrides,
                           std::span<const OptionSetting> flags,
                           Phase phase,
                           LoadedMarkov& loaded) {
  BoundedOptions options(file, phase, overrides, flags);
  loaded.options = options.options();
  loaded.mean_field = mean_field_options(options);
  loaded.time_limit_seconds = std::numeric_limits<double>::infinity();
  options.real("inference.time_limit", Bound::kPositiveOrInfinite, loaded.time_limit_seconds);
  loaded.write_results = options.is_set("runtime.inference.output.results");
  loaded.results_directory = options.text("runtime.inference.output.results.dir");
  std::uint64_t seed = 0;
  options.count("random.seed", 0, seed);
  options.throw_if_wrong();
  return seed;
}

void append(std::vector<Diagnostic> from, std::vector<Diagnostic>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

LoadedMarkov load_text(const std::string& path,
                       const std::string& data_path,
                       std::span<const OptionSetting> overrides,
                       std::span<const OptionSetting> flags) {
  LoadedMarkov loaded;
  Diagnostics sink;
  check_overrides(overrides, sink);
  if (sink.has_errors()) throw InputError(sink.take_sorted());
  ModelFile file;
  file.path = path;
  read_options(file, overrides, flags, Phase::kInfer, loaded);
  loaded.model = read_markov(path, data_path, &loaded.warnings);
  loaded.evaluations.resize(loaded.model.predicates.size());
  warn_of_ignored_options(file, overrides, sink);
  append(sink.take_sorted(), loaded.warnings);
  return loaded;
}

LoadedMarkov load_file(const std::string& path,
                       const std::string& data_path,
                       std::span<const OptionSetting> overrides,
                       std::span<const OptionSetting> flags,
                       const MarkovLoadOptions& load_options) {
  if (!data_path.empty()) {
    Diagnostics sink;
    sink.error(DiagnosticCode::kUnknownModelFormat,
               Span{path},
               "a JSON or YAML model names its data itself, --data is for .mln files");
    throw InputError(sink.take_sorted());
  }
  const Phase phase = load_options.phase;
  LoadedMarkovModel read = load_markov_model(path, phase, overrides, load_options.load);
  LoadedMarkov loaded;
  const std::uint64_t seed = read_options(read.file, overrides, flags, phase, loaded);
  if (load_options.run_networks && has_networks(read.file)) {
    const MarkovNetworks networks = make_markov_networks(read, phase, seed, true, read.warnings);
    add_network_unaries(read.file, networks, read.model);
  }
  loaded.model = std::move(read.model);
  loaded.warnings = std::move(read.warnings);
  for (const PredicateDeclaration& declaration : read.file.predicates) {
    loaded.evaluations.push_back(declaration.evaluations);
  }
  loaded.evaluations.resize(loaded.model.predicates.size());
  return loaded;
}

}  // namespace

bool is_markov_text(const std::string& path) {
  return is_markov_folder(path) || std::filesystem::path(path).extension() == ".mln";
}

bool is_markov_model(const std::string& path) {
  return is_markov_text(path) || is_markov_model_file(path);
}

LoadedMarkov load_markov(const std::string& path,
                         const std::string& data_path,
                         std::span<const OptionSetting> overrides,
                         std::span<const OptionSetting> flags,
                         const MarkovLoadOptions& load_options) {
  try {
    LoadedMarkov loaded = is_markov_text(path)
                              ? load_text(path, data_path, overrides, flags)
                              : load_file(path, data_path, overrides, flags, load_options);
    apply_markov_options(loaded.model, loaded.options, loaded.warnings);
    return loaded;
  } catch (const IoError& error) {  // what is named on the command line is input, too
    Diagnostics sink;
    sink.error(DiagnosticCode::kUnreadableFile, Span{}, error.what());
    throw InputError(sink.take_sorted());
  }
}

}  // namespace sorites
