// The search of solve_integer, part by part.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "hinge/integer/linear_relaxation.h"
#include "hinge/integer/mixed_program.h"
#include "hinge/problem/clp_deadline.h"
#include "hinge/problem/weight_range.h"
#include "sorites/solve.h"

namespace sorites {

enum class SearchOutcome : std::uint8_t {
  kDone,
  kInfeasible,
  kStopped,    // by the deadline
  kNodeLimit,  // or numbers that let it come no closer
};

class IntegerSearch {
 public:
  // Both must outlive it.
  IntegerSearch(const MixedProgram& program, const SolveOptions& options);

  void run();

  SearchOutcome outcome() const { return outcome_; }
  bool relaxation_is_infeasible() const { return relaxation_is_infeasible_; }
  const std::vector<double>& truth() const { return truth_; }  // per atom
  double bound() const;                                        // of the whole objective
  std::uint64_t num_nodes() const { return num_nodes_; }
  // The worst of a part, in the part's own unit as in solve/component_gaps.h.
  double worst_gap() const;
  // What less counts as in the relative gap of the whole.
  double smallest_objective() const { return sorites::smallest_objective(program_.weights); }
  // Whether some part has weights so far apart that the linear programs cannot tell the light ones
  // from rounding errors: then no bound is proved.
  bool has_hidden_weights() const;
  std::size_t num_rounded_parts() const { return num_rounded_; }  // without a state found

 private:
  struct PartState {
    double bound = 0.0;      // of its objective
    double objective = 0.0;  // of its atoms in truth_, if they keep its hard rows
    bool has_point = false;
    WeightRange weights;
  };

  void settle_free_atoms();
  static bool have_like_weights(const PartState& a, const PartState& b);
  void relax_parts();
  bool relax_batch(std::span<const std::uint32_t> batch);
  void take_batch(LinearRelaxation& relaxation, std::span<const std::uint32_t> batch);
  void branch(std::uint32_t part);
  bool branch_once(std::uint32_t part, LinearRelaxation& relaxation);
  void complete(std::uint32_t part,
                LinearRelaxation& relaxation,
                const std::vector<double>& columns);
  void try_candidate(std::uint32_t part);
  void raise_bound(std::uint32_t part, double bound);
  void round_rest();
  void report();
  double least_cost(const ProgramPart& part) const;
  double seen_from(const PartState& state) const;
  double allowed(std::uint32_t part) const;
  bool is_settled(std::uint32_t part) const;

  const MixedProgram& program_;
  const SolveOptions& options_;
  const ProgramParts parts_;
  PiecePool pool_;
  WatchedDeadline deadline_;
  std::chrono::steady_clock::time_point start_, last_report_;
  std::vector<PartState> states_;  // per part
  std::vector<double> truth_;
  std::vector<double> candidate_;  // per atom; only those of the part at hand count
  double total_bound_ = 0.0;
  std::uint64_t num_nodes_ = 0;
  std::size_t num_rounded_ = 0;
  SearchOutcome outcome_ = SearchOutcome::kDone;
  bool relaxation_is_infeasible_ = false;
};

}  // namespace sorites
