// Pieces of JSON as text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sorites {

// In double quotes, with escapes.
std::string json_quoted(std::string_view text);

// The shortest number that reads back the same; null if it is not finite.
std::string json_number(double number);

// Objects and lists of values that are JSON already. With an indent every member stands on a line
// of its own, that deep; without one (negative) all stand on one line.
using JsonMembers = std::vector<std::pair<std::string, std::string>>;
std::string json_object(const JsonMembers& members, int indent = -1);
std::string json_list(const std::vector<std::string>& elements, int indent = -1);

}  // namespace sorites
