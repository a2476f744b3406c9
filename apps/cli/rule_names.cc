#include "rule_names.h"

#include <fmt/format.h>

namespace sorites {

std::string line_of(const GroundRule& rule) {
  return rule.source.line == 0 ? "" : std::to_string(rule.source.line);
}

std::string place_of(const Span& place) {
  return place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line);
}

std::string rule_title(const GroundRule& rule, std::size_t number) {
  return fmt::format("rule {} ({})", number + 1, place_of(rule.source));
}

}  // namespace sorites
