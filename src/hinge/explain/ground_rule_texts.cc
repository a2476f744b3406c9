// Ground rules for people to read.
#include <fmt/format.h>

#include <algorithm>

#include "base/shown_text.h"
#include "data/atom_text.h"
#include "hinge/explain/explain.h"
#include "hinge/ground/ground_instances.h"

namespace sorites {
namespace {

std::string text_of(const RuleAtom& atom, const Database& database) {
  const Predicate& predicate = database.predicates()[atom.predicate];
  std::vector<std::string> constants;
  for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
    constants.push_back(atom.arguments[i] == kNoCode
                            ? "?"
                            : database.dictionary(predicate.domain(i)).text(atom.arguments[i]));
  }
  return atom_text(predicate, constants);
}

// The first atoms with an operator between them, and how many more there are: an `exists` may stand
// for any number.
std::string chain(const std::vector<std::string>& atoms, const char* op, const char* sign) {
  std::string text;
  for (std::size_t i = 0; i < std::min(atoms.size(), kMostShown); ++i) {
    text += (i == 0 ? "" : op) + std::string(sign) + atoms[i];
  }
  if (atoms.size() > kMostShown) {
    text += fmt::format("{}... ({} more)", op, atoms.size() - kMostShown);
  }
  return text;
}

// Body('a') & Body('b') -> Head('c'); without a body or a head, a disjunction.
std::string clause_text(const GroundInstance& instance, const Database& database) {
  std::vector<std::string> body, head;
  for (const RuleAtom& atom : instance.atoms) {
    (atom.coefficient > 0 ? body : head).push_back(text_of(atom, database));
  }
  if (head.empty()) return chain(body, " | ", "!");
  if (body.empty()) return chain(head, " | ", "");
  return chain(body, " & ", "") + " -> " + chain(head, " | ", "");
}

// X('a') - 2 X('b') <= 0.5
std::string sum_text(const GroundInstance& instance, const Database& database) {
  std::string text;
  const std::size_t shown = std::min(instance.atoms.size(), kMostShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const RuleAtom& atom = instance.atoms[i];
    const double size = std::abs(atom.coefficient);
    text += i == 0 ? (atom.coefficient < 0 ? "-" : "") : atom.coefficient < 0 ? " - " : " + ";
    if (size != 1.0) text += fmt::format("{:.6g} * ", size);
    text += text_of(atom, database);
  }
  if (shown < instance.atoms.size()) {
    text += fmt::format(" + ... ({} more)", instance.atoms.size() - shown);
  }
  const char* op = instance.op == RelationalOperator::kEqual       ? "="
                   : instance.op == RelationalOperator::kLessEqual ? "<="
                                                                   : ">=";
  return fmt::format("{} {} {:.6g}", text, op, 0.0 - instance.constant);
}

std::vector<Fact> facts_of(const GroundInstance& instance, const Database& database) {
  std::vector<Fact> facts;
  for (const RuleAtom& atom : instance.atoms) {
    const auto row = database.relation(atom.predicate).find(atom.arguments);
    if (row && row->partition != Partition::kObserved) continue;
    Fact fact{text_of(atom, database), 0.0, true, {}};
    if (row) {
      fact.value = database.relation(atom.predicate).table(Partition::kObserved).value(row->row);
      fact.origin = database.origin(atom.predicate, *row);
    }
    const auto same = [&](const Fact& other) { return other.atom == fact.atom; };
    if (std::none_of(facts.begin(), facts.end(), same)) facts.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace

std::vector<GroundRuleText> ground_rule_texts(const Program& program,
                                              const Database& database,
                                              const Model& model,
                                              std::span<const TermId> terms,
                                              const GroundOptions& options) {
  std::vector<TermPlace> places;
  for (const TermId& id : terms) places.push_back({id.block, id.term});
  std::vector<GroundRuleText> texts(terms.size());
  const auto instances = ground_instances(program, database, model, places, options);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (!instances[i]) continue;
    texts[i].text = instances[i]->is_clause ? clause_text(*instances[i], database)
                                            : sum_text(*instances[i], database);
    texts[i].facts = facts_of(*instances[i], database);
  }
  return texts;
}

}  // namespace sorites
