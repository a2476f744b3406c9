#include "hinge/model/rule_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/constant.h"
#include "base/diagnostics.h"

namespace sorites {

std::vector<GroundRule> ground_rules_of(const Program& program) {
  std::vector<GroundRule> rules;
  rules.reserve(program.rules.size());
  for (const Rule& rule : program.rules) {
    rules.push_back({rule.weight.value_or(0.0), !rule.weight, rule.text, rule.source, rule.id});
  }
  return rules;
}

std::vector<std::uint32_t> rule_numbers(std::span<const GroundRule> rules) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(rules.size());
  for (const GroundRule& rule : rules) numbers.push_back(rule_number(rule.id));
  return numbers;
}

std::vector<std::uint32_t> find_rules(std::span<const GroundRule> rules,
                                      std::string_view text,
                                      const RuleNaming& naming) {
  const std::size_t colon = text.rfind(':');
  const bool is_place = colon != std::string_view::npos;
  const auto number = parse_integer(is_place ? text.substr(colon + 1) : text);
  const std::string_view file = is_place ? text.substr(0, colon) : std::string_view();
  const std::vector<std::uint32_t> numbers = rule_numbers(rules);
  const auto is_meant = [&](std::uint32_t r) {
    if (!is_place) return numbers[r] == *number;
    const Span& place = rules[r].source;
    const bool same_file = place.file == file || place.file.ends_with(fmt::format("/{}", file));
    return same_file && place.line == *number;
  };
  std::vector<std::uint32_t> found;
  for (std::uint32_t r = 0; r < rules.size() && number; ++r) {
    if (is_meant(r)) found.push_back(r);
  }
  if (!found.empty()) return found;
  const std::uint32_t most =
      numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  std::string why =
      fmt::format("there is no rule `{}`: they are numbered from 1 to {}", text, most);
  if (number && is_place) {
    why = fmt::format("no rule stands at `{}`", text);
  } else if (number && *number >= 1 && *number <= most) {
    why = fmt::format(
        "rule `{}` is not here: it is one of another phase, or there are no constants "
        "that it has weights for",
        text);
  }
  Diagnostics sink;
  sink.error(DiagnosticCode::kUnknownRule, naming.at, why)
      .notes.push_back({fmt::format("`{}` takes the number of a rule or its place, as in "
                                    "model.json:18",
                                    naming.asked_by),
                        {}});
  throw InputError(sink.take_sorted());
}

}  // namespace sorites
