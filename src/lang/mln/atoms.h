// Atoms of data files: facts, queries and unary potentials.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/diagnostics.h"
#include "lang/mln/vocabulary.h"
#include "sorites/markov.h"

namespace sorites::markov {

// Where an atom stands: in which of the sources, and on which stretch of it. Of data that did not
// come from sources, whatever AtomData::locate_row makes of it.
struct AtomPlace {
  std::uint32_t source = 0;
  TextRange range;
};

// Atoms of one predicate as they were read, perhaps more than once.
struct AtomRows {
  MarkovAtoms atoms;
  std::vector<AtomPlace> places;  // per atom
  std::vector<float> numbers;     // of unary potentials: per atom
};

// Everything that was read. Per predicate.
struct AtomData {
  std::vector<const Source*> sources;
  std::function<Span(const AtomPlace&)> locate_row;  // instead of sources
  std::vector<AtomRows> facts, queries, unaries;
};

enum class AtomRole : std::uint8_t { kFact, kQuery, kUnary };

// Reads one atom per line: `p(A, B)`, `!p(A, B)`, `label(A) = C`, and `?p(A, B)` or
// `?p(A, B) = true`, which are always queries. Adds their constants to the types. `#` and `//`
// begin comments. Unary potentials have a number behind the atom: `p(A, B) 1.25`.
void read_atoms(
    const Source& source, AtomRole role, Vocabulary& vocabulary, AtomData& data, Diagnostics& sink);

// Gives the facts and queries of all predicates, each atom once, and reports those that contradict
// each other. Queries that are facts as well are dropped. The model has its types and
// predicates, and no predicate has more atoms than fit 64 bits.
void settle_atoms(const AtomData& data, MarkovModel& model, Diagnostics& sink);

// Gives the unary potentials, and reports those of closed predicates and those that stand twice.
void settle_unaries(const AtomData& data, MarkovModel& model, Diagnostics& sink);

}  // namespace sorites::markov
