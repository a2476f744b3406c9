// A ground model with integer atoms, as what branch and bound works on:
//
//   minimise  constant + cost'y + sum of w_t phi_t(r_t) over soft rows,
//   subject to  the hard rows,  lower <= y <= upper,  y_i integer for some i.
//
// Terms of one integer atom are part of the cost: whatever their potential, it is linear on {0, 1}.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hinge/conflict/hard_rows.h"
#include "hinge/problem/problem.h"
#include "hinge/problem/weight_range.h"
#include "sorites/model.h"
#include "sorites/solve.h"

namespace sorites {

// How far a state of integer atoms may be off a hard row: as everywhere, so that no search calls
// broken what another calls kept. Linear programs are exact to 1e-9, and their points are rounded
// by 1e-7 per integer atom.
inline constexpr double kFeasible = kHardTolerance;

inline constexpr std::uint32_t kNoShape = ~std::uint32_t{0};

// A term with its numbers. Its spans are views of the model.
struct ProgramRow {
  TermKind kind = TermKind::kHinge;
  std::uint32_t shape = kNoShape;  // which sums a'y has, if all its atoms are integer
  double weight = 0.0;
  double offset = 0.0;
  double largest = 0.0;  // residual within the bounds
  std::span<const double> coefficients;
  std::span<const AtomId> atoms;

  double residual(std::span<const double> truth) const {
    double sum = offset;
    for (std::size_t k = 0; k < atoms.size(); ++k) sum += coefficients[k] * truth[atoms[k]];
    return sum;
  }
};

// An affine function of the residual that is nowhere above the potential (at weight 1).
struct Piece {
  double slope = 0.0, intercept = 0.0;

  double at(double residual) const { return slope * residual + intercept; }
};

struct MixedProgram {
  std::vector<double> lower, upper, cost;  // per atom
  std::vector<double> cost_size;           // per atom: what its cost adds up, signs apart
  WeightRange weights;                     // of the model's rules
  std::vector<char> is_integer;            // per atom
  double constant = 0.0;
  std::vector<ProgramRow> rows;
  std::vector<std::vector<double>> shapes;  // ascending values of a'y
  bool contradictory = false;  // a hard term of one atom, or none, cannot hold with the others
  std::vector<AtomId> contradictory_atoms;  // that such a term is about
  std::optional<TermId> off_steps;  // a hard equality between the values that its sum can have

  // The piece that touches the potential at `residual`. Where all atoms are integer the residual
  // has few values, and pieces join neighbouring ones: no tangent is as high, and integer points
  // have no error left.
  Piece piece_at(const ProgramRow& row, double residual) const;
};

// What makes the numbers of a model unusable, or nothing.
std::string find_bad_number(const Model& model, const Parameters& parameters);

// The model must outlive it. Its numbers are usable, `integer` lies within its atoms.
MixedProgram mixed_program_of(const Model& model,
                              const Parameters& parameters,
                              std::span<const AtomRange> integer);

// Atoms and rows that no other row connects.
struct ProgramPart {
  std::vector<AtomId> atoms;
  std::vector<std::uint32_t> rows;
  bool has_continuous = false, has_integer = false;
};

// The connected parts, ascending by their first atom; atoms that stand in no row are in none.
struct ProgramParts {
  std::vector<ProgramPart> parts;
  std::vector<std::uint32_t> place;  // per atom of the program: which of its part it is
};
ProgramParts connected_parts(const MixedProgram& program);

struct ProgramValue {
  double objective = 0.0;  // of the part; `constant` apart
  double violation = 0.0;
};
ProgramValue evaluate(const MixedProgram& program,
                      const ProgramPart& part,
                      std::span<const double> truth);

}  // namespace sorites
