// Solves one model: presolve, solver, postsolve, certificate. Keeps what can serve again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "hinge/conflict/conflict.h"
#include "hinge/presolve/presolve.h"
#include "hinge/problem/deadline.h"
#include "hinge/problem/solver.h"
#include "hinge/problem/structure.h"
#include "hinge/solve/inference.h"
#include "hinge/solve/refine_components.h"
#include "sorites/solve.h"

namespace sorites {

class Engine {
 public:
  enum class Use { kOnce, kAgain };  // kOnce: nothing is kept for other parameters

  // As Inference (hinge/solve/inference.h), with threads of its user, which must outlive it.
  Engine(const Model& model, ThreadPool& pool, Use use, const InferenceMemory& memory = {});

  // From `start`, or from nothing.
  Solution solve(const Parameters& parameters, const SolveOptions& options, const Solution* start);

  // From memory.
  Solution resolve(const Parameters& parameters, const SolveOptions& options);

  InferenceMemory memory() const;

 private:
  enum class From { kNothing, kSolution, kMemory };
  struct Request {
    const Parameters& parameters;
    const SolveOptions& options;
    Deadline deadline;
    From from = From::kNothing;
    const Solution* start = nullptr;  // of From::kSolution
  };
  // What ran, and the conflict that was found on the way, if any.
  struct Outcome {
    SolverResult result;
    std::optional<Conflict> conflict;
    std::optional<Refinement> refinement;  // if it was refined already
  };

  // Makes the presolved model; false if there was no time for it.
  bool make_presolved(const Parameters& parameters, const Deadline& deadline);
  // The presolved model, once it is made, with these numbers in it.
  Presolved& presolved_with(const Parameters& parameters, Extent extent);
  // All atoms 0, and what is known of the minimum without a look at the rules.
  Solution out_of_time(const Request& request) const;
  Solution run(const Request& request);
  Solution run_in_unit(const Request& request, double unit);
  Outcome solve_problem(const Request& request);
  // From memory, in windows; those that variables leave are opened.
  SolverResult solve_near(const Request& request);
  bool may_solve_near(const Request& request) const;
  // Components whose gap is too large are solved on their own.
  Refinement refine(const Request& request, SolverResult& result);
  void set_certified(const Parameters& parameters, PrimalDual point, Solution& solution);
  void set_brief(const SolverResult& result, Solution& solution) const;
  Solution solve_convex(const Request& request, std::optional<Conflict>& conflict);
  Solution solve_integer(const Request& request);

  const Model& model_;
  Use use_;
  ThreadPool& pool_;
  std::optional<std::string> model_trouble_;  // once it has been looked for; empty if there is none
  std::optional<Presolved> presolved_;        // once it is needed
  std::optional<ProblemStructure> structure_;      // of the presolved problem
  std::optional<ComponentRules> component_rules_;  // once they are needed
  InferenceMemory memory_;                         // where the last solve ended; no window centres
  std::vector<double> integer_state_;              // where the last with integer atoms ended
};

}  // namespace sorites
