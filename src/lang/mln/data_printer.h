// Rows of a database as text of Markov logic that reads as the same rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sorites/database.h"

namespace sorites::markov {

// `friend(Ann, Bob)`, or `label(P1) = A` of a predicate with classes if the class is given too.
std::string atom_text(const Database& database,
                      PredicateId predicate,
                      std::span<const Code> arguments);

std::string facts_text(const Database& database);
// With `?` in front of each, as data files ask for atoms, or with their truth, if it is known.
enum class QueryStyle : std::uint8_t { kWithTruth, kAsQuestions };
std::string queries_text(const Database& database, QueryStyle style);
std::string unaries_text(const Database& database);

}  // namespace sorites::markov
