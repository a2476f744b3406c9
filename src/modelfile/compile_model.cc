#include "modelfile/compile_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

#include "base/constant.h"
#include "lang/mln/parser.h"
#include "lang/mln/read_mln.h"
#include "lang/psl/compile.h"
#include "modelfile/options.h"
#include "modelfile/predicate_reader.h"

namespace sorites {
namespace {

// The predicates and domains, as the model declares them.
class Declarer {
 public:
  Declarer(const ModelFile& model, Phase phase, bool integer_ids)
      : model_(model),
        phase_(phase),
        default_type_(integer_ids ? ArgumentType::kUniqueIntId : ArgumentType::kUniqueStringId) {}

  Program run() {
    program_.domains.insert(program_.domains.end(), model_.domains.begin(), model_.domains.end());
    for (const PredicateDeclaration& declaration : model_.predicates) declare(declaration);
    return std::move(program_);
  }

 private:
  void declare(const PredicateDeclaration& declaration) {
    Predicate predicate;
    predicate.name = declaration.name;
    predicate.types = declaration.types;
    predicate.neural = declaration.neural;
    predicate.has_classes = !declaration.classes.empty();
    const std::size_t num_arguments = declaration.arity - (predicate.has_classes ? 1 : 0);
    if (predicate.types.empty()) predicate.types.assign(num_arguments, default_type_);
    const bool named = std::any_of(declaration.domains.begin(),
                                   declaration.domains.end(),
                                   [](const std::string& name) { return !name.empty(); });
    if (named || predicate.has_classes) {
      for (std::size_t k = 0; k < num_arguments; ++k) {
        predicate.domains.push_back(named ? domain(declaration.domains[k], predicate.types[k])
                                          : builtin_domain(predicate.types[k]));
      }
    }
    if (predicate.has_classes) {
      predicate.domains.push_back(static_cast<DomainId>(program_.domains.size()));
      predicate.types.push_back(ArgumentType::kUniqueStringId);
      program_.domains.push_back(
          {declaration.name, ConstantType::kText, declaration.classes, true});
    }
    settle_world(declaration, predicate);
    program_.predicates.push_back(std::move(predicate));
  }

  DomainId domain(const std::string& name, ArgumentType type) const {
    for (DomainId d = 0; d < program_.domains.size(); ++d) {
      if (!name.empty() && program_.domains[d].name == name) return d;
    }
    return builtin_domain(type);
  }

  void settle_world(const PredicateDeclaration& declaration, Predicate& predicate) const {
    const auto is_target = [&](const DataSource& data) {
      return data.partition == Partition::kTarget && holds_in(data.section, phase_);
    };
    const bool by_default = model_.language == Language::kMln && !declaration.neural;
    predicate.open_world =
        declaration.world == World::kOpen || (declaration.world == World::kDefault && by_default);
    predicate.open = predicate.open_world || declaration.force_open || declaration.neural ||
                     std::any_of(declaration.data.begin(), declaration.data.end(), is_target);
  }

  const ModelFile& model_;
  Phase phase_;
  ArgumentType default_type_;
  Program program_;
};

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

// The texts that rules stand in. The places of a file are found once, however many rules it has.
class ModelSources {
 public:
  explicit ModelSources(const ModelFile& model) {
    for (const ModelText& file : model.texts) files_.emplace_back(file.path, file.text);
  }

  Source of(const RuleText& rule) const {
    const Source& file = files_[rule.model_text];
    return rule.file_offset.empty() ? file : Source(file, rule.text, rule.file_offset);
  }

 private:
  std::vector<Source> files_;  // by the model's texts
};

bool is_formula_of_markov_logic(const Source& source) {
  Diagnostics scratch;
  markov::Statements statements;
  markov::parse_statements(source, markov::StatementKinds::kFormulas, statements, scratch);
  return !scratch.has_errors() && !statements.formulas.empty();
}

class RuleCompiler {
 public:
  RuleCompiler(const ModelDraft& draft,
               Program& program,
               Database& database,
               markov::DataKnown data,
               Diagnostics& sink)
      : draft_(draft),
        files_(draft.model),
        program_(program),
        database_(database),
        data_(data),
        sink_(sink) {}

  void compile(Phase phase) {
    RuleId id = 0;
    for (const Section section :
         {Section::kAll, Section::kLearn, Section::kValidation, Section::kInfer}) {
      for (const RuleText& rule : draft_.model.section(section).rules) {
        const bool own = holds_in(section, phase);
        id += static_cast<RuleId>(draft_.model.language == Language::kPsl ? psl(rule, id, own)
                                                                          : mln(rule, id, own));
      }
    }
    if (!formulas_.empty()) add_formulas();
  }

 private:
  // All of these return how many rules the text has.
  std::size_t psl(const RuleText& rule, RuleId id, bool own) {
    const Source source = files_.of(rule);
    if (!own) return count_rules(source);
    const bool whole_file = rule.file_offset.empty();
    Diagnostics scratch;
    const std::size_t count =
        compile_rules(source,
                      program_,
                      scratch,
                      {.exactly_one = !whole_file, .first_id = id, .compiled_before = &compiled_});
    const bool failed = scratch.has_errors();
    std::vector<Diagnostic> found = scratch.take_sorted();
    if (failed && is_formula_of_markov_logic(source)) hint_at_language(found);
    report(std::move(found), whole_file);
    return count;
  }

  static void hint_at_language(std::vector<Diagnostic>& found) {
    const auto first = std::find_if(found.begin(), found.end(), [](const Diagnostic& one) {
      return one.severity == Severity::kError;
    });
    // A name that does not exist is no matter of the language.
    if (first == found.end() || first->code == info(DiagnosticCode::kUnknownPredicate).name) return;
    first->notes.push_back(
        {"this reads as a formula of Markov logic: if it is one, add \"language\": \"mln\" to the "
         "model file",
         {}});
  }

  // Formulas are compiled together: each may add constants for which others have weights.
  std::size_t mln(const RuleText& rule, RuleId id, bool own) {
    const Source& source = sources_.emplace_back(files_.of(rule));
    markov::Statements statements;
    Diagnostics scratch;
    Diagnostics& sink = own ? sink_ : scratch;
    if (!markov::check_utf8(source, sink)) return 0;
    const std::size_t errors = sink.num_errors();
    markov::parse_statements(source, markov::StatementKinds::kFormulas, statements, sink);
    if (own && sink.num_errors() == errors) check_count(rule, source, statements.formulas);
    const std::size_t count = statements.formulas.size();
    for (markov::FormulaSyntax& formula : statements.formulas) {
      if (!own) break;
      formulas_.push_back(std::move(formula));
      ids_.push_back(id++);
    }
    return count;
  }

  void check_count(const RuleText& rule,
                   const Source& source,
                   const std::vector<markov::FormulaSyntax>& formulas) {
    // `*p(x)` makes several formulas of one.
    const bool one = !rule.file_offset.empty();
    if (one && !formulas.empty() && formulas.front().whole.begin != formulas.back().whole.begin) {
      sink_
          .error(DiagnosticCode::kSeveralRules,
                 source,
                 formulas.back().whole,
                 "a second formula in one string of the rule list")
          .notes.push_back({"give each formula a string of its own", {}});
    }
    if (!formulas.empty()) return;
    if (one) {
      sink_.error(DiagnosticCode::kNoRules, source, {}, "expected a formula in this string");
    } else {
      sink_.warning(
          DiagnosticCode::kNoRules, Span{source.file(), 0, 0, 0}, "there is no formula at all");
    }
  }

  void add_formulas() {
    markov::Vocabulary vocabulary = markov::vocabulary_of(program_, database_);
    Diagnostics scratch;
    const std::size_t before = program_.rules.size();
    markov::add_formulas(formulas_, 0, data_, vocabulary, program_, scratch);
    for (std::size_t r = before; r < program_.rules.size(); ++r) {
      program_.rules[r].id = ids_[program_.rules[r].id];
    }
    report(scratch.take_sorted(), true);
  }

  // All but what is said of predicates whose declaration is reported already.
  void report(std::vector<Diagnostic> found, bool whole_file) {
    const auto cascades = [&](const Diagnostic& d) {
      return is_cascade(d, draft_.broken_predicates);
    };
    const bool spoilt = std::any_of(found.begin(), found.end(), cascades);
    if (spoilt && !whole_file) return;  // whatever else is said of the rule may come from that
    for (Diagnostic& diagnostic : found) {
      if (!cascades(diagnostic)) sink_.add(std::move(diagnostic));
    }
  }

  const ModelDraft& draft_;
  ModelSources files_;
  Program& program_;
  Database& database_;
  markov::DataKnown data_;
  Diagnostics& sink_;
  RulesByText compiled_;
  std::deque<Source> sources_;
  std::vector<markov::FormulaSyntax> formulas_;
  std::vector<RuleId> ids_;  // of formulas_
};

void compile_rules_of(const ModelDraft& draft,
                      Phase phase,
                      Program& program,
                      Database& database,
                      markov::DataKnown data,
                      Diagnostics& diagnostics) {
  if (!draft.has_predicates) return;
  RuleCompiler(draft, program, database, data, diagnostics).compile(phase);
  const auto& sections = draft.model.sections;
  if (std::all_of(
          sections.begin(), sections.end(), [](const auto& s) { return s.rules.empty(); }) &&
      !diagnostics.has_errors()) {
    diagnostics
        .error(DiagnosticCode::kNoRules, Span{draft.model.path, 0, 0, 0}, "the model has no rules")
        .notes.push_back({"give `rules`, a list of texts or the path of a rule file", {}});
  }
}

}  // namespace

Program declare_program(const ModelFile& model, Phase phase, const Settings& settings) {
  ModelOptions model_options;
  Diagnostics checked;  // what is wrong was reported when the file was opened
  read_options(kModelOptions, settings, model_options, checked);
  return Declarer(model, phase, model_options.integer_ids).run();
}

void add_model_rules(const ModelDraft& draft,
                     Phase phase,
                     Program& program,
                     Database& database,
                     Diagnostics& diagnostics) {
  compile_rules_of(draft, phase, program, database, markov::DataKnown::kYes, diagnostics);
}

void add_model_unaries(const ModelDraft& draft,
                       Phase phase,
                       const Program& program,
                       Database& database,
                       Diagnostics& diagnostics) {
  const ModelSources files(draft.model);
  std::deque<Source> sources;
  std::vector<const Source*> pointers;
  for (const Section section : {Section::kAll, section_of(phase)}) {
    for (const RuleText& text : draft.model.section(section).unaries) {
      pointers.push_back(&sources.emplace_back(files.of(text)));
    }
  }
  // Without its declaration a predicate would be reported as unknown.
  if (pointers.empty() || !draft.broken_predicates.empty()) return;
  markov::Vocabulary vocabulary = markov::vocabulary_of(program, database);
  markov::add_unaries(pointers, vocabulary, database, diagnostics);
}

Program compile_model(const ModelDraft& draft,
                      Phase phase,
                      const Settings& settings,
                      Diagnostics& diagnostics) {
  Program program = declare_program(draft.model, phase, settings);
  Database scratch(program.predicates, program.domains);
  compile_rules_of(draft, phase, program, scratch, markov::DataKnown::kNo, diagnostics);
  return program;
}

}  // namespace sorites
