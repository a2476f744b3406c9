#include "meanfield/binding.h"

namespace sorites {

std::vector<std::uint32_t> Binding::of(const MeanFieldLiteral& literal) const {
  std::vector<std::uint32_t> found;
  found.reserve(literal.terms.size());
  for (const MeanFieldTerm& term : literal.terms) found.push_back(of(term));
  return found;
}

std::size_t Binding::free_variable(const MeanFieldLiteral& literal) const {
  for (const MeanFieldTerm& term : literal.terms) {
    if (of(term) == kFree) return term.index;
  }
  return kNone;
}

bool Binding::match(const MeanFieldLiteral& literal, std::span<const std::uint32_t> atom) {
  for (std::size_t k = 0; k < atom.size(); ++k) {
    const MeanFieldTerm& term = literal.terms[k];
    if (of(term) == kFree) constants[term.index] = atom[k];
    if (of(term) != atom[k]) return false;
  }
  return true;
}

}  // namespace sorites
