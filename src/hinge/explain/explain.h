// What a solution of a hinge-loss model says about rules and atoms.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sorites/database.h"
#include "sorites/explain.h"
#include "sorites/ground.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// Per rule of the model. Throws std::invalid_argument if parameters or truth do not fit the model.
std::vector<RuleStatistics> rule_statistics(const Model& model,
                                            const Parameters& parameters,
                                            std::span<const double> truth,
                                            unsigned threads = 0);

// Of the given terms of a model that was ground from this program and data (relaxing and updating
// included). A term that these do not give gets an empty text. Takes about as long as grounding
// the rules of these terms. Throws Interrupted.
std::vector<GroundRuleText> ground_rule_texts(const Program& program,
                                              const Database& database,
                                              const Model& model,
                                              std::span<const TermId> terms,
                                              const GroundOptions& options = {});

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

AtomExplanation explain_atom(const Explained& what,
                             AtomId atom,
                             const ExplainOptions& options = {});

// Of an atom of `solve.integer`: adds what forces its value, or what the other value costs, which
// takes as long as solving its part of the model again.
void explain_integer_atom(const Explained& what,
                          AtomId atom,
                          const SolveOptions& solve,
                          const ExplainOptions& options,
                          AtomExplanation& result);

RuleExplanation explain_rule(const Explained& what,
                             std::uint32_t rule,
                             const ExplainOptions& options = {});

}  // namespace sorites
