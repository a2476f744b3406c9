#include "meanfield/comparisons.h"

#include <utility>

namespace sorites::meanfield {

bool holds(ComparisonOperator op,
           ConstantType type,
           const std::string& left,
           const std::string& right) {
  Dictionary both(type);
  const Code first = both.intern(left), second = both.intern(right);
  switch (op) {
    case ComparisonOperator::kEqual:
      return first == second;
    case ComparisonOperator::kNotEqual:
      return first != second;
    case ComparisonOperator::kLess:
      return both.less(first, second);
  }
  return false;  // not reached: the switch is complete
}

std::uint32_t Comparisons::add(MeanFieldPredicate predicate, std::vector<KnownAtom> facts) {
  predicate.closed = true;
  model_.predicates.push_back(std::move(predicate));
  model_.facts.push_back(std::move(facts));
  model_.unaries.emplace_back();
  return static_cast<std::uint32_t>(model_.predicates.size() - 1);
}

std::uint32_t Comparisons::pairs(ComparisonOperator op, std::uint32_t domain) {
  const bool less = op == ComparisonOperator::kLess;
  const auto [found, added] = made_.emplace(Key{less ? 1 : 0, domain, ""}, 0);
  if (!added) return found->second;
  const MeanFieldDomain& constants = model_.domains[domain];
  const Dictionary& dictionary = database_.dictionary(constants.domain);
  const std::size_t size = constants.size();
  std::vector<KnownAtom> facts;
  for (std::size_t i = 0; i < size; ++i) {
    if (!less) facts.push_back({i * size + i, 1});
    for (std::size_t j = 0; less && j < size; ++j) {
      if (dictionary.less(constants.codes[i], constants.codes[j])) {
        facts.push_back({i * size + j, 1});
      }
    }
  }
  return found->second =
             add({.name = less ? "%" : "=", .arguments = {domain, domain}}, std::move(facts));
}

std::uint32_t Comparisons::bound(std::uint32_t domain, const std::string& constant, bool less) {
  const auto [found, added] = made_.emplace(Key{less ? 2 : 3, domain, constant}, 0);
  if (!added) return found->second;
  const MeanFieldDomain& constants = model_.domains[domain];
  const Dictionary& dictionary = database_.dictionary(constants.domain);
  std::vector<KnownAtom> facts;
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const std::string text = dictionary.text(constants.codes[i]);
    const bool is_true = less ? holds(ComparisonOperator::kLess, dictionary.type(), text, constant)
                              : holds(ComparisonOperator::kLess, dictionary.type(), constant, text);
    if (is_true) facts.push_back({i, 1});
  }
  return found->second = add({.name = (less ? "% " : constant + " % ") + (less ? constant : ""),
                              .arguments = {domain}},
                             std::move(facts));
}

}  // namespace sorites::meanfield
