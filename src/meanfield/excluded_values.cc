#include "meanfield/excluded_values.h"

#include <algorithm>

namespace sorites {

ExcludedValues::ExcludedValues(const MeanFieldModel& model)
    : model_(model), open_excluded_(model.predicates.size()) {
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    const MeanFieldPredicate& predicate = model.predicates[p];
    lists_.emplace_back(predicate.num_values());
    if (predicate.closed) {
      for (const KnownAtom& fact : model.facts[p]) {
        if (fact.value == 1) lists_[p][0].atoms.push_back(fact.atom);
      }
      continue;
    }
    open_excluded_[p].resize(num_atoms(model, p) * predicate.num_values());
    for (const KnownAtom& known : known_atoms(model, p)) {
      for (std::uint32_t value = 0; value < predicate.num_values(); ++value) {
        if (value != known.value) exclude(p, known.atom, value);
      }
    }
  }
}

bool ExcludedValues::is_excluded(std::uint32_t predicate,
                                 std::uint64_t atom,
                                 std::uint32_t value) const {
  if (model_.predicates[predicate].closed) {
    const std::vector<std::uint64_t>& facts = lists_[predicate][0].atoms;
    return std::binary_search(facts.begin(), facts.end(), atom) == (value == 0);
  }
  return open_excluded_[predicate][atom * model_.predicates[predicate].num_values() + value];
}

bool ExcludedValues::are_excluded(std::uint32_t predicate,
                                  std::uint64_t atom,
                                  std::span<const std::uint32_t> values) const {
  return std::all_of(values.begin(), values.end(), [&](std::uint32_t value) {
    return is_excluded(predicate, atom, value);
  });
}

void ExcludedValues::exclude(std::uint32_t predicate, std::uint64_t atom, std::uint32_t value) {
  open_excluded_[predicate][atom * model_.predicates[predicate].num_values() + value] = true;
  lists_[predicate][value].atoms.push_back(atom);
}

bool ExcludedValues::has_list(std::uint32_t predicate, std::uint32_t value) const {
  return !model_.predicates[predicate].closed || value == 0;
}

std::uint64_t ExcludedValues::key_of(std::uint32_t predicate,
                                     std::uint32_t marked,
                                     std::span<const std::uint32_t> constants) const {
  const auto& arguments = model_.predicates[predicate].arguments;
  std::uint64_t key = 0;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if ((marked >> k & 1) != 0) key = key * model_.domains[arguments[k]].size() + constants[k];
  }
  return key;
}

const std::vector<std::uint64_t>& ExcludedValues::atoms(std::uint32_t predicate,
                                                        std::uint32_t value,
                                                        std::span<const std::uint32_t> constants) {
  List& list = lists_[predicate][value];
  std::uint32_t marked = 0;
  for (std::size_t k = 0; k < constants.size() && k < 32; ++k) {
    if (constants[k] != kAnyConstant) marked |= 1U << k;
  }
  if (marked == 0) return list.atoms;
  Index& index = list.by_arguments[marked];
  for (; index.num_read < list.atoms.size(); ++index.num_read) {
    const std::uint64_t atom = list.atoms[index.num_read];
    index.atoms[key_of(predicate, marked, atom_constants(model_, predicate, atom))].push_back(atom);
  }
  static const std::vector<std::uint64_t> none;
  const auto found = index.atoms.find(key_of(predicate, marked, constants));
  return found == index.atoms.end() ? none : found->second;
}

}  // namespace sorites
