// Text -> tokens.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "lang/psl/token.h"

namespace sorites::lang {

// Never fails: what is no token is reported and becomes the token that was most likely meant, or
// kError. The last token is kEnd. The text must be UTF-8.
std::vector<Token> tokenize(const Source& source, Diagnostics& sink);

}  // namespace sorites::lang
