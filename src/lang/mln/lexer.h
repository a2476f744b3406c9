// Text to tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "lang/mln/token.h"

namespace sorites::markov {

// All tokens, the last of which is kEnd. Comments are `// ...`, `/* ... */` and lines that begin
// with `#`. Never fails: what is no token is reported and becomes kError.
std::vector<Token> tokenize(const Source& source, Diagnostics& sink);

// A quoted constant that begins at `begin` of the source's text: appends what it says to `value`
// and returns the place after it. None is reported and returns 0 if it is not closed on its line.
std::size_t read_string(const Source& source,
                        std::size_t begin,
                        std::string& value,
                        Diagnostics& sink);

// As a constant of a formula: bare if it cannot be taken for a variable, else in quotes.
std::string constant_text(std::string_view constant);
std::string quoted(std::string_view text);

}  // namespace sorites::markov
