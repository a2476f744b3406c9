#include "lang/psl/predicate_index.h"

#include <algorithm>

namespace sorites {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
  return result;
}

}  // namespace

namespace lang {

PredicateIndex::PredicateIndex(const std::vector<Predicate>& predicates) : predicates_(predicates) {
  names_.reserve(predicates.size());
  for (PredicateId id = 0; id < predicates.size(); ++id) {
    names_.push_back(predicates[id].name);
    by_lower_case_.emplace(lower(predicates[id].name), id);
  }
}

std::optional<PredicateId> PredicateIndex::find(std::string_view name) const {
  const auto found = by_lower_case_.find(lower(name));
  return found == by_lower_case_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace lang

std::optional<PredicateId> Program::find_predicate(std::string_view name) const {
  for (PredicateId id = 0; id < predicates.size(); ++id) {
    const std::string& candidate = predicates[id].name;
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    if (std::equal(candidate.begin(), candidate.end(), name.begin(), name.end(), same)) return id;
  }
  return std::nullopt;
}

}  // namespace sorites
