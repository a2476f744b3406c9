// For tests and benchmarks: a model with integer atoms handed to CBC as a whole, the way it would
// be without anything of our own but the linear form of potentials.
#pragma once

#include <limits>
#include <numeric>

#include "hinge/integer/branch_and_bound.h"
#include "hinge/integer/linear_relaxation.h"
#include "hinge/integer/mixed_program.h"

namespace sorites {

struct CbcAnswer {
  BranchStatus status = BranchStatus::kFailed;
  double objective = std::numeric_limits<double>::infinity();
  std::vector<double> truth;
};

inline CbcAnswer solve_by_cbc_alone(const Model& model,
                                    const Parameters& parameters,
                                    std::span<const AtomRange> integer,
                                    double seconds) {
  const MixedProgram program = mixed_program_of(model, parameters, integer);
  CbcAnswer answer;
  if (program.contradictory) {
    answer.status = BranchStatus::kInfeasible;
    return answer;
  }
  const ProgramParts parts = connected_parts(program);
  std::vector<std::uint32_t> all(parts.parts.size());
  std::iota(all.begin(), all.end(), 0U);
  PiecePool pool = first_pieces(program);
  WatchedDeadline deadline{Deadline(seconds, {})};
  LinearRelaxation relaxation(program, parts, all, pool, deadline);
  answer.truth = program.lower;
  for (std::size_t i = 0; i < answer.truth.size(); ++i) {  // those in no row
    if (program.cost[i] < 0.0) answer.truth[i] = program.upper[i];
  }
  constexpr double kError = 1e-9;  // of squared potentials, which are made of lines
  do {
    const BranchResult result =
        branch_and_bound(relaxation.linear_program(), {.with_cuts = true}, deadline);
    answer.status = result.status;
    if (result.status != BranchStatus::kSolved) return answer;
    relaxation.copy_atoms(result.columns.data(), answer.truth);
    if (!relaxation.refine(result.columns.data(), kError)) break;
  } while (true);
  answer.objective = program.constant;
  std::vector<char> is_counted(answer.truth.size(), 0);
  for (const ProgramPart& part : parts.parts) {
    answer.objective += evaluate(program, part, answer.truth).objective;
    for (const AtomId i : part.atoms) is_counted[i] = 1;
  }
  for (std::size_t i = 0; i < answer.truth.size(); ++i) {
    if (is_counted[i] == 0) answer.objective += program.cost[i] * answer.truth[i];
  }
  return answer;
}

}  // namespace sorites
