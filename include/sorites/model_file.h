// Model files: JSON or YAML that says which predicates there are, where their data is, and which
// rules and options hold in which phase. docs/model-file.md is the reference.
//
//   const ModelFile file = read_model("model.json");
//   const LoadedModel model = load_model(file, Phase::kInfer);
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

enum class Phase : std::uint8_t { kLearn, kValidation, kInfer };
inline constexpr Phase kPhases[] = {Phase::kLearn, Phase::kValidation, Phase::kInfer};
std::string_view name_of(Phase phase);  // "learn", "validation", "infer": the model file's

// The part of a model file that something stands in: for all phases, or for one.
enum class Section : std::uint8_t { kAll, kLearn, kValidation, kInfer };
inline constexpr std::size_t kNumSections = 4;
constexpr Section section_of(Phase phase) {
  return static_cast<Section>(static_cast<std::uint8_t>(phase) + 1);
}

// Where a predicate's rows come from: a file, or one row in the model file itself.
struct DataSource {
  Partition partition = Partition::kObserved;
  Section section = Section::kAll;
  std::string path;              // empty: `row` it is
  std::vector<std::string> row;  // the arguments; if there is one more, it is the truth value
  Span declared_at;
};

struct Evaluation {
  std::string evaluator;  // ContinuousEvaluator, DiscreteEvaluator, CategoricalEvaluator or
                          // AUCEvaluator
  bool primary = false;  // the one that learning looks at; exactly one of a model, if there are any
  std::map<std::string, std::string> options;
  Span declared_at;
};

struct PredicateDeclaration {
  std::string name;
  std::size_t arity = 0;
  std::vector<ArgumentType> types;  // empty: the default, which the options tell
  bool force_open = false;
  bool neural = false;  // `type` is DeepPredicate
  std::vector<DataSource> data;
  std::vector<Evaluation> evaluations;
  // `integer`, `categorical`, `categoricalindexes`, and those of docs/network-options.md for the
  // network of a neural one. Lists stand as texts with colons between.
  std::map<std::string, std::string> options;
  std::map<std::string, Span> options_at;  // where each of them stands
  Span declared_at;
};

// A text that rules stand in: the model file or a rule file.
struct ModelText {
  std::string path;
  std::string text;
};

struct RuleText {
  std::size_t model_text = 0;              // index in ModelFile::texts
  std::string text;                        // one rule; empty if the whole of the ModelText is rules
  std::vector<std::uint32_t> file_offset;  // per byte of `text` and for its end: where it stands
};

struct OptionSetting {
  std::string name;
  std::string value;
  Span declared_at;  // empty for options of the command line
};

struct ModelSection {
  std::vector<RuleText> rules;
  std::vector<OptionSetting> options;
};

struct ModelFile {
  std::string path;
  std::deque<ModelText> texts;
  std::vector<PredicateDeclaration> predicates;
  std::array<ModelSection, kNumSections> sections;  // by Section

  const ModelSection& section(Section which) const {
    return sections[static_cast<std::size_t>(which)];
  }
};

// Reads *.json, *.yaml (or a folder that holds one of them), or a rule file with the older *.data
// file that declares its predicates. Data files are only named, not read. Throws InputError with
// all mistakes.
ModelFile read_model(const std::string& path, const std::string& data_path = {});

// Which phases the model has. `overrides` are the options of the command line, here and below.
std::vector<Phase> phases_of(const ModelFile& model, std::span<const OptionSetting> overrides = {});

// The options of a phase, all of them: built-in default < the file's `options` < overrides < the
// file's `learn.options`, `validation.options` or `infer.options`.
std::map<std::string, std::string> options_of(const ModelFile& model,
                                              Phase phase,
                                              std::span<const OptionSetting> overrides = {});

// The options of a neural predicate's network in a phase: `learning::x` (in kLearn and
// kValidation), `validation::x` and `inference::x` win over `x`.
std::map<std::string, std::string> network_options(const PredicateDeclaration& predicate,
                                                   Phase phase);

struct LoadedModel {
  Program program;
  Database database;
  std::vector<std::vector<Evaluation>> evaluations;  // per predicate
  std::map<std::string, std::string> options;        // as options_of
  std::vector<Diagnostic> warnings;
};

// Compiles the rules and loads the data of one phase. Throws InputError with all mistakes of both,
// Interrupted if stopped.
LoadedModel load_model(const ModelFile& model,
                       Phase phase,
                       const LoadOptions& options = {},
                       std::span<const OptionSetting> overrides = {});

}  // namespace sorites
