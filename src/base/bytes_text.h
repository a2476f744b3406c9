// Amounts of memory, for people.
#pragma once

#include <string>

namespace sorites {

std::string bytes_text(double bytes);  // "1.2 MB"

}  // namespace sorites
