// The number of an atom among those of its predicate: row by row, the last argument runs fastest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sorites/markov.h"

namespace sorites::markov {

inline std::uint64_t atom_number(const MarkovModel& model,
                                 std::uint32_t predicate,
                                 std::span<const std::uint32_t> constants) {
  const MarkovPredicate& declared = model.predicates[predicate];
  std::uint64_t number = 0;
  for (std::size_t k = 0; k < constants.size(); ++k) {
    number = number * model.types[declared.arguments[k]].constants.size() + constants[k];
  }
  return number;
}

inline std::uint64_t num_atoms(const MarkovModel& model, std::uint32_t predicate) {
  std::uint64_t count = 1;
  for (const std::uint32_t type : model.predicates[predicate].arguments) {
    count *= model.types[type].constants.size();
  }
  return count;
}

inline std::vector<std::uint32_t> atom_constants(const MarkovModel& model,
                                                 std::uint32_t predicate,
                                                 std::uint64_t number) {
  const std::vector<std::uint32_t>& types = model.predicates[predicate].arguments;
  std::vector<std::uint32_t> constants(types.size());
  for (std::size_t k = types.size(); k-- > 0;) {
    const std::size_t size = model.types[types[k]].constants.size();
    constants[k] = static_cast<std::uint32_t>(number % size);
    number /= size;
  }
  return constants;
}

inline std::span<const std::uint32_t> constants_of(const MarkovModel& model,
                                                   std::uint32_t predicate,
                                                   const MarkovAtoms& atoms,
                                                   std::size_t row) {
  const std::size_t arity = model.predicates[predicate].arguments.size();
  return std::span(atoms.constants).subspan(row * arity, arity);
}

}  // namespace sorites::markov
