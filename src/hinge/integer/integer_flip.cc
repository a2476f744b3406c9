#include "hinge/integer/integer_flip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hinge/integer/integer_conflict.h"
#include "hinge/integer/integer_search.h"
#include "hinge/integer/mixed_program.h"
#include "hinge/model/residual.h"

namespace sorites {
namespace {

constexpr double kReasonSeconds = 10.0;  // what a user waits for a shorter explanation
constexpr double kMoved = 1e-6;          // of a continuous atom

// The rows of the part in which the atom stands, and no others.
void keep_part_of(AtomId atom, MixedProgram& program) {
  const ProgramParts parts = connected_parts(program);
  std::vector<ProgramRow> rows;
  for (const ProgramPart& part : parts.parts) {
    if (!std::binary_search(part.atoms.begin(), part.atoms.end(), atom)) continue;
    for (const std::uint32_t r : part.rows) rows.push_back(program.rows[r]);
  }
  program.rows = std::move(rows);
}

SolveStatus status_of(IntegerOutcome outcome, const SolveOptions& options) {
  switch (outcome) {
    case IntegerOutcome::kDone:
      return SolveStatus::kOptimal;
    case IntegerOutcome::kInfeasible:
      return SolveStatus::kInfeasible;
    case IntegerOutcome::kStopped:
      return options.stop.stop_requested() ? SolveStatus::kInterrupted : SolveStatus::kTimeLimit;
    case IntegerOutcome::kNodeLimit:
      return SolveStatus::kIterationLimit;
  }
  return SolveStatus::kNumericalError;  // not reached
}

void add_reasons(const Model& model,
                 const Parameters& parameters,
                 std::span<const AtomId> atoms,
                 AssumedValue other,
                 const std::stop_token& stop,
                 IntegerFlip& flip) {
  flip.status = SolveStatus::kInfeasible;
  flip.cost = flip.least_cost = std::numeric_limits<double>::infinity();
  const auto conflict =
      find_integer_conflict(model, parameters, atoms, other, Deadline(kReasonSeconds, stop));
  if (!conflict) return;
  flip.reasons = conflict->terms;
  flip.reasons_are_needed = conflict->irreducible;
}

}  // namespace

IntegerFlip flip_integer_atom(const Model& model,
                              const Parameters& parameters,
                              const SolveOptions& options,
                              std::span<const double> truth,
                              AtomId atom,
                              ThreadPool& pool) {
  MixedProgram program = mixed_program_of(model, parameters, options.integer);
  if (atom >= model.num_atoms || program.is_integer[atom] == 0) {
    throw std::invalid_argument("flip: the atom is not integer");
  }
  const double other = truth[atom] > 0.5 ? 0.0 : 1.0;
  const AssumedValue assumed{atom, other > 0.5 ? 1 : 0};
  keep_part_of(atom, program);
  ProgramPart whole;  // the part, or the atom alone if no row has it
  const ProgramParts parts = connected_parts(program);
  if (!parts.parts.empty()) whole = parts.parts.front();
  if (whole.atoms.empty()) whole.atoms = {atom};
  const double before = evaluate(program, whole, truth).objective;
  IntegerFlip flip;
  const bool may_be_other = program.lower[atom] <= other && other <= program.upper[atom];
  if (may_be_other) {
    program.lower[atom] = program.upper[atom] = other;
    IntegerSearch search(program, options, pool);
    search.run();
    flip.status = status_of(search.outcome(), options);
    const bool has_state = search.num_rounded_parts() == 0;
    const double after = evaluate(program, whole, search.truth()).objective;
    flip.cost = has_state ? after - before : std::numeric_limits<double>::infinity();
    if (std::abs(flip.cost) < kSumRounding * (1.0 + std::abs(before))) flip.cost = 0.0;
    flip.least_cost = (parts.parts.empty() ? after : search.part_bound(0)) - before;
    for (const AtomId i : whole.atoms) {
      const bool is_moved = i != atom && std::abs(search.truth()[i] - truth[i]) > kMoved;
      if (has_state && is_moved) flip.moved.push_back(i);
    }
  }
  if (!may_be_other || flip.status == SolveStatus::kInfeasible) {
    flip.moved.clear();
    if (whole.has_continuous) whole.atoms.clear();
    add_reasons(model, parameters, whole.atoms, assumed, options.stop, flip);
  }
  return flip;
}

}  // namespace sorites
