// What users call rules: "3" is the third rule of the model, whatever the phase, its data and the
// semantics make of it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sorites/model.h"
#include "sorites/program.h"

namespace sorites {

inline std::uint32_t rule_number(RuleId id) { return id + 1; }

std::vector<GroundRule> ground_rules_of(const Program& program);

// The number of each. Rules that a semantics made of one rule of the program, as one per
// combination of constants, have its number; where it made none, the number is left out. Rules that
// no rule of the program made, those of classes, have numbers after all others of the program.
std::vector<std::uint32_t> rule_numbers(std::span<const GroundRule> rules);

// Who names rules, for the message that there is no such rule.
struct RuleNaming {
  std::string_view asked_by = "--rule";  // a flag, or an option
  Span at = {};                          // its place, if it has one
};

// The rules that "3" (the number) or "model.json:18" (those on that line) names. Throws InputError
// if there is none.
std::vector<std::uint32_t> find_rules(std::span<const GroundRule> rules,
                                      std::string_view text,
                                      const RuleNaming& naming = {});

}  // namespace sorites
