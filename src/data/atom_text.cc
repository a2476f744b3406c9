#include "data/atom_text.h"

#include "sorites/database.h"

namespace sorites {
namespace {

// A constant as the rule language writes it.
void add_quoted(const std::string& constant, std::string& text) {
  text += '\'';
  for (const char c : constant) {
    switch (c) {
      case '\\':
      case '\'':
        text += '\\';
        text += c;
        break;
      case '\t':
        text += "\\t";
        break;
      case '\n':
        text += "\\n";
        break;
      case '\r':
        text += "\\r";
        break;
      default:
        text += c;
    }
  }
  text += '\'';
}

}  // namespace

std::string atom_text(const Predicate& predicate, std::span<const std::string> constants) {
  if (constants.empty()) return predicate.name + "()";
  std::string text = predicate.name;
  const char* before = "(";
  for (const std::string& constant : constants) {
    text += before;
    add_quoted(constant, text);
    before = ", ";
  }
  return text + ")";
}

std::string atom_text(const Database& database, PredicateId predicate, RowId row) {
  return atom_text(database.predicates()[predicate], database.arguments(predicate, row));
}

}  // namespace sorites
