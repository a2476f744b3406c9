// Why did this value come out? What a solution says about rules and atoms.
//
//   const Solution solution = solve(model, parameters);
//   for (const RuleStatistics& rule : rule_statistics(model, parameters, solution.truth)) ...
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sorites/database.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// Knows('ann', 'bob'): an atom that stands in the data, as the rule language writes it.
std::string atom_text(const Database& database, PredicateId predicate, RowId row);

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

}  // namespace sorites
