// Formulas as written to rules of a program: names looked up, variables with their domains.
#pragma once

#include <optional>
#include <vector>

#include "lang/mln/syntax.h"
#include "lang/mln/vocabulary.h"
#include "sorites/program.h"

namespace sorites::markov {

// A rule whose weights are still as written: how many there have to be is known only when all
// constants are.
struct DraftRule {
  const FormulaSyntax* syntax = nullptr;
  Rule rule;
  std::vector<const Domain*> weighted_domains;  // per variable of rule.weighted
};

// Whether constants that only a formula mentions are worth a warning: not if no data was read.
enum class DataKnown : std::uint8_t { kNo, kYes };

// The vocabulary's domains have their numbers. Constants that no data mentions are added to their
// domain. None if a mistake was reported.
std::optional<DraftRule> build_rule(const FormulaSyntax& syntax,
                                    Vocabulary& vocabulary,
                                    DataKnown data,
                                    Diagnostics& sink);

// Gives each combination of constants its weight.
std::optional<Rule> finish_rule(DraftRule draft, DataKnown data, Diagnostics& sink);

}  // namespace sorites::markov
