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
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "data/sources/load.h"
#include "modelfile/class_rows.h"
#include "options/settings.h"
#include "sorites/database.h"
#include "sorites/program.h"

namespace sorites {

// The part of a model file that something stands in: for all phases, or for one.
enum class Section : std::uint8_t { kAll, kLearn, kValidation, kInfer };
inline constexpr std::size_t kNumSections = 4;
constexpr Section section_of(Phase phase) {
  return static_cast<Section>(static_cast<std::uint8_t>(phase) + 1);
}

// The language of a model's rules; what the rules mean, a name of src/semantics, goes with each.
enum class Language : std::uint8_t { kPsl, kMln };
std::string_view name_of(Language language);  // "psl", "mln": the model file's
inline constexpr std::string_view kDefaultSemantics = "hinge";

// Where a predicate's rows come from: a file, one row in the model file itself, or memory.
struct DataSource {
  Partition partition = Partition::kObserved;
  Section section = Section::kAll;
  std::string path;              // empty: `row` or `table` it is
  std::vector<std::string> row;  // the arguments; if there is one more, it is the truth value
  Span declared_at;
  std::shared_ptr<const RowTable> table = {};
};

struct Evaluation {
  std::string evaluator;  // ContinuousEvaluator, DiscreteEvaluator, CategoricalEvaluator or
                          // AUCEvaluator
  bool primary = false;  // the one that learning looks at; exactly one of a model, if there are any
  std::vector<OptionSetting> options;
  Span declared_at;
};

// Whether atoms that no data mentions are unknown. By default it depends on the language.
enum class World : std::uint8_t { kDefault, kOpen, kClosed };

struct PredicateDeclaration {
  std::string name;
  std::size_t arity = 0;            // with the class, if there are classes
  std::vector<ArgumentType> types;  // empty: the default, which the options tell; without the class
  std::vector<std::string> domains =
      {};  // per type: a domain of the model, or empty if it has none
  std::vector<std::string> classes = {};  // of which each atom has exactly one, its last argument
  std::vector<std::size_t> exactly_one = {};  // arguments of which exactly one value holds
  World world = World::kDefault;
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

struct ModelSection {
  std::vector<RuleText> rules;
  std::vector<RuleText> unaries = {};  // lines `smokes(Ann) 1.25`: log-odds of atoms
  std::vector<OptionSetting> options;
};

struct ModelFile {
  std::string path;
  // An .mln file or a folder of Markov logic, and its data, instead of all below: it is read as a
  // whole with the data of the only phase it has.
  std::string mln_path, mln_data_path;
  std::deque<ModelText> texts;
  Language language = Language::kPsl;
  std::string semantics{kDefaultSemantics};  // as written: whoever opens the model knows the names
  Span semantics_at;
  std::vector<Domain> domains;  // that have names, without the built-in ones
  std::vector<PredicateDeclaration> predicates;
  std::array<ModelSection, kNumSections> sections;  // by Section

  bool is_text_of_markov_logic() const { return !mln_path.empty(); }
  const ModelSection& section(Section which) const {
    return sections[static_cast<std::size_t>(which)];
  }
};

// Reads *.json, *.yaml (or a folder that holds one of them), or a rule file with the older *.data
// file that declares its predicates. Data files are only named, not read. Throws InputError with
// all mistakes, or Interrupted.
ModelFile read_model(const std::string& path,
                     const std::string& data_path = {},
                     const std::stop_token& stop = {});

// Which phases the model has. `overrides` are the options of the command line, here and below.
std::vector<Phase> phases_of(const ModelFile& model, std::span<const OptionSetting> overrides = {});

// The options of a neural predicate's network in a phase: `learning::x` (in kLearn and
// kValidation), `validation::x` and `inference::x` win over `x`.
std::map<std::string, std::string> network_options(const PredicateDeclaration& predicate,
                                                   Phase phase);

struct LoadedModel {
  Program program;
  Database database;
  std::vector<std::vector<Evaluation>> evaluations;  // per predicate
  Settings options;                                  // as settings_of()
  std::vector<Diagnostic> warnings;
  std::optional<ClassTargets> class_targets = {};  // none: a program and data made by hand
};

// Compiles the rules and loads the data of one phase. Throws InputError with all mistakes of both,
// Interrupted if stopped.
LoadedModel load_model(const ModelFile& model,
                       Phase phase,
                       const LoadOptions& options = {},
                       std::span<const OptionSetting> overrides = {});

}  // namespace sorites
