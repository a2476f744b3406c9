// How many mistakes are worth what they cost: a file of a million rows may have one in each.
#pragma once

#include <cstddef>

namespace sorites {

inline constexpr std::size_t kMostMistakesPerFile = 20;  // of rows: a screen
// Of the text of a model. Each costs a search for its line, and nobody reads more than this.
inline constexpr std::size_t kMostMistakesOfModel = 100;
// That keep their line: a file may be a single one, with something to say of every word.
inline constexpr std::size_t kManyExcerpts = 100;

}  // namespace sorites
