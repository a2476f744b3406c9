#include "run/model_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/constant.h"
#include "data/load.h"
#include "lang/compile.h"
#include "run/feature_module.h"
#include "run/network_inputs.h"
#include "run/network_option_table.h"
#include "run/network_settings.h"
#include "run/options.h"
#include "run/predicate_reader.h"

namespace sorites {
namespace {

bool holds_in(Section section, Phase phase) {
  return section == Section::kAll || section == section_of(phase);
}

std::vector<Predicate> predicates_of(const ModelFile& model, Phase phase, bool integer_ids) {
  const ArgumentType type =
      integer_ids ? ArgumentType::kUniqueIntId : ArgumentType::kUniqueStringId;
  std::vector<Predicate> predicates;
  for (const PredicateDeclaration& declaration : model.predicates) {
    const auto is_target = [&](const DataSource& data) {
      return data.partition == Partition::kTarget && holds_in(data.section, phase);
    };
    Predicate predicate;
    predicate.name = declaration.name;
    predicate.types = declaration.types;
    if (predicate.types.empty()) predicate.types.assign(declaration.arity, type);
    predicate.neural = declaration.neural;
    predicate.open = declaration.force_open || declaration.neural ||
                     std::any_of(declaration.data.begin(), declaration.data.end(), is_target);
    predicates.push_back(std::move(predicate));
  }
  return predicates;
}

// The name between the first backquotes.
std::string_view quoted_name(std::string_view message) {
  const std::size_t begin = std::min(message.find('`'), message.size() - 1) + 1;
  return message.substr(begin, message.find('`', begin) - begin);
}

// Whether the diagnostic is about the use of a predicate whose declaration is reported already.
bool is_cascade(const Diagnostic& diagnostic, const std::vector<std::string>& broken) {
  if (diagnostic.code != info(DiagnosticCode::kUnknownPredicate).name) return false;
  return std::any_of(broken.begin(), broken.end(), [&](const std::string& name) {
    return same_name(name, quoted_name(diagnostic.message));
  });
}

void compile(const RuleText& rule, const ModelDraft& draft, Program& program, Diagnostics& sink) {
  const ModelText& file = draft.model.texts[rule.model_text];
  const bool whole_file = rule.file_offset.empty();
  const Source source = whole_file ? Source(file.path, file.text)
                                   : Source(file.path, file.text, rule.text, rule.file_offset);
  Diagnostics scratch;
  compile_rules(source, program, scratch, {.exactly_one = !whole_file});
  const auto cascades = [&](const Diagnostic& d) { return is_cascade(d, draft.broken_predicates); };
  std::vector<Diagnostic> found = scratch.take_sorted();
  const bool spoilt = std::any_of(found.begin(), found.end(), cascades);
  if (spoilt && !whole_file) return;  // whatever else is said of the rule may come from that
  for (Diagnostic& diagnostic : found) {
    if (!cascades(diagnostic)) sink.add(std::move(diagnostic));
  }
}

struct PhaseData {
  std::vector<DataFile> files;
  std::vector<std::pair<PredicateId, const DataSource*>> rows;
};

PhaseData data_of(const ModelFile& model, Phase phase) {
  PhaseData result;
  for (PredicateId p = 0; p < model.predicates.size(); ++p) {
    for (const DataSource& source : model.predicates[p].data) {
      if (!holds_in(source.section, phase)) continue;
      if (source.path.empty()) {
        result.rows.emplace_back(p, &source);
      } else {
        result.files.push_back({p, source.partition, source.path, source.declared_at});
      }
    }
  }
  return result;
}

void add_inline_row(PredicateId predicate,
                    const DataSource& source,
                    std::size_t arity,
                    Database& database,
                    Diagnostics& diagnostics) {
  std::vector<std::string_view> arguments(source.row.begin(), source.row.end());
  std::optional<double> value;
  if (arguments.size() == arity + 1) {
    value = parse_real(arguments.back());
    if (!value) {
      diagnostics.error(DiagnosticCode::kBadValue,
                        source.declared_at,
                        fmt::format("the truth value `{}` is not a number", arguments.back()));
      return;
    }
    arguments.pop_back();
  }
  add_row(database, predicate, source.partition, arguments, value, source.declared_at, diagnostics);
}

// Networks and their inputs are loaded elsewhere, but that they are there is part of a check.
void check_network_files(const ModelFile& model, Phase phase, Diagnostics& diagnostics) {
  for (const PredicateDeclaration& predicate : model.predicates) {
    if (!predicate.neural) continue;
    for (const auto& [name, value] : network_options(predicate, phase)) {
      const NetworkOptionInfo* option = find_network_option(name);
      if (option == nullptr || option->kind != NetworkOptionKind::kPath) continue;
      const std::string path = relative_to(model.path, value.substr(0, value.find("::")));
      std::error_code error;
      if (std::filesystem::exists(path, error)) continue;
      diagnostics.error(
          DiagnosticCode::kUnreadableFile,
          option_place(predicate, phase, name),
          fmt::format("the `{}` of `{}` does not exist: {}", name, predicate.name, path));
    }
  }
}

// Values come from the network or from the data, not from both.
void check_observations(const ModelFile& model,
                        Phase phase,
                        const Database& database,
                        Diagnostics& diagnostics) {
  for (PredicateId p = 0; p < model.predicates.size(); ++p) {
    const auto& predicate = model.predicates[p];
    const Table& observed = database.relation(p).table(Partition::kObserved);
    if (!predicate.neural || observed.num_rows == 0) continue;
    diagnostics
        .error(
            DiagnosticCode::kObservedNeural,
            database.origin(p, {Partition::kObserved, 0}),
            fmt::format("`{}` is a deep predicate, whose values its network computes, but it has "
                        "{} observation{} ({})",
                        predicate.name,
                        observed.num_rows,
                        observed.num_rows == 1 ? "" : "s",
                        name_of(phase)))
        .notes.push_back({"known classes of entities are its `truth`; if all values are known, "
                          "leave out `\"type\": \"DeepPredicate\"`",
                          {}});
  }
}

}  // namespace

Program compile_model(const ModelDraft& draft,
                      Phase phase,
                      const std::map<std::string, std::string>& options,
                      Diagnostics& diagnostics) {
  Program program;
  program.predicates = predicates_of(draft.model, phase, is_true(options, "runtime.db.intids"));
  if (!draft.has_predicates) return program;
  for (const Section section : {Section::kAll, section_of(phase)}) {
    for (const RuleText& rule : draft.model.section(section).rules) {
      compile(rule, draft, program, diagnostics);
    }
  }
  const auto& sections = draft.model.sections;
  if (std::all_of(
          sections.begin(), sections.end(), [](const auto& s) { return s.rules.empty(); }) &&
      !diagnostics.has_errors()) {
    diagnostics
        .error(DiagnosticCode::kNoRules, Span{draft.model.path, 0, 0, 0}, "the model has no rules")
        .notes.push_back({"give `rules`, a list of texts or the path of a rule file", {}});
  }
  return program;
}

LoadedModel load_draft(const ModelDraft& draft,
                       Phase phase,
                       std::span<const OptionSetting> overrides,
                       const LoadOptions& options,
                       Diagnostics& diagnostics) {
  const ModelFile& model = draft.model;
  check_overrides(overrides, diagnostics);
  warn_of_ignored_options(model, overrides, diagnostics);
  auto resolved = options_of(model, phase, overrides);
  Program program = compile_model(draft, phase, resolved, diagnostics);
  Database database(program.predicates);
  const PhaseData data = data_of(model, phase);
  load_files(database, data.files, options, diagnostics);
  for (const auto& [predicate, source] : data.rows) {
    add_inline_row(predicate, *source, model.predicates[predicate].arity, database, diagnostics);
  }
  check_network_files(model, phase, diagnostics);
  if (!diagnostics.has_errors()) check_feature_modules(model, phase, diagnostics);
  check_observations(model, phase, database, diagnostics);
  if (!diagnostics.has_errors()) add_network_targets(model, phase, database, diagnostics);
  LoadedModel result{std::move(program), std::move(database), {}, std::move(resolved), {}};
  for (const PredicateDeclaration& predicate : model.predicates) {
    result.evaluations.push_back(predicate.evaluations);
  }
  return result;
}

namespace {

// The lines of a text, found once.
class Lines {
 public:
  explicit Lines(const ModelText& text) : text_(text) {
    for (std::size_t i = text.text.find('\n'); i != std::string::npos;
         i = text.text.find('\n', i + 1)) {
      begins_.push_back(i + 1);
    }
  }

  bool has(const Span& span) const {
    return span.file == text_.path && span.line > 0 && span.line <= begins_.size();
  }
  std::string line(std::uint32_t number) const {
    const std::size_t begin = begins_[number - 1];
    const std::size_t end = std::min(text_.text.find('\n', begin), text_.text.size());
    std::string line = text_.text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    return line;
  }

 private:
  const ModelText& text_;
  std::vector<std::size_t> begins_{0};
};

bool same(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.span == b.span && a.message == b.message;
}

}  // namespace

std::vector<Diagnostic> finish_diagnostics(const ModelFile& model, Diagnostics& diagnostics) {
  std::vector<Diagnostic> result;
  if (diagnostics.all().empty()) return result;
  const std::vector<Lines> texts(model.texts.begin(), model.texts.end());
  for (Diagnostic& diagnostic : diagnostics.take_sorted()) {
    // Equal ones have equal places, so they are near each other.
    const auto earlier = std::find_if(result.rbegin(), result.rend(), [&](const Diagnostic& one) {
      return one.span != diagnostic.span || same(one, diagnostic);
    });
    if (earlier != result.rend() && same(*earlier, diagnostic)) continue;
    for (const Lines& lines : texts) {
      if (!diagnostic.excerpt.empty() || !lines.has(diagnostic.span)) continue;
      diagnostic.excerpt = lines.line(diagnostic.span.line);
    }
    result.push_back(std::move(diagnostic));
  }
  return result;
}

namespace {

// Throws if there are errors; what is left are warnings.
std::vector<Diagnostic> throw_if_errors(const ModelFile& model, Diagnostics& diagnostics) {
  const bool wrong = diagnostics.has_errors();
  std::vector<Diagnostic> all = finish_diagnostics(model, diagnostics);
  if (wrong) throw InputError(std::move(all));
  return all;
}

}  // namespace

ModelFile read_model(const std::string& path, const std::string& data_path) {
  Diagnostics diagnostics;
  ModelDraft draft = open_model(path, data_path, diagnostics);
  throw_if_errors(draft.model, diagnostics);
  return std::move(draft.model);
}

namespace {

// Formulas stand above networks in Markov logic alone.
void refuse_logic_layers(const ModelFile& model, Phase phase, Diagnostics& diagnostics) {
  for (const PredicateDeclaration& predicate : model.predicates) {
    if (!predicate.neural) continue;
    const auto options = network_options(predicate, phase);
    const auto layer = options.find("layer");
    if (layer == options.end() || layer->second != "logicmp") continue;
    diagnostics
        .error(DiagnosticCode::kBadNetwork,
               option_place(predicate, phase, "layer"),
               fmt::format("`{}` has a logic layer, but the model is none of Markov logic",
                           predicate.name))
        .notes.push_back(
            {"add `\"semantics\": \"markov-logic\"` to the model, or leave out `layer`", {}});
  }
}

}  // namespace

LoadedModel load_model(const ModelFile& model,
                       Phase phase,
                       const LoadOptions& options,
                       std::span<const OptionSetting> overrides) {
  Diagnostics diagnostics;
  const ModelDraft draft{model, {}, true};
  refuse_logic_layers(model, phase, diagnostics);
  LoadedModel result = load_draft(draft, phase, overrides, options, diagnostics);
  result.warnings = throw_if_errors(model, diagnostics);
  return result;
}

}  // namespace sorites
