#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <utility>

#include "base/utf8.h"
#include "data/access.h"
#include "lang/clause_form.h"
#include "lang/mln/parser.h"
#include "lang/mln/read_mln.h"
#include "lang/mln/settle_rows.h"

namespace sorites::markov {
namespace {

namespace fs = std::filesystem;

// Parses statements, and those of files that they include where they do.
class StatementReader {
 public:
  StatementReader(const ReadText& files, Statements& statements, Diagnostics& sink)
      : files_(files), statements_(statements), sink_(sink) {}

  void read(const Source& source, StatementKinds kinds) {
    if (!check_utf8(source, sink_)) return;
    open_.push_back(fs::path(source.file()).lexically_normal().string());
    parse_statements(source,
                     kinds,
                     statements_,
                     sink_,
                     [&](const Source& by, const std::string& name, TextRange at) {
                       include(by, name, at, kinds);
                     });
    open_.pop_back();
  }

 private:
  void include(const Source& by, const std::string& name, TextRange at, StatementKinds kinds) {
    const std::string path = (fs::path(by.file()).parent_path() / name).lexically_normal().string();
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      sink_.error(
          DiagnosticCode::kUnreadableFile,
          by,
          at,
          fmt::format("`{}` includes itself{}", path, open_.size() > 1 ? " in a circle" : ""));
      return;
    }
    std::string& text = texts_.emplace_back();
    const std::string why = files_ ? files_(path, text) : "there are no files here";
    if (!why.empty()) {
      sink_.error(DiagnosticCode::kUnreadableFile,
                  by,
                  at,
                  fmt::format("cannot read the file `{}`: {}", path, why));
      return;
    }
    read(sources_.emplace_back(path, text), kinds);
  }

  const ReadText& files_;
  Statements& statements_;
  Diagnostics& sink_;
  std::deque<std::string> texts_;
  std::deque<Source> sources_;     // that were included: the statements point into them
  std::vector<std::string> open_;  // the files that are being read, each included by the one before
};

// The domains of the program in the order in which predicates use them, and then those that none
// uses; the predicates with them.
class ProgramDeclarer {
 public:
  explicit ProgramDeclarer(Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  Program run() {
    for (const PredicateEntry& entry : vocabulary_.predicates()) declare(entry);
    for (Domain& type : vocabulary_.types()) number(type, type.name);
    return std::move(program_);
  }

 private:
  DomainId number(Domain& domain, const std::string& name) {
    if (domain.id != 0) return domain.id;
    domain.id = static_cast<DomainId>(program_.domains.size());
    program_.domains.push_back(
        {name, ConstantType::kText, domain.constants.texts(), domain.declared});
    return domain.id;
  }

  void declare(const PredicateEntry& entry) {
    Predicate predicate;
    predicate.name = entry.name;
    predicate.open = !entry.closed;
    predicate.open_world = !entry.closed;
    predicate.has_classes = entry.classes != nullptr;
    for (Domain* type : entry.arguments) predicate.domains.push_back(number(*type, type->name));
    if (entry.classes != nullptr) {
      const std::string& name = entry.functional ? entry.classes->name : entry.name;
      predicate.domains.push_back(number(*entry.classes, name));
    }
    predicate.types.assign(predicate.domains.size(), ArgumentType::kUniqueStringId);
    program_.predicates.push_back(std::move(predicate));
  }

  Vocabulary& vocabulary_;
  Program program_;
};

void use_database(Vocabulary& vocabulary, Database& database) {
  const auto use = [&](Domain& domain) {
    domain.constants.use(DataAccess::dictionary(database, domain.id));
  };
  for (Domain& type : vocabulary.types()) use(type);
  for (Domain& classes : vocabulary.class_lists()) use(classes);
}

void read_all_atoms(const std::vector<const Source*>& sources,
                    AtomRole role,
                    Vocabulary& vocabulary,
                    AtomData& data,
                    Diagnostics& sink) {
  for (const Source* source : sources) {
    if (check_utf8(*source, sink)) read_atoms(*source, role, vocabulary, data, sink);
  }
}

void check_class_counts(const Vocabulary& vocabulary, Diagnostics& sink) {
  for (const PredicateEntry& entry : vocabulary.predicates()) {
    if (entry.classes == nullptr || entry.classes->constants.size() >= 2) continue;
    sink.error(DiagnosticCode::kUnknownClass,
               entry.place,
               fmt::format("the classes of `{}` are the constants of `{}`, of which there are not "
                           "two",
                           entry.name,
                           entry.classes->name));
  }
}

// What a formula says by its form alone, whatever the data and the semantics. Forms that are hard
// to find say nothing; Markov logic looks once more, when it has the data.
void check_truth(const Rule& rule, const Program& program, Diagnostics& sink) {
  const auto* logical = std::get_if<LogicalRule>(&rule.body);
  if (logical == nullptr) return;
  const auto holds_by_form = [&](const Formula& formula) {
    const auto form = lang::clause_form(formula, program.predicates).form;
    return form && form->clauses.empty();
  };
  if (holds_by_form(logical->formula)) {
    sink.warning(DiagnosticCode::kAlwaysSatisfied,
                 rule.source,
                 "this formula is always true, so that it has no effect");
  } else if (holds_by_form({.kind = FormulaKind::kNot, .operands = {logical->formula}})) {
    sink.error(
        DiagnosticCode::kNoAtom, rule.source, "this formula is never true, whatever the atoms are");
  }
}

}  // namespace

bool check_utf8(const Source& source, Diagnostics& sink) {
  const std::size_t bad = find_invalid_utf8(source.text());
  if (bad == source.text().size()) return true;
  sink.error(DiagnosticCode::kInvalidUtf8,
             source,
             {static_cast<std::uint32_t>(bad), 1},
             "this byte is not UTF-8")
      .notes.push_back({"save the file as UTF-8", {}});
  return false;
}

void add_formulas(const std::vector<FormulaSyntax>& formulas,
                  RuleId first_id,
                  DataKnown data,
                  Vocabulary& vocabulary,
                  Program& program,
                  Diagnostics& sink) {
  std::vector<std::optional<DraftRule>> drafts;
  drafts.reserve(formulas.size());
  for (const FormulaSyntax& formula : formulas) {
    drafts.push_back(build_rule(formula, vocabulary, data, sink));
  }
  // Formulas may have added constants, of which each has its weight.
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (!drafts[i]) continue;
    std::optional<Rule> rule = finish_rule(std::move(*drafts[i]), data, sink);
    if (!rule) continue;
    check_truth(*rule, program, sink);
    rule->id = first_id + static_cast<RuleId>(i);
    program.rules.push_back(std::move(*rule));
  }
}

void add_unaries(const std::vector<const Source*>& sources,
                 Vocabulary& vocabulary,
                 Database& database,
                 Diagnostics& sink) {
  AtomData data;
  read_all_atoms(sources, AtomRole::kUnary, vocabulary, data, sink);
  settle_potentials(data, database, sink);
}

LoadedProgram compile_mln(const MlnSources& sources, const ReadText& files, Diagnostics& sink) {
  Statements statements;
  StatementReader reader(files, statements, sink);
  for (const Source* source : sources.declarations) {
    reader.read(*source, StatementKinds::kDeclarations);
  }
  for (const Source* source : sources.statements) reader.read(*source, StatementKinds::kBoth);
  for (const Source* source : sources.formulas) reader.read(*source, StatementKinds::kFormulas);
  Vocabulary vocabulary;
  declare(statements, vocabulary, sink);
  Program program = ProgramDeclarer(vocabulary).run();
  Database database(program.predicates, program.domains);
  use_database(vocabulary, database);
  AtomData data;
  read_all_atoms(sources.facts, AtomRole::kFact, vocabulary, data, sink);
  read_all_atoms(sources.queries, AtomRole::kQuery, vocabulary, data, sink);
  read_all_atoms(sources.unaries, AtomRole::kUnary, vocabulary, data, sink);
  add_formulas(statements.formulas, 0, DataKnown::kYes, vocabulary, program, sink);
  check_class_counts(vocabulary, sink);
  settle_rows(data, database, sink);
  settle_potentials(data, database, sink);
  return {std::move(program), std::move(database)};
}

Vocabulary vocabulary_of(const Program& program, Database& database) {
  Vocabulary vocabulary;
  std::vector<Domain*> domains;
  for (DomainId id = 0; id < program.domains.size(); ++id) {
    Domain& domain = vocabulary.add_domain(program.domains[id].name);
    domain.id = id;
    domain.declared = program.domains[id].closed;
    domain.constants.use(DataAccess::dictionary(database, id));
    domains.push_back(&domain);
  }
  for (const Predicate& predicate : program.predicates) {
    PredicateEntry entry;
    entry.name = predicate.name;
    entry.closed = !predicate.open;
    for (std::size_t k = 0; k < predicate.arity(); ++k) {
      entry.arguments.push_back(domains[predicate.domain(k)]);
    }
    if (predicate.has_classes) {
      entry.classes = entry.arguments.back();
      entry.arguments.pop_back();
      entry.functional = true;
    }
    vocabulary.add(std::move(entry));
  }
  return vocabulary;
}

}  // namespace sorites::markov
