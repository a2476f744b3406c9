// Models as text that reads as the same model.
#pragma once

#include <string>

#include "sorites/markov.h"

namespace sorites::markov {

// Without weight and period.
std::string formula_text(const MarkovModel& model, const MarkovFormula& formula);

// The predicate of equal constants, which no file declares.
bool is_equality(const MarkovPredicate& predicate);

std::string declarations_text(const MarkovModel& model);
std::string formulas_text(const MarkovModel& model);
std::string facts_text(const MarkovModel& model);
// With `?` in front of each, as data files ask for atoms, or with their truth, if it is known.
enum class QueryStyle : std::uint8_t { kWithTruth, kAsQuestions };
std::string queries_text(const MarkovModel& model, QueryStyle style);
// Those that are not 0.
std::string unaries_text(const MarkovModel& model);

}  // namespace sorites::markov
