// The ground model: what the solvers minimise.
//
//   minimise  sum over terms t of  phi_t(r_t),   r_t = a_t'y + b_t,   y in [0, 1]^n,
//   phi_t(r) = w max(r, 0)  |  w max(r, 0)^2  |  0 if r <= 0, else infinite  |  0 if r = 0, else
//   infinite.
//
// y are the target atoms. b_t = constant + sum_j B_tj g_j, where g are the outputs of networks.
// Terms that one rule makes with the same coefficients stand together in a block, and the
// coefficients stand there once: a term costs 4 bytes per atom, plus 8 for its offset unless the
// whole block has the same one. Weights and outputs change numbers only; the structure stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sorites/growing_array.h"
#include "sorites/program.h"

namespace sorites {

enum class TermKind : std::uint8_t {
  kHinge,         // w max(r, 0)
  kSquaredHinge,  // w max(r, 0)^2
  kAtMost,        // hard: r <= 0
  kEqual,         // hard: r = 0
};

using AtomId = std::uint32_t;

// Terms of one rule that share their coefficients.
struct TermBlock {
  std::uint32_t rule = 0;  // index in Model::rules
  TermKind kind = TermKind::kHinge;
  std::vector<double> coefficients;         // a: per atom of a term; none is 0
  std::vector<double> output_coefficients;  // B: per network output of a term
  std::size_t num_terms = 0;
  GrowingArray<AtomId> atoms;           // per term, per coefficient; the atoms of a term differ
  GrowingArray<std::uint32_t> outputs;  // per term, per output coefficient
  GrowingArray<double> offsets;  // per term: the constant part of b; empty if all are `offset`
  double offset = 0.0;

  std::size_t width() const { return coefficients.size(); }
  std::span<const AtomId> atoms_of(std::size_t term) const {
    return {atoms.data() + term * width(), width()};
  }
  std::span<const std::uint32_t> outputs_of(std::size_t term) const {
    const std::size_t count = output_coefficients.size();
    return {outputs.data() + term * count, count};
  }
  double offset_of(std::size_t term) const { return offsets.empty() ? offset : offsets[term]; }
  std::size_t memory_bytes() const;
};

// Where the atoms of an open predicate stand: atom first + i is target row i of the relation.
struct AtomRange {
  PredicateId predicate = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// What a model remembers of a rule.
struct GroundRule {
  double weight = 0.0;  // as written; 0 for hard rules
  bool hard = false;
  std::string text;
  Span source;
};

struct Model {
  std::size_t num_atoms = 0;
  std::size_t num_outputs = 0;           // network outputs
  std::vector<AtomRange> atom_ranges;    // of the open predicates, ascending
  std::vector<AtomRange> output_ranges;  // of the neural predicates, ascending
  std::vector<GroundRule> rules;
  std::vector<TermBlock> blocks;  // by rule

  std::size_t num_terms() const;
  std::size_t num_nonzeros() const;
  std::size_t memory_bytes() const;
};

}  // namespace sorites
