// Why did this value come out? What a solution says about rules and atoms.
//
//   const Solution solution = solve(model, parameters);
//   const auto rules = rule_statistics(model, parameters, solution.truth);
//   const AtomId atom = find_target(database, model, "Knows('ann', 'bob')");
//   const auto why = explain_atom({program, database, model, parameters, solution}, atom);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sorites/database.h"
#include "sorites/ground.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// ---- Rules ------------------------------------------------------------------------------------

// A ground rule counts as satisfied if its distance to satisfaction is at most this.
inline constexpr double kSatisfied = 1e-4;

// How well the ground rules of one rule hold.
struct RuleStatistics {
  std::uint64_t terms = 0;
  std::uint64_t satisfied = 0;  // distance to satisfaction at most kSatisfied
  double energy = 0.0;          // weighted potentials; 0 of hard rules
  double distance = 0.0;        // sum of the distances to satisfaction
  double worst = 0.0;           // the largest of them
};

// Per rule of the model. Throws std::invalid_argument if parameters or truth do not fit the model.
std::vector<RuleStatistics> rule_statistics(const Model& model,
                                            const Parameters& parameters,
                                            std::span<const double> truth,
                                            unsigned threads = 0);

// ---- Ground rules as text -----------------------------------------------------------------------

// An atom of a ground rule whose value is known.
struct Fact {
  std::string atom;
  double value = 0.0;
  Span origin;  // where the data has it; empty if it is false because the data does not have it
};

// A ground rule for people to read.
struct GroundRuleText {
  std::string text;         // Likes('ann', 'tea') & Likes('bob', 'tea') -> Knows('ann', 'bob')
  std::vector<Fact> facts;  // what is known of its atoms, in their order
};

// Of the given terms of a model that was ground from this program and data (relaxing and updating
// included). A term that these do not give gets an empty text. Takes about as long as grounding
// the rules of these terms. Throws Interrupted.
std::vector<GroundRuleText> ground_rule_texts(const Program& program,
                                              const Database& database,
                                              const Model& model,
                                              std::span<const TermId> terms,
                                              const GroundOptions& options = {});

// Knows('ann', 'bob'): an atom that stands in the data, as the rule language writes it.
std::string atom_text(const Database& database, PredicateId predicate, RowId row);

// ---- Explanations -------------------------------------------------------------------------------

// What an explanation is about. Views: all must outlive the call.
struct Explained {
  const Program& program;
  const Database& database;
  const Model& model;
  const Parameters& parameters;
  const Solution& solution;
};

struct ExplainOptions {
  std::size_t limit = 10;  // most ground rules to show: per direction, or per rule
  GroundOptions ground;    // as the model was ground; threads and stop hold for all
};

// One ground rule and what it does at the solution.
struct GroundRuleEffect {
  TermId term;
  std::uint32_t rule = 0;    // index in Model::rules
  double coefficient = 0.0;  // of the atom, in a'y + b <= 0
  double multiplier = 0.0;   // slope of the weighted potential; price of a hard rule
  double force = 0.0;        // how hard it pulls the atom up: -coefficient * multiplier
  double distance = 0.0;     // to satisfaction
  double energy = 0.0;
  bool tight = false;  // it just holds: any change in one direction would violate it
  GroundRuleText ground;
};

// The ground rules around one target. If its value is between 0 and 1, the forces up and down are
// equal, up to the gap of the solution; at 0 or 1 the bound takes the difference.
struct AtomExplanation {
  std::string atom;
  double value = 0.0;
  std::uint64_t terms = 0;    // ground rules in which it stands
  std::uint64_t pull_up = 0;  // those that pull it up
  std::uint64_t pull_down = 0;
  double force_up = 0.0;  // sum over all of them
  double force_down = 0.0;
  std::vector<GroundRuleEffect> up, down;  // by force, strongest first; at most `limit` each
  std::vector<GroundRuleEffect> tight;     // just hold, without force; at most `limit`
};

AtomExplanation explain_atom(const Explained& what,
                             AtomId atom,
                             const ExplainOptions& options = {});

// The ground rules of one rule, those farthest from satisfaction first.
struct RuleExplanation {
  std::uint32_t rule = 0;
  RuleStatistics statistics;
  std::vector<GroundRuleEffect> worst;  // at most `limit`, none that is satisfied
};

RuleExplanation explain_rule(const Explained& what,
                             std::uint32_t rule,
                             const ExplainOptions& options = {});

// The target that a text like "Knows('ann', 'bob')" names; constants may stand without quotes.
// Throws InputError if it is no atom, observed, or not in the data.
AtomId find_target(const Database& database, const Model& model, std::string_view text);

// The rules that "3" (the third one) or "model.json:18" (those on that line) names.
// Throws InputError if there is none.
std::vector<std::uint32_t> find_rules(const Model& model, std::string_view text);

}  // namespace sorites
