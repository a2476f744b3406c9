#include "modelfile/compile_model.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "lang/psl/compile.h"
#include "modelfile/options.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

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

}  // namespace sorites
