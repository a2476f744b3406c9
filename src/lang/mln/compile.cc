#include "lang/mln/compile.h"

#include <fmt/format.h>

#include <utility>

#include "base/utf8.h"
#include "lang/mln/formula_builder.h"
#include "lang/mln/parser.h"
#include "lang/mln/resolver.h"

namespace sorites::markov {
namespace {

std::vector<std::string> texts(const Names& names) {
  std::vector<std::string> result;
  result.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) result.push_back(names[i]);
  return result;
}

void report_too_many_atoms(const PredicateEntry& predicate, Diagnostics& sink) {
  std::string sizes;
  for (const Domain* type : predicate.arguments) {
    if (!sizes.empty()) sizes += " * ";
    sizes += fmt::format("{} ({})", type->constants.size(), type->name);
  }
  sink.error(DiagnosticCode::kTooManyAtoms,
             predicate.place,
             fmt::format("`{}` would have {} atoms, more than 2^40", predicate.name, sizes));
}

bool has_too_many_atoms(const PredicateEntry& predicate) {
  std::uint64_t atoms = 1;
  for (const Domain* type : predicate.arguments) {
    if (type->constants.size() == 0) return false;
  }
  for (const Domain* type : predicate.arguments) {
    if (type->constants.size() > kMostAtoms / atoms) return true;
    atoms *= type->constants.size();
  }
  return false;
}

// Types and predicates of the model. False after a mistake.
bool add_vocabulary(const Vocabulary& vocabulary, MarkovModel& model, Diagnostics& sink) {
  const std::size_t errors = sink.num_errors();
  for (const Domain& type : vocabulary.types()) {
    model.types.push_back({type.name, texts(type.constants)});
  }
  for (const PredicateEntry& entry : vocabulary.predicates()) {
    MarkovPredicate& predicate = model.predicates.emplace_back();
    predicate.name = entry.name;
    predicate.closed = entry.closed;
    for (const Domain* type : entry.arguments) predicate.arguments.push_back(type->type);
    if (entry.classes != nullptr) {
      predicate.classes = texts(entry.classes->constants);
      if (predicate.classes.size() < 2) {
        sink.error(DiagnosticCode::kUnknownClass,
                   entry.place,
                   fmt::format("the classes of `{}` are the constants of `{}`, of which there are "
                               "not two",
                               entry.name,
                               entry.classes->name));
      }
    }
    if (has_too_many_atoms(entry)) report_too_many_atoms(entry, sink);
  }
  model.facts.resize(model.predicates.size());
  model.queries.resize(model.predicates.size());
  return sink.num_errors() == errors;
}

// Text that is not UTF-8 would make places and messages unreadable.
bool is_text(const Source& source, Diagnostics& sink) {
  const std::size_t bad = find_invalid_utf8(source.text());
  if (bad == source.text().size()) return true;
  sink.error(DiagnosticCode::kInvalidUtf8,
             source,
             {static_cast<std::uint32_t>(bad), 1},
             "this byte is not UTF-8")
      .notes.push_back({"save the file as UTF-8", {}});
  return false;
}

void parse_all(const std::vector<const Source*>& sources,
               StatementKinds kinds,
               Statements& statements,
               Diagnostics& sink) {
  for (const Source* source : sources) {
    if (is_text(*source, sink)) parse_statements(*source, kinds, statements, sink);
  }
}

}  // namespace

std::optional<MarkovModel> compile(const MarkovSources& sources, Diagnostics& sink) {
  Statements statements;
  parse_all(sources.declarations, StatementKinds::kDeclarations, statements, sink);
  parse_all(sources.statements, StatementKinds::kBoth, statements, sink);
  parse_all(sources.formulas, StatementKinds::kFormulas, statements, sink);
  Vocabulary vocabulary;
  declare(statements, vocabulary, sink);
  AtomData data;
  for (const Source* source : sources.facts) {
    if (is_text(*source, sink)) read_atoms(*source, AtomRole::kFact, vocabulary, data, sink);
  }
  for (const Source* source : sources.queries) {
    if (is_text(*source, sink)) read_atoms(*source, AtomRole::kQuery, vocabulary, data, sink);
  }
  for (const Source* source : sources.unaries) {
    if (is_text(*source, sink)) read_atoms(*source, AtomRole::kUnary, vocabulary, data, sink);
  }
  return compile(vocabulary, statements.formulas, data, sink);
}

std::optional<MarkovModel> compile(Vocabulary& vocabulary,
                                   const std::vector<FormulaSyntax>& formulas,
                                   const AtomData& data,
                                   Diagnostics& sink) {
  std::vector<ResolvedFormula> resolved;
  for (const FormulaSyntax& formula : formulas) {
    auto result = resolve(formula, vocabulary, sink);
    if (result) resolved.push_back(std::move(*result));
  }
  MarkovModel model;
  if (!add_vocabulary(vocabulary, model, sink)) return std::nullopt;
  settle_atoms(data, model, sink);
  settle_unaries(data, model, sink);
  if (sink.has_errors()) return std::nullopt;
  FormulaBuilder builder(model, sink);
  for (const ResolvedFormula& formula : resolved) builder.add(formula);
  if (sink.has_errors()) return std::nullopt;
  return model;
}

}  // namespace sorites::markov
