// Logical rules to formulas of the model: clauses that exclude each other, one formula per
// combination of the classes that variables stand for, quantifiers written out.
#pragma once

#include <stop_token>

#include "base/diagnostics.h"
#include "meanfield/model.h"
#include "meanfield/narrow_domains.h"

namespace sorites::meanfield {

// What a rule may become; more is refused.
inline constexpr std::size_t kMostWeights = std::size_t{1} << 24U;
inline constexpr std::size_t kMostClassCombinations = 1000;
inline constexpr std::size_t kMostLiterals = 1024;  // of a formula, quantifiers written out
// Literals of a formula that facts decide: constants of a domain to look at under a quantifier.
inline constexpr std::size_t kMostDecided = std::size_t{1} << 16U;
// Formulas of a rule whose variables have constants, so that facts decide what is under its
// quantifiers. Each is planned on its own; 1,000 of them take 0.8 s.
inline constexpr std::size_t kMostEvidence = 4096;
// Of weights and log-odds: sums of as many as there can be groundings are still floats.
inline constexpr double kLargestLogOdds = 1e20;

// The model has its predicates and facts; comparisons become closed predicates of their own.
// Throws Interrupted.
void lower_rules(const Program& program,
                 const Database& database,
                 const NarrowedDomains& domains,
                 MeanFieldModel& model,
                 Diagnostics& sink,
                 const std::stop_token& stop = {});

}  // namespace sorites::meanfield
