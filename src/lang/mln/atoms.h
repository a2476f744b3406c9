// Atoms of data files: facts, queries and unary potentials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/diagnostics.h"
#include "lang/mln/vocabulary.h"

namespace sorites::markov {

// The value of an atom that is asked for, if nothing says what it is.
inline constexpr std::uint32_t kUnknownValue = 0xFFFFFFFF;

// Where an atom stands: in which of the sources, and on which stretch of it.
struct AtomPlace {
  std::uint32_t source = 0;
  TextRange range;
};

// Atoms of one predicate as they were read, perhaps more than once.
struct AtomRows {
  std::vector<std::uint32_t> constants;  // atom by atom, one per argument
  std::vector<std::uint32_t> values;     // one per atom
  std::vector<AtomPlace> places;         // one per atom
  std::vector<double> numbers;           // of unary potentials: one per atom

  std::size_t size() const { return values.size(); }
};

// Everything that was read. Per predicate.
struct AtomData {
  std::vector<const Source*> sources;
  std::vector<AtomRows> facts, queries, unaries;
};

enum class AtomRole : std::uint8_t { kFact, kQuery, kUnary };

// Reads one atom per line: `p(A, B)`, `!p(A, B)`, `label(A) = C`, and `?p(A, B)` or
// `?p(A, B) = true`, which are always queries. Adds their constants to the types. `#` and `//`
// begin comments. Unary potentials have a number behind the atom: `p(A, B) 1.25`.
void read_atoms(
    const Source& source, AtomRole role, Vocabulary& vocabulary, AtomData& data, Diagnostics& sink);

}  // namespace sorites::markov
