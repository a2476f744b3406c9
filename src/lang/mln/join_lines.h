// Formulas over several lines.
#pragma once

#include <vector>

#include "lang/mln/token.h"

namespace sorites::markov {

// Takes out the ends of lines that do not end a statement: behind a connective, and inside of
// brackets that the next line goes on with. A line that begins a statement is never joined to the
// one before, so that a mistake costs its own line only.
void join_lines(std::vector<Token>& tokens);

}  // namespace sorites::markov
