#include "rule_names.h"

#include <fmt/format.h>

#include "hinge/model/rule_numbers.h"

namespace sorites {

std::string line_of(const GroundRule& rule) {
  return rule.source.line == 0 ? "" : std::to_string(rule.source.line);
}

std::string place_of(const Span& place) {
  return place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line);
}

std::vector<std::string> rule_titles(std::span<const GroundRule> rules) {
  const std::vector<std::uint32_t> numbers = rule_numbers(rules);
  std::vector<std::string> titles;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    titles.push_back(fmt::format("rule {} ({})", numbers[r], place_of(rules[r].source)));
  }
  return titles;
}

}  // namespace sorites
