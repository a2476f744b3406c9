// The search of solve_integer, part by part, on all threads: branch and bound of our own over parts
// whose atoms are all integer (binary_search.h); linear relaxations of the parts that it leaves,
// and CBC where those leave fractions. The bounds that one stage ends with decide how exact the
// next has to be, so that results do not depend on the threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/thread_pool.h"
#include "hinge/integer/linear_relaxation.h"
#include "hinge/integer/mixed_program.h"
#include "hinge/problem/clp_deadline.h"
#include "hinge/problem/weight_range.h"
#include "sorites/solve.h"

namespace sorites {

enum class IntegerOutcome : std::uint8_t {
  kDone,
  kInfeasible,
  kStopped,    // by the deadline
  kNodeLimit,  // or numbers that let it come no closer
};

class IntegerSearch {
 public:
  // All must outlive it.
  IntegerSearch(const MixedProgram& program, const SolveOptions& options, ThreadPool& threads);

  // From `start`, one value per atom, if it is not empty: its parts that keep the hard rows.
  void run(std::span<const double> start = {});

  // The worst of all parts.
  IntegerOutcome outcome() const;
  const ProgramParts& parts() const { return parts_; }
  bool is_infeasible(std::uint32_t part) const {
    return states_[part].outcome == IntegerOutcome::kInfeasible;
  }
  // Whether the first infeasible part has no state with fractions either. Solves a linear program.
  bool relaxation_is_infeasible();
  const std::vector<double>& truth() const { return truth_; }  // per atom
  double bound() const;                                        // of the whole objective
  // Of a part: `constant` apart.
  double part_bound(std::uint32_t part) const { return states_[part].bound; }
  double part_objective(std::uint32_t part) const { return states_[part].objective; }
  std::uint64_t num_nodes() const;
  // The worst of a part, in the part's own unit as in solve/component_gaps.h.
  double worst_gap() const;
  // What less counts as in the relative gap of the whole.
  double smallest_objective() const { return sorites::smallest_objective(program_.weights); }
  // Whether some part has weights so far apart that the linear programs cannot tell the light ones
  // from rounding errors: then no bound is proved.
  bool has_hidden_weights() const;
  static constexpr double kWidestRatio = 1e7;  // CBC is exact to 1e-7, in the unit of its program
  double widest_ratio() const;                 // of two weights in one part
  std::size_t num_rounded_parts() const { return num_rounded_; }  // without a state found
  std::size_t num_infeasible_parts() const;

 private:
  // What progress tells.
  struct Shown {
    double bound = 0.0, error = 0.0;
    std::int64_t without_state = 0;
  };
  struct PartState {
    IntegerOutcome outcome = IntegerOutcome::kDone;
    double bound = 0.0;      // of its objective
    double objective = 0.0;  // of its atoms in truth_, if they keep its hard rows
    bool has_point = false;
    bool has_fractional_conflict = false;  // its linear relaxation is infeasible
    std::uint64_t nodes = 0;
    WeightRange weights;
    Shown shown;
    std::uint64_t shown_nodes = 0;
  };

  void settle_free_atoms();
  void take_start(std::span<const double> start);
  static bool have_like_weights(const PartState& a, const PartState& b);
  static bool has_hidden_weights(const PartState& state);
  void begin_stage();
  std::vector<std::uint32_t> open_parts() const;
  void search_parts();
  void search_part(std::uint32_t part);
  void relax_parts();
  void relax_batch(std::span<const std::uint32_t> batch);
  void branch_parts();
  void branch(std::uint32_t part);
  bool branch_once(std::uint32_t part, LinearRelaxation& relaxation, WatchedDeadline& deadline);
  void complete(std::uint32_t part,
                LinearRelaxation& relaxation,
                const std::vector<double>& columns,
                WatchedDeadline& deadline);
  void try_candidate(std::uint32_t part);
  void raise_bound(std::uint32_t part, double bound);
  void round_rest();
  void show(std::uint32_t part);
  void report(std::uint32_t part);
  double least_cost(const ProgramPart& part) const;
  double seen_from(const PartState& state, double bound) const;
  double allowed(std::uint32_t part) const;
  bool is_settled(std::uint32_t part) const;

  const MixedProgram& program_;
  const SolveOptions& options_;
  ThreadPool& threads_;
  const ProgramParts parts_;
  PiecePool pool_;
  Deadline deadline_;
  std::chrono::steady_clock::time_point start_, last_report_;
  std::thread::id owner_;  // who may report
  std::mutex report_mutex_;
  Shown shown_;  // of all parts; guarded
  std::uint64_t shown_nodes_ = 0;
  // Threads write these side by side, without locks: whoever has a part writes its state and its
  // atoms, and reads no others. No atom is in two parts.
  std::vector<PartState> states_;  // per part
  std::vector<double> truth_;
  std::vector<double> candidate_;  // per atom; only those of the part at hand count
  double free_cost_ = 0.0;         // of atoms in no part
  double stage_bound_ = 0.0;       // of the whole, when the stage began
  std::size_t num_rounded_ = 0;
};

}  // namespace sorites
