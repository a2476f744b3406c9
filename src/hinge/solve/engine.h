// Solves one model: presolve, solver, postsolve, certificate. Keeps what can serve again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "hinge/conflict/conflict.h"
#include "hinge/presolve/presolve.h"
#include "hinge/problem/solver.h"
#include "hinge/problem/structure.h"
#include "sorites/solve.h"

namespace sorites {

class Engine {
 public:
  enum class From { kNothing, kSolution, kMemory };  // where a solve starts

  // If `once`, nothing is kept for other parameters.
  Engine(const Model& model, unsigned threads, bool once)
      : model_(model), once_(once), pool_(threads) {}

  // `start` is that of From::kSolution.
  Solution solve(const Parameters& wanted,
                 const SolveOptions& options,
                 From from,
                 const Solution* start = nullptr);

  // As Inference (sorites/solve.h).
  std::vector<double> memory() const;
  void restore(std::vector<double> memory) { restored_ = std::move(memory); }

 private:
  void prepare(const Parameters& wanted);
  void prepare_near(const Parameters& wanted);  // with the functions of a window (fold_window.h)
  void accept_restored();
  bool may_solve_near(const SolveOptions& options, From from);
  SolverResult solve_problem(const Parameters& wanted,
                             const SolveOptions& options,
                             From from,
                             const Solution* start,
                             std::string& ran);
  // From memory, in windows; those that variables leave are opened.
  SolverResult solve_near(const Parameters& wanted, const SolveOptions& options, std::string& ran);
  void set_certified(const Parameters& wanted, PrimalDual point, Solution& solution);
  void set_brief(const SolverResult& result, Solution& solution);
  Solution solve_convex(const Parameters& wanted,
                        const SolveOptions& options,
                        From from,
                        const Solution* start);

  const Model& model_;
  bool once_;
  ThreadPool pool_;
  std::optional<std::string> model_trouble_;  // once it has been looked for; empty if there is none
  std::optional<Presolved> presolved_;
  std::optional<ProblemStructure> structure_;  // of the presolved problem
  Parameters parameters_;                      // that are in presolved_
  std::vector<double> memory_;         // where the last solve ended (warm_start.h), or empty
  std::vector<double> window_centre_;  // the x that the window is around, if there is one
  std::optional<Conflict> conflict_;   // that the last solve found
  std::optional<std::vector<double>> restored_;  // not looked at yet
};

}  // namespace sorites
