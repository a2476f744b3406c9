// Which ground rules the terms of a model came from. A model does not store it: the joins of the
// rules run again.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hinge/ground/emitter.h"
#include "sorites/ground.h"

namespace sorites {

// A ground rule: a clause (atoms with coefficient > 0 are its body, the others its head), or
// sum of atoms + constant  op  0.
struct GroundInstance {
  bool is_clause = false;
  std::vector<RuleAtom> atoms;
  double constant = 0.0;
  RelationalOperator op = RelationalOperator::kLessEqual;
};

// A term of a model, by its block and its place there.
struct TermPlace {
  std::uint32_t block = 0;
  std::uint32_t term = 0;
};

// Per term its ground rule; none if program and data are not those of the model. Of terms that are
// equal in all numbers, the first gets the first ground rule, and so on. Hard rules of the program
// may be relaxed in the model. Takes about as long as grounding the rules of these terms. Throws
// Interrupted.
std::vector<std::optional<GroundInstance>> ground_instances(const Program& program,
                                                            const Database& database,
                                                            const Model& model,
                                                            std::span<const TermPlace> terms,
                                                            const GroundOptions& options);

}  // namespace sorites
