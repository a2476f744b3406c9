#include "hinge/methods/dual_bcd.h"

#include <algorithm>
#include <cmath>

#include "hinge/methods/regularised_dual.h"
#include "hinge/problem/best_point.h"
#include "hinge/problem/components.h"
#include "hinge/problem/row_scale.h"
#include "hinge/problem/start.h"

namespace sorites {
namespace {

constexpr std::uint64_t kDefaultMaxSweeps = 50'000;  // beyond, a gap hardly closes

// Rows [begin, end) of an order.
using Task = Part;

// One pass over all rows, in tasks that threads share.
class Sweep {
 public:
  Sweep(const Problem& problem, ThreadPool& pool, bool lock_free);

  // Gives the sum of the derivatives that the steps found.
  double run(RegularisedDual& dual);

 private:
  void share_components();
  void share_rows();
  double run_task(RegularisedDual& dual, const Task& task, RegularisedDual::Scratch& scratch) const;

  const Problem& problem_;
  ThreadPool& pool_;
  bool lock_free_;
  std::vector<std::uint32_t> order_;     // rows
  std::vector<std::uint32_t> block_of_;  // per row
  std::vector<Task> tasks_;
  std::vector<double> found_;                        // per task
  std::vector<RegularisedDual::Scratch> scratches_;  // per task
  bool backwards_ = false;
};

Sweep::Sweep(const Problem& problem, ThreadPool& pool, bool lock_free)
    : problem_(problem), pool_(pool), lock_free_(lock_free), block_of_(problem.num_rows()) {
  for (std::uint32_t b = 0; b < problem.blocks.size(); ++b) {
    const RowBlock& block = problem.blocks[b];
    std::fill_n(
        block_of_.begin() + static_cast<std::ptrdiff_t>(block.first_row), block.num_rows, b);
  }
  lock_free ? share_rows() : share_components();
  found_.resize(tasks_.size());
  scratches_.resize(tasks_.size());
}

// Whole components, in tasks of about equal size whatever the number of threads.
void Sweep::share_components() {
  constexpr std::size_t kMaxTasks = 64;  // a few per thread, so that sizes even out
  const Components components = components_of(problem_);
  order_ = components.rows;
  const std::size_t size = order_.size() / kMaxTasks + 1;
  std::size_t begin = 0;
  for (std::size_t c = 0; c < components.count(); ++c) {
    const std::size_t end = components.rows_begin[c + 1];
    if (end - begin < size && c + 1 < components.count()) continue;
    if (end > begin) tasks_.push_back({begin, end});
    begin = end;
  }
}

// Pieces short enough to share well, but so many rows apart that threads seldom meet.
void Sweep::share_rows() {
  constexpr std::size_t kMinRows = 512, kPartsPerThread = 8;
  order_.resize(problem_.num_rows());
  for (std::size_t row = 0; row < order_.size(); ++row)
    order_[row] = static_cast<std::uint32_t>(row);
  const std::size_t parts =
      std::clamp<std::size_t>(order_.size() / kMinRows, 1, kPartsPerThread * pool_.num_threads());
  for (std::size_t p = 0; p < parts; ++p) tasks_.push_back(part_of(order_.size(), parts, p));
}

double Sweep::run_task(RegularisedDual& dual,
                       const Task& task,
                       RegularisedDual::Scratch& scratch) const {
  double sum = 0.0;
  for (std::size_t k = task.begin; k < task.end; ++k) {
    const std::size_t row = order_[backwards_ ? task.end - 1 - (k - task.begin) : k];
    const RowBlock& block = problem_.blocks[block_of_[row]];
    sum += lock_free_ ? dual.ascend_shared(block, row, scratch) : dual.ascend(block, row, scratch);
  }
  return sum;
}

double Sweep::run(RegularisedDual& dual) {
  pool_.for_each(tasks_.size(),
                 [&](std::size_t t) { found_[t] = run_task(dual, tasks_[t], scratches_[t]); });
  backwards_ = !backwards_;
  double sum = 0.0;
  for (const double found : found_) sum += found;
  return sum;
}

// Where the regulariser is and how strong.
class Regulariser {
 public:
  Regulariser(const Problem& problem, const PrimalDual& start);

  void apply(RegularisedDual& dual) const;
  // After a sweep that found derivatives of the sum `found`: moves the centre to the state if that
  // is known well enough. Gives whether no sweep can change anything any more.
  bool follow(RegularisedDual& dual, double found);

 private:
  std::vector<double> eps_, centre_;
  std::vector<double> weight_;  // per variable: sum of |a|
  double factor_ = 1.0;         // of eps_
  int sweeps_ = 0;              // since the centre moved
  int moves_ = 0;
};

Regulariser::Regulariser(const Problem& problem, const PrimalDual& start)
    : eps_(problem.num_variables, 0.0), centre_(start.x), weight_(problem.num_variables, 0.0) {
  for (const RowBlock& block : problem.blocks) {
    for (std::size_t row = block.first_row; row < block.end_row(); ++row) {
      const double scale = row_scale(block.kind, problem.weight[row]);
      const auto variables = problem.variables_of(block, row);
      for (std::size_t k = 0; k < variables.size(); ++k) {
        const double size = std::abs(block.coefficients[k]);
        eps_[variables[k]] += size * scale;
        weight_[variables[k]] += size;
      }
    }
  }
  constexpr double kAny = 1e-3;  // of a variable in no row: any that is positive
  for (double& eps : eps_) eps = eps > 0.0 ? eps : kAny;
}

void Regulariser::apply(RegularisedDual& dual) const {
  std::vector<double> eps = eps_;
  for (double& e : eps) e *= factor_;
  dual.regularise(std::move(eps), centre_);
}

bool Regulariser::follow(RegularisedDual& dual, double found) {
  // Sweeps beside these, seven models: 1.25 times as many if the state is to be known twice as well
  // (40), 0.92 if half as well; 1.34 if the regulariser weakens more slowly (0.9), 1.11 if it does
  // so after 2 sweeps only; without the growth the model entity-resolution takes twice as long.
  constexpr double kAccuracy = 20.0, kAccuracyPerMove = 0.1;
  constexpr int kMaxSweeps = 1000, kManySweeps = 15, kFewSweeps = 5;
  constexpr double kGrowth = 1.5, kDecay = 0.8;
  // Safeguards that eight models do not meet: as many sweeps with a least factor of 1e-3 or none, a
  // largest of 1e2 or 1e4, and 100 or 10,000 sweeps at a centre.
  constexpr double kLeastFactor = 1e-4, kLargestFactor = 1e3;
  ++sweeps_;
  double moved = 0.0;
  for (std::size_t i = 0; i < centre_.size(); ++i) {
    moved += weight_[i] * std::abs(dual.x(i) - centre_[i]);
  }
  // Ever more exactly: else centres can run in a circle.
  const double share = 1.0 / (kAccuracy + kAccuracyPerMove * static_cast<double>(moves_));
  if (found > share * moved && sweeps_ < kMaxSweeps) return false;
  for (std::size_t i = 0; i < centre_.size(); ++i) centre_[i] = dual.x(i);
  // A stronger regulariser takes fewer sweeps per centre, but more centres.
  if (sweeps_ > kManySweeps) factor_ *= kGrowth;
  if (sweeps_ <= kFewSweeps) factor_ *= kDecay;
  factor_ = std::clamp(factor_, kLeastFactor, kLargestFactor);
  sweeps_ = 0;
  ++moves_;
  apply(dual);
  return found == 0.0 && moved == 0.0;
}

PrimalDual point_of(RegularisedDual& dual, const Problem& rows, std::size_t num_groups) {
  PrimalDual point;
  point.x.resize(rows.num_variables);
  for (std::size_t i = 0; i < point.x.size(); ++i) point.x[i] = dual.x(i);
  point.multipliers = dual.multipliers();
  return rows_to_groups(std::move(point), num_groups);
}

SolverResult solve_by_sweeps(const Problem& problem,
                             PrimalDual start,
                             const SolveOptions& options,
                             ThreadPool& pool,
                             bool lock_free) {
  const std::string_view name = lock_free ? "dual-bcd-lock-free" : "dual-bcd";
  start = usable_start(problem, std::move(start));
  BestPoint best(problem, options, name, pool);
  std::optional<SolveStatus> status = best.check(start, 0);
  if (status) return std::move(best).result(*status, 0);

  const std::size_t num_groups = problem.groups.size();
  const Problem copy = num_groups > 0 ? with_groups_as_rows(problem) : Problem();
  const Problem& rows = num_groups > 0 ? copy : problem;
  Regulariser regulariser(rows, start);
  RegularisedDual dual(rows, groups_to_rows(std::move(start)).multipliers);
  regulariser.apply(dual);
  Sweep sweep(rows, pool, lock_free);
  const std::uint64_t limit =
      options.max_iterations > 0 ? options.max_iterations : kDefaultMaxSweeps;
  std::uint64_t sweeps = 0, last_check = 0;
  bool done = false;
  while (!status && !done && sweeps < limit) {
    const double found = sweep.run(dual);
    ++sweeps;
    done = regulariser.follow(dual, found);
    if (is_time_to_check(sweeps, last_check) || sweeps == limit || done) {
      dual.refresh();
      PrimalDual point = point_of(dual, rows, num_groups);
      status = best.check(point, sweeps);
      last_check = sweeps;
    }
  }
  return std::move(best).result(status.value_or(SolveStatus::kIterationLimit), sweeps);
}

}  // namespace

SolverResult solve_dual_bcd(const Problem& problem,
                            PrimalDual start,
                            const SolveOptions& options,
                            ThreadPool& pool) {
  return solve_by_sweeps(problem, std::move(start), options, pool, false);
}

SolverResult solve_dual_bcd_lock_free(const Problem& problem,
                                      PrimalDual start,
                                      const SolveOptions& options,
                                      ThreadPool& pool) {
  return solve_by_sweeps(problem, std::move(start), options, pool, true);
}

}  // namespace sorites
