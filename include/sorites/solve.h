// MAP inference: the state of the targets that the rules like best, with a certificate.
//
//   const Solution solution = solve(model, parameters_of(model));
//   if (solution.status != SolveStatus::kOptimal) report(solution);
//
// A Session solves again with other weights or data from where it was (sorites/session.h).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "sorites/model.h"

namespace sorites {

// The numbers of a model, apart from its structure.
struct Parameters {
  std::vector<double> weights;  // per rule; those of hard rules are not used
  std::vector<double> outputs;  // per network output
  double weight_scale = 1.0;    // weights times this are those of the rules as written

  bool operator==(const Parameters&) const = default;
};

// The weights as written; if `normalize`, divided by the largest. Outputs are 0.
Parameters parameters_of(const Model& model, bool normalize = true);

enum class Solver : std::uint8_t {
  kAuto,                // chosen by structure: what to use
  kAdmm,                // consensus ADMM on the folded problem
  kCoordinateDescent,   // exact steps along one atom at a time, augmented Lagrangian for the rest
  kDualBcd,             // dual block coordinate descent with regularisation
  kDualBcdLockFree,     // the same, threads without locks: not deterministic
  kGradient,            // projected gradient with momentum
  kStochasticGradient,  // one term at a time: frugal, and only roughly optimal
  kPdhg,                // restarted primal-dual hybrid gradient
  kInteriorPoint,       // sparse Cholesky factorisations, exact to many digits
  kInteger,             // integer atoms: branch and bound
};
inline constexpr Solver kSolvers[] = {Solver::kAuto,
                                      Solver::kAdmm,
                                      Solver::kCoordinateDescent,
                                      Solver::kDualBcd,
                                      Solver::kDualBcdLockFree,
                                      Solver::kGradient,
                                      Solver::kStochasticGradient,
                                      Solver::kPdhg,
                                      Solver::kInteriorPoint,
                                      Solver::kInteger};
std::string_view name_of(Solver solver);  // "auto", "admm", "coordinate-descent", ...

enum class SolveStatus : std::uint8_t {
  kOptimal,    // gap and violation are within what was asked for
  kConverged,  // mean field: no value changed by more than was asked for
  kDone,       // mean field: as many iterations as asked for, nothing was said of changes
  kSkipped,    // no inference was asked for: initial values
  kIterationLimit,
  kTimeLimit,
  kInterrupted,
  kInfeasible,      // no state keeps all hard rules; `conflict` shows why
  kNumericalError,  // a weight or offset that is not finite; `message` says which
};
std::string_view name_of(SolveStatus status);  // "optimal", "iteration_limit", ...

// How far a solver is.
struct SolveProgress {
  std::string_view solver;
  std::uint64_t iterations = 0;
  double objective = 0.0;
  double lower_bound = 0.0;
  double relative_gap = 0.0;
  double max_violation = 0.0;
  double seconds = 0.0;
};

struct SolveOptions {
  Solver solver = Solver::kAuto;
  double gap = 1e-4;                 // relative gap to stop at ...
  double absolute_gap = 0.0;         // ... or this one, in units of the weights as written; 0: none
  double violation = 1e-4;           // largest violation of a hard rule to stop at
  std::uint64_t max_iterations = 0;  // 0: the solver's own limit
  double time_limit_seconds = std::numeric_limits<double>::infinity();
  double regularization = 0.0;     // eps times the squares of targets and slacks: docs/inference.md
  unsigned threads = 0;            // 0: one per core
  std::uint64_t seed = 4;          // of stochastic_gradient
  bool explain_conflict = true;    // look for a small conflict if hard rules contradict
  bool multipliers = true;         // false: no multipliers per term, which costs less (Solution)
  std::vector<AtomRange> integer;  // predicates whose atoms are 0 or 1 (solver kInteger)
  std::stop_token stop;
  std::function<void(const SolveProgress&)> progress;  // called now and then, by one thread
};

// A term: its block in the model and its place there.
struct TermId {
  std::uint32_t block = 0;
  std::uint32_t term = 0;

  bool operator==(const TermId&) const = default;
};

// What presolve did.
struct PresolveSummary {
  std::size_t aliased_atoms = 0;  // equal to another by a hard rule
  std::size_t fixed_atoms = 0;    // by a hard rule
  std::size_t idle_atoms = 0;     // in no term
  std::size_t folded_terms = 0;   // touch one atom: part of its own function now
  std::size_t merged_terms = 0;   // equal to another
  std::size_t groups = 0;         // disjoint sums of atoms that are a constant
  std::size_t variables = 0;      // what is left
  std::size_t rows = 0;
  double seconds = 0.0;
};

// (objective - lower_bound) / max(|objective|, |lower_bound|, smallest).
double relative_gap(double objective, double lower_bound, double smallest = 0.01);

// `truth` is usable for every status: within [0, 1], the best state that was found. Objective,
// bound and violation are computed from truth and multipliers over all terms, whatever the solver.
// Where SolveOptions::multipliers is false, they are computed over the presolved problem, which has
// the same states, objectives and bounds; there a sum that must be constant has coefficients 1.
struct Solution {
  SolveStatus status = SolveStatus::kIterationLimit;
  std::string message;              // why it is not optimal, where that is known
  std::vector<double> truth;        // per atom
  std::vector<double> multipliers;  // per term, in the order of the blocks: slope of phi_t
  double objective = 0.0;           // sum of weighted potentials; hard rules apart
  double lower_bound = 0.0;         // no state that keeps the hard rules has a smaller objective
  double relative_gap = 0.0;
  double max_violation = 0.0;  // of hard rules
  std::uint64_t iterations = 0;
  std::string solver;            // what ran, as in "coordinate-descent, admm"
  std::vector<TermId> conflict;  // of kInfeasible: hard ground rules that cannot hold together
  bool conflict_is_irreducible = false;
  PresolveSummary presolve;
  double seconds = 0.0;
};

// A hard ground rule that cannot hold together with the others of a conflict.
struct ConflictRule {
  std::uint32_t rule = 0;
  std::string text;  // with its constants
};

// What inference found, whatever the semantics. Of hinge-loss models the objective is the sum of
// weighted potentials, squares of the regulariser included, certified by `lower_bound`; of Markov
// logic it is the variational free energy, without a bound, and values are probabilities.
struct Answer {
  SolveStatus status = SolveStatus::kIterationLimit;
  std::string message;         // why it is not optimal, where that is known
  std::string method;          // what ran, as in "coordinate-descent, admm" or "mean-field"
  std::vector<double> values;  // per target
  std::vector<double> errors;  // per target: standard errors of samples; empty: there are none
  double objective = 0.0;
  std::optional<double> lower_bound, relative_gap;
  double max_violation = 0.0;   // of hard rules
  double weight_scale = 1.0;    // weights times this are those as written
  double regularization = 0.0;  // eps, in units of the weights as written
  std::uint64_t iterations = 0;
  double change = 0.0;                 // of a value, in the last iteration of mean field
  std::vector<double> free_energy;     // after each iteration of mean field, if asked for
  std::vector<ConflictRule> conflict;  // of kInfeasible
  bool conflict_is_irreducible = false;
  std::string relaxing_option;  // of kInfeasible: gives all hard rules a weight; empty: none does
  PresolveSummary presolve;

  bool is_usable() const {  // whether there are values
    return status != SolveStatus::kInfeasible && status != SolveStatus::kNumericalError;
  }
  bool is_finished() const { return status <= SolveStatus::kSkipped; }  // as was asked for
};

// Throws std::invalid_argument if parameters or start do not fit the model, or a solver cannot do
// what is asked (integer atoms with a continuous solver).
Solution solve(const Model& model,
               const Parameters& parameters,
               const SolveOptions& options = {},
               const Solution* start = nullptr);

}  // namespace sorites
