// Why did this value come out? What an answer says about atoms and rules, whatever the semantics.
//
//   const std::string atoms[] = {"Knows('ann', 'bob')"};
//   const ExplainResult why = session.explain(atoms);
//   for (const GroundRuleEffect& effect : why.atoms[0].up) use(effect.ground.text, effect.force);
//
// In hinge-loss models a ground rule pulls an atom with a force: what the objective would gain per
// unit of change without it. In Markov logic it pushes the log-odds of the atom: its weight times
// the probability that all its other literals fail (Xu et al. 2024, eq. 2 and 3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sorites/database.h"
#include "sorites/diagnostic.h"

namespace sorites {

inline constexpr double kSatisfied = 1e-4;  // distance up to which a ground rule is satisfied

// How well the ground rules of one rule hold. In Markov logic the numbers are expectations.
struct RuleStatistics {
  double terms = 0.0;           // ground rules
  double satisfied = 0.0;       // hold, within kSatisfied
  double energy = 0.0;          // what they cost, weighted; 0 of hard rules
  double distance = 0.0;        // sum of the distances to satisfaction
  std::optional<double> worst;  // the largest of them, where each ground rule is looked at
};

// An atom of a ground rule and what is known of it.
struct Fact {
  std::string atom;  // in Markov logic with the sign that lets the rule depend on what is explained
  double value = 0.0;  // its truth value, or in Markov logic the probability of this
  bool known = true;   // false: it is inferred
  Span origin;         // where the data has it; empty if the data does not have it
};

struct GroundRuleText {     // for people to read
  std::string text;         // Likes('ann', 'tea') & Likes('bob', 'tea') -> Knows('ann', 'bob')
  std::vector<Fact> facts;  // of its atoms, in their order
};

// One ground rule and what it does.
struct GroundRuleEffect {
  std::uint32_t rule = 0;    // which rule it is of
  double force = 0.0;        // how hard it pulls the atom up; below 0: down
  double coefficient = 0.0;  // of the atom, in a'y + b <= 0
  double multiplier = 0.0;   // slope of the weighted potential; price of a hard rule
  double distance = 0.0;  // to satisfaction; in Markov logic probability of violation, < 0: unknown
  double energy = 0.0;
  bool tight = false;  // it just holds: any change in one direction would violate it
  GroundRuleText ground;
};

// All that one rule does to an atom.
struct RuleForce {
  std::uint32_t rule = 0;
  double force = 0.0;
};

// The ground rules around one atom. In hinge-loss models, between 0 and 1, the forces up and down,
// `own` included, are equal up to the gap of the solution; at 0 or 1 the bound takes the rest. In
// Markov logic `own` + force_up - force_down are log-odds; of a class, against the others' mean.
struct AtomExplanation {
  std::string_view unit = "force";          // or "log-odds"
  std::string_view counts = "ground rule";  // what pull_up and pull_down count; or "rule"
  std::string atom;
  double value = 0.0;
  double own = 0.0;    // its unary potential in Markov logic, the pull of the regulariser
  double terms = 0.0;  // ground rules in which it stands
  std::uint64_t pull_up = 0, pull_down = 0;  // how many pull it; in Markov logic, rules
  double force_up = 0.0, force_down = 0.0;   // sums over all of them
  std::vector<RuleForce> rules;              // strongest first
  std::vector<GroundRuleEffect> up, down;    // by force, strongest first; at most `limit` each
  std::vector<GroundRuleEffect> tight;       // just hold, without force; at most `limit`
  bool all_seen = true;  // false: too many ground rules to look at, there may be stronger ones
  // Integer atoms have no forces: hard rules force the value, by the `reasons` together, or the
  // best state with the other value costs flip_cost more, and at least flip_bound.
  bool is_integer = false, is_forced = false;
  double flip_cost = 0.0, flip_bound = 0.0;
  std::vector<GroundRuleEffect> reasons;
};

// The ground rules of one rule: those farthest from satisfaction, or that cost most, first.
struct RuleExplanation {
  std::uint32_t rule = 0;
  RuleStatistics statistics;
  std::vector<GroundRuleEffect> worst;  // at most `limit`, none that is satisfied
  bool all_seen = true;
};

}  // namespace sorites
