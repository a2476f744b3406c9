// Text of others (constants, names, paths) as it may be shown on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sorites {

// Of the atoms and facts of a ground rule: more are only counted.
inline constexpr std::size_t kMostShown = 12;

// Control characters, which could move the cursor, change the title or hide what follows, become
// \x1b and the like, and those that turn the direction of text \u202e; ends of lines and tabs stay.
// So colours are put around a text after this, not before.
std::string shown_text(std::string_view text);

// One blank for each of them, and for tabs and ends of lines, so that what is under a character
// stays under it.
std::string blanked_text(std::string_view text);

// The text for a file of this name, which may be a terminal: /dev/stdout.
std::string text_for_file(const std::string& path, std::string text);
bool is_terminal_file(const std::string& path);

}  // namespace sorites
