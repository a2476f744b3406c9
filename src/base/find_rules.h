// From what a user calls a rule to the rules that are meant.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sorites/diagnostic.h"

namespace sorites {

// The rules that "3" (the third one) or "model.json:18" (those on that line) names, by their
// places. `what` they are called in messages: rule, formula. Throws InputError if there is none.
std::vector<std::uint32_t> find_rules(std::span<const Span> places,
                                      std::string_view text,
                                      std::string_view what);

}  // namespace sorites
