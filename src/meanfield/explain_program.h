// Explanations in terms of the program and its data: rules, predicates, codes and texts of atoms.
//
//   const auto atom = find_atom(model, predicate, codes);
//   const InferredProgram inferred{program, database, model, marginals};
//   const MeanFieldExplanation why = explain(inferred, unaries, *atom);
//   for (const RulePush& push : why.rules) use(program.rules[push.rule].text, push.log_odds);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "meanfield/explain_atom.h"
#include "meanfield/ground_network.h"
#include "meanfield/hard_propagation.h"
#include "meanfield/model.h"

namespace sorites {

// What was inferred. All must outlive the calls.
struct InferredProgram {
  const Program& program;
  const Database& database;
  const MeanFieldModel& model;
  const AtomValues<double>& marginals;  // as of ExactMeanField
};

// A literal of a grounding that fails: so probable is what the text says.
struct FailedLiteral {
  PredicateId predicate = 0;
  std::vector<Code> arguments;  // without the class
  std::vector<Code> classes;    // of a predicate with classes: one of them
  double probability = 0.0;
  std::string text;  // "!Smokes('ann')", "Label('p1', 'A') | Label('p1', 'B')"
};

struct ProgramGrounding {
  // Weight times the probability of all conditions; of an explained atom: what it adds to the
  // log-odds of each of `values` against the others.
  double push = 0.0;
  std::vector<std::uint32_t> values;      // of the explained atom: numbers of classes, or 0 and 1
  std::vector<FailedLiteral> conditions;  // comparisons are left out
};

struct RulePush {
  std::uint32_t rule = 0;                    // index in Program::rules
  std::vector<double> log_odds;              // as FormulaPush::log_odds
  std::vector<ProgramGrounding> groundings;  // hardest first
  bool all_seen = true;                      // false: there may be harder ones
};

struct MeanFieldExplanation {
  std::string text;  // of the atom, without the class
  std::vector<std::string> classes;
  std::vector<double> marginal, log_odds, unary;  // as those of MeanFieldAtomExplanation
  std::vector<RulePush> rules;                    // hardest push first
};

struct RuleViolations {
  double groundings = 0.0;
  double violated = 0.0;  // how many of them are expected to be violated
  double cost = 0.0;      // the same, each times its weight; 0 of hard ones
  std::vector<ProgramGrounding> worst;
  bool all_seen = true;
};

// The atom of a row, with its class if it has one. None if there is no such atom, or its predicate
// is closed.
std::optional<MeanFieldAtom> find_atom(const MeanFieldModel& model,
                                       PredicateId predicate,
                                       std::span<const Code> arguments);

// Throws std::invalid_argument if the predicate is closed, or the atom is none of it.
MeanFieldExplanation explain(const InferredProgram& what,
                             const AtomValues<double>& unaries,
                             const MeanFieldAtom& atom,
                             const MeanFieldExplainOptions& options = {});

RuleViolations explain_rule(const InferredProgram& what,
                            std::uint32_t rule,
                            const MeanFieldExplainOptions& options = {});

// A ground clause of a hard formula, and which of its atoms are known:
// "P('a') -> Q('a'), with P('a') and !Q('a') in the data".
std::string hard_grounding_text(const Program& program,
                                const Database& database,
                                const MeanFieldModel& model,
                                const HardGrounding& grounding);

// What facts leave of a grounding: "!Smokes('ann') | Cancer('ann')".
std::string ground_clause_text(const InferredProgram& what,
                               const GroundNetwork& network,
                               const GroundClause& clause);

}  // namespace sorites
