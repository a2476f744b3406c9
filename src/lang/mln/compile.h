// The whole way from texts to a model.
#pragma once

#include <optional>
#include <vector>

#include "lang/mln/atoms.h"
#include "lang/mln/syntax.h"
#include "lang/mln/vocabulary.h"
#include "sorites/markov.h"

namespace sorites::markov {

// The number of atoms that a predicate may have.
inline constexpr std::uint64_t kMostAtoms = std::uint64_t{1} << 40U;

// Not owned.
struct MarkovSources {
  std::vector<const Source*> declarations;
  std::vector<const Source*> formulas;
  std::vector<const Source*> statements;  // both of them
  std::vector<const Source*> facts;
  std::vector<const Source*> queries;
  std::vector<const Source*> unaries = {};
};

// None if there was an error.
std::optional<MarkovModel> compile(const MarkovSources& sources, Diagnostics& sink);

// The same from declarations and data that did not come as texts of Markov logic. The sources of
// formulas and data must live.
std::optional<MarkovModel> compile(Vocabulary& vocabulary,
                                   const std::vector<FormulaSyntax>& formulas,
                                   const AtomData& data,
                                   Diagnostics& sink);

}  // namespace sorites::markov
