#include "session/markov_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "config/json_reader.h"
#include "config/yaml_reader.h"
#include "lang/mln/compile.h"
#include "lang/mln/parser.h"
#include "modelfile/file_access.h"
#include "modelfile/markov_reader.h"
#include "session/model_loader.h"

namespace sorites {
namespace {

namespace fs = std::filesystem;

std::optional<ConfigFormat> format_of(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".json") return ConfigFormat::kJson;
  if (extension == ".yaml" || extension == ".yml") return ConfigFormat::kYaml;
  return std::nullopt;
}

// The model file itself: `path`, or the one such file of the folder. Empty if there is none.
std::string find_model_file(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return format_of(path) ? path : std::string();
  std::vector<std::string> found;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (format_of(entry->path())) found.push_back(entry->path().string());
  }
  return found.size() == 1 ? found[0] : std::string();
}

void declare(const MarkovDraft& draft, markov::Vocabulary& vocabulary) {
  for (const MarkovTypeDraft& listed : draft.types) {
    markov::Domain& type = vocabulary.type(listed.name.text);
    type.declared = true;
    type.place = listed.name.place;
    for (const MarkovName& constant : listed.constants) type.constants.add(constant.text);
  }
  for (const MarkovPredicateDraft& predicate : draft.predicates) {
    markov::PredicateEntry entry;
    entry.name = predicate.name.text;
    entry.place = predicate.name.place;
    entry.closed = predicate.closed;
    for (const MarkovName& type : predicate.types) {
      entry.arguments.push_back(&vocabulary.type(type.text));
    }
    if (!predicate.classes.empty()) {
      entry.classes = &vocabulary.add_class_list(entry.name);
      entry.classes->place = entry.place;
      for (const MarkovName& name : predicate.classes) entry.classes->constants.add(name.text);
    }
    vocabulary.add(std::move(entry));
  }
}

// A text of the model file, or a whole file that it names.
const Source& source_of(const ModelFile& model, const RuleText& text, std::deque<Source>& sources) {
  const ModelText& file = model.texts[text.model_text];
  return text.file_offset.empty()
             ? sources.emplace_back(file.path, file.text)
             : sources.emplace_back(file.path, file.text, text.text, text.file_offset);
}

// The formulas of a phase. Their sources are kept in `sources`.
std::vector<markov::FormulaSyntax> parse_rules(const ModelFile& model,
                                               Phase phase,
                                               std::deque<Source>& sources,
                                               Diagnostics& sink) {
  markov::Statements statements;
  for (const Section section : {Section::kAll, section_of(phase)}) {
    for (const RuleText& rule : model.section(section).rules) {
      const bool whole_file = rule.file_offset.empty();
      const Source& source = source_of(model, rule, sources);
      const std::size_t before = statements.formulas.size(), errors = sink.num_errors();
      markov::parse_statements(source, markov::StatementKinds::kFormulas, statements, sink);
      const std::size_t count = statements.formulas.size() - before;
      if (whole_file || count == 1 || sink.num_errors() > errors) continue;
      sink.error(count == 0 ? DiagnosticCode::kSyntax : DiagnosticCode::kSeveralRules,
                 source,
                 {0, static_cast<std::uint32_t>(source.text().size())},
                 fmt::format("a text of `rules` holds one formula, not {}", count));
    }
  }
  return std::move(statements.formulas);
}

// Rows of the database as atoms of Markov logic.
class RowReader {
 public:
  RowReader(const Database& database, markov::Vocabulary& vocabulary, Diagnostics& sink)
      : database_(database), vocabulary_(vocabulary), sink_(sink) {}

  markov::AtomData read() {
    const std::size_t num_predicates = vocabulary_.predicates().size();
    markov::AtomData data;
    data.facts.resize(num_predicates);
    data.queries.resize(num_predicates);
    data.locate_row = [this](const markov::AtomPlace& place) {
      return database_.origin(place.source,
                              {static_cast<Partition>(place.range.length), place.range.begin});
    };
    for (PredicateId p = 0; p < num_predicates; ++p) {
      read_rows(p, Partition::kObserved, data.facts[p]);
    }
    for (PredicateId p = 0; p < num_predicates; ++p) {
      read_rows(p, Partition::kTarget, data.queries[p]);
      warn_of_truth_alone(p);
    }
    return data;
  }

 private:
  void read_rows(PredicateId p, Partition partition, markov::AtomRows& rows) {
    const Table& table = database_.relation(p).table(partition);
    for (std::uint32_t row = 0; row < table.num_rows; ++row) {
      const auto value =
          partition == Partition::kTarget ? truth_of(p, table, row) : value_of(p, {partition, row});
      if (!value || !add_constants(p, {partition, row}, rows)) return;  // one mistake says it all
      rows.atoms.values.push_back(*value);
      rows.places.push_back({p, {row, static_cast<std::uint32_t>(partition)}});
    }
  }

  bool add_constants(PredicateId p, RowId row, markov::AtomRows& rows) {
    const markov::PredicateEntry& predicate = vocabulary_.predicates()[p];
    const std::vector<std::string> texts = database_.arguments(p, row);
    std::vector<std::uint32_t> constants;
    for (std::size_t k = 0; k < predicate.arguments.size(); ++k) {
      const auto constant = number_of(p, row, texts[k], *predicate.arguments[k]);
      if (!constant) return false;
      constants.push_back(*constant);
    }
    rows.atoms.constants.insert(rows.atoms.constants.end(), constants.begin(), constants.end());
    return true;
  }

  std::optional<std::uint32_t> number_of(PredicateId p,
                                         RowId row,
                                         const std::string& text,
                                         markov::Domain& domain) {
    const auto known = domain.constants.find(text);
    if (known) return known;
    if (!domain.declared) return domain.constants.add(text);
    Diagnostic& added = sink_.error(
        domain.is_type ? DiagnosticCode::kUnknownConstant : DiagnosticCode::kUnknownClass,
        database_.origin(p, row),
        fmt::format("`{}` is no {}", text, domain.name));
    added.notes.push_back({"all of them are listed here", domain.place});
    suggest_name(added, text, domain.constants.views());
    return std::nullopt;
  }

  // 0 or 1, or the class of the row. None after a mistake.
  std::optional<std::uint32_t> value_of(PredicateId p, RowId row) {
    const markov::PredicateEntry& predicate = vocabulary_.predicates()[p];
    const double value = database_.relation(p).table(row.partition).value(row.row);
    if (value != 0.0 && value != 1.0) {
      sink_.error(DiagnosticCode::kBadValue,
                  database_.origin(p, row),
                  fmt::format("in Markov logic an atom is true (1) or false (0), not {}", value));
      return std::nullopt;
    }
    if (predicate.classes == nullptr) return value == 1.0 ? 1 : 0;
    if (value == 1.0) {
      return number_of(p, row, database_.arguments(p, row).back(), *predicate.classes);
    }
    sink_
        .error(DiagnosticCode::kUnknownClass,
               database_.origin(p, row),
               "a class that the atom does not have")
        .notes.push_back({"list the class that it has", {}});
    return std::nullopt;
  }

  // What truth says about a target. All classes of an atom are targets, but only the true one has
  // something to say.
  std::optional<std::uint32_t> truth_of(PredicateId p, const Table& table, std::uint32_t row) {
    const markov::PredicateEntry& predicate = vocabulary_.predicates()[p];
    std::vector<Code> arguments;
    for (const auto& column : table.columns) arguments.push_back(column[row]);
    const auto found = database_.relation(p).find_truth(arguments);
    if (!found) return kUnknownValue;
    const RowId truth{Partition::kTruth, *found};
    const bool is_false = database_.relation(p).table(Partition::kTruth).value(*found) == 0.0;
    if (predicate.classes != nullptr && is_false) return kUnknownValue;
    return value_of(p, truth);
  }

  void warn_of_truth_alone(PredicateId p) {
    const Relation& relation = database_.relation(p);
    const Table& table = relation.table(Partition::kTruth);
    std::size_t count = 0;
    std::uint32_t first = 0;
    std::vector<Code> arguments(table.columns.size());
    for (std::uint32_t row = 0; row < table.num_rows; ++row) {
      for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = table.columns[k][row];
      const auto atom = relation.find(arguments);
      if (atom && atom->partition == Partition::kTarget) continue;
      if (count++ == 0) first = row;
    }
    if (count == 0) return;
    sink_.warning(DiagnosticCode::kTruthWithoutTarget,
                  database_.origin(p, {Partition::kTruth, first}),
                  fmt::format("{} row{} of the truth of `{}` {} no target",
                              count,
                              count == 1 ? "" : "s",
                              vocabulary_.predicates()[p].name,
                              count == 1 ? "is" : "are"));
  }

  const Database& database_;
  markov::Vocabulary& vocabulary_;
  Diagnostics& sink_;
};

// The unary potentials of a phase, whose predicates are declared.
void read_unaries(const MarkovDraft& draft,
                  Phase phase,
                  markov::Vocabulary& vocabulary,
                  std::deque<Source>& sources,
                  markov::AtomData& atoms,
                  Diagnostics& sink) {
  for (const Section section : {Section::kAll, section_of(phase)}) {
    for (const RuleText& text : draft.unaries[static_cast<std::size_t>(section)]) {
      const Source& source = source_of(draft.file.model, text, sources);
      const auto bad = static_cast<std::uint32_t>(find_invalid_utf8(source.text()));
      if (bad == source.text().size()) {
        markov::read_atoms(source, markov::AtomRole::kUnary, vocabulary, atoms, sink);
      } else {
        sink.error(DiagnosticCode::kInvalidUtf8, source, {bad, 1}, "this byte is not UTF-8")
            .notes.push_back({"save the file as UTF-8", {}});
      }
    }
  }
}

// The data alone: rules are not compiled as those of PSL.
LoadedModel load_data(const ModelDraft& file,
                      Phase phase,
                      std::span<const OptionSetting> overrides,
                      const LoadOptions& options,
                      Diagnostics& sink) {
  ModelDraft data = file;
  for (ModelSection& section : data.model.sections) section.rules.clear();
  data.has_predicates = false;
  return load_draft(data, phase, overrides, options, sink);
}

}  // namespace

bool is_markov_model_file(const std::string& path) {
  const std::string file = find_model_file(path);
  std::string text;
  if (file.empty() || !read_text_file(file, text).empty()) return false;
  const Source source(file, text);
  Diagnostics scratch;
  const auto root = *format_of(file) == ConfigFormat::kJson ? read_json(source, scratch)
                                                            : read_yaml(source, scratch);
  const ConfigNode* semantics =
      root && root->kind == ConfigKind::kObject ? root->find("semantics") : nullptr;
  return semantics != nullptr && is_markov_semantics(*semantics);
}

LoadedMarkovModel load_markov_model(const std::string& path,
                                    Phase phase,
                                    std::span<const OptionSetting> overrides,
                                    const LoadOptions& options) {
  const std::string file = find_model_file(path);
  std::string text;
  const std::string why = file.empty() ? "it is no model file" : read_text_file(file, text);
  if (!why.empty()) throw IoError(fmt::format("cannot read {}: {}", path, why));
  Diagnostics sink;
  MarkovDraft draft =
      parse_markov_model(file, std::move(text), *format_of(file), read_text_file, sink);
  LoadedModel data = load_data(draft.file, phase, overrides, options, sink);
  markov::Vocabulary vocabulary;
  declare(draft, vocabulary);
  std::deque<Source> sources;
  auto formulas = parse_rules(draft.file.model, phase, sources, sink);
  if (!draft.file.broken_predicates.empty()) formulas.clear();  // they would be reported as unknown
  RowReader reader(data.database, vocabulary, sink);
  markov::AtomData atoms = reader.read();
  // Without its declaration a predicate would be reported as unknown.
  if (draft.file.broken_predicates.empty()) {
    read_unaries(draft, phase, vocabulary, sources, atoms, sink);
  }
  std::optional<MarkovModel> model = markov::compile(vocabulary, formulas, atoms, sink);
  std::vector<Diagnostic> said = finish_diagnostics(draft.file.model, sink);
  if (!model) throw InputError(std::move(said));
  std::map<std::string, std::string> options_of_phase = data.options;
  return {std::move(*model),
          std::move(draft.file.model),
          std::move(data),
          std::move(options_of_phase),
          std::move(said)};
}

}  // namespace sorites
