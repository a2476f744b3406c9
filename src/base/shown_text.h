// Text of others (constants, names, paths) as it may be shown on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace sorites {

// Control characters, which could move the cursor, change the title or hide what follows, become
// \x1b and the like, and those that turn the direction of text \u202e; ends of lines and tabs stay.
// `colors`: so do the few sequences that this program itself colours text with.
std::string shown_text(std::string_view text, bool colors = false);

}  // namespace sorites
