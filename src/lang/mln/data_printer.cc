#include "lang/mln/data_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/constant.h"
#include "lang/mln/lexer.h"

namespace sorites::markov {
namespace {

// In data files nothing is a variable, so that most constants need no quotes.
std::string row_constant(const std::string& constant) {
  const bool plain = !constant.empty() && std::all_of(constant.begin(), constant.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-' || c == ':';
  });
  return plain ? constant : markov::quoted(constant);
}

std::vector<Code> row_codes(const Table& table, std::size_t row, std::size_t num_columns) {
  std::vector<Code> codes(num_columns);
  for (std::size_t k = 0; k < num_columns; ++k) codes[k] = table.columns[k][row];
  return codes;
}

// Of a target of a predicate without classes.
std::optional<bool> known_truth(const Relation& relation, std::span<const Code> codes) {
  const auto row = relation.find_truth(codes);
  if (!row) return std::nullopt;
  return relation.table(Partition::kTruth).value(*row) != 0.0;
}

// Of a target with classes: the class for which the truth is true.
std::optional<Code> known_class(const Database& database,
                                PredicateId predicate,
                                std::vector<Code> codes) {
  const Predicate& declared = database.predicates()[predicate];
  const std::size_t num_classes = database.dictionary(declared.domain(declared.arity() - 1)).size();
  for (codes.back() = 0; codes.back() < num_classes; ++codes.back()) {
    const auto truth = known_truth(database.relation(predicate), codes);
    if (truth && *truth) return codes.back();
  }
  return std::nullopt;
}

// Whether an earlier row stands for the same query.
bool is_first_class(const Relation& relation, const Table& table, std::size_t row) {
  std::vector<Code> codes = row_codes(table, row, table.columns.size());
  const Code own = codes.back();
  for (codes.back() = 0; codes.back() < own; ++codes.back()) {
    const auto other = relation.find(codes);
    if (other && other->partition == Partition::kTarget) return false;
  }
  return true;
}

void append_class_query(std::string& text,
                        const Database& database,
                        PredicateId predicate,
                        const std::vector<Code>& codes,
                        bool as_question) {
  const auto truth = known_class(database, predicate, codes);
  if (as_question || !truth) text += '?';
  std::vector<Code> shown(codes.begin(), codes.end() - 1);
  if (truth) shown.push_back(*truth);
  text += atom_text(database, predicate, shown) + '\n';
}

void append_query(std::string& text,
                  const Database& database,
                  PredicateId predicate,
                  const std::vector<Code>& codes,
                  bool as_question) {
  const auto truth = known_truth(database.relation(predicate), codes);
  if (as_question || !truth) text += '?';
  if (!as_question && truth && !*truth) text += '!';
  text += atom_text(database, predicate, codes);
  if (as_question && truth) text += *truth ? " = true" : " = false";
  text += '\n';
}

}  // namespace

std::string atom_text(const Database& database,
                      PredicateId predicate,
                      std::span<const Code> arguments) {
  const Predicate& declared = database.predicates()[predicate];
  const std::size_t num_arguments = declared.arity() - (declared.has_classes ? 1 : 0);
  std::string text = declared.name + '(';
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (k == num_arguments) text += ") = ";
    if (k > 0 && k < num_arguments) text += ", ";
    text += row_constant(database.dictionary(declared.domain(k)).text(arguments[k]));
  }
  return arguments.size() > num_arguments ? text : text + ')';
}

std::string facts_text(const Database& database) {
  std::string text;
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    const Table& table = database.relation(p).table(Partition::kObserved);
    for (std::size_t row = 0; row < table.num_rows; ++row) {
      if (table.value(row) == 0.0) text += '!';
      text += atom_text(database, p, row_codes(table, row, table.columns.size())) + '\n';
    }
  }
  return text;
}

std::string queries_text(const Database& database, QueryStyle style) {
  std::string text;
  const bool as_questions = style == QueryStyle::kAsQuestions;
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    const Table& table = database.relation(p).table(Partition::kTarget);
    for (std::size_t row = 0; row < table.num_rows; ++row) {
      const std::vector<Code> codes = row_codes(table, row, table.columns.size());
      if (!database.predicates()[p].has_classes) {
        append_query(text, database, p, codes, as_questions);
      } else if (is_first_class(database.relation(p), table, row)) {
        append_class_query(text, database, p, codes, as_questions);
      }
    }
  }
  return text;
}

std::string unaries_text(const Database& database) {
  std::string text;
  for (PredicateId p = 0; p < database.predicates().size(); ++p) {
    const Table& table = database.potentials(p);
    for (std::size_t row = 0; row < table.num_rows; ++row) {
      text += fmt::format("{} {}\n",
                          atom_text(database, p, row_codes(table, row, table.columns.size())),
                          to_text(table.value(row)));
    }
  }
  return text;
}

}  // namespace sorites::markov
