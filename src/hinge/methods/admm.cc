#include "hinge/methods/admm.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "hinge/problem/best_point.h"
#include "hinge/problem/group_multiplier.h"
#include "hinge/problem/proximal.h"
#include "hinge/problem/row_loop.h"
#include "hinge/problem/row_scale.h"

namespace sorites {
namespace {

// Over-relaxation; Boyd et al. 2011, section 3.4.3, suggest 1.5 to 1.8. Iterations beside 1.7, ten
// models: 1.36 times as many at 1, 1.09 at 1.4, 0.98 at 1.6, 1.06 at 1.8, 1.22 at 1.9.
constexpr double kRelaxation = 1.7;
// In units of rows (row_scale.h). From 1 to 2 small models need the same iterations; 2.7 million
// hinges (cc) need 80 with 0.5, 50 with 1, 40 with 1.6, 50 with 3.
constexpr double kFirstRho = 1.6;
// A smaller change of rho disturbs more than it helps: 0.96 times the iterations of no such limit,
// ten models (docs/method/numbers.md).
constexpr double kLeastRhoFactor = 1.6;
// Beyond, a gap hardly closes; auto goes over to others long before (auto_solver.cc).
constexpr std::uint64_t kDefaultMaxIterations = 25000;
// Entries ahead that are fetched: so many that memory has answered when their turn comes, so few
// that they are still in the first cache (48 cells are 768 bytes).
constexpr std::ptrdiff_t kPrefetch = 48;
// Rows that take about as long as a thread takes to wake (20 microseconds, docs/architecture.md).
constexpr std::size_t kRowsPerPart = 1 << 13;

// The penalty of a row is rho_r = rho d_r, d_r its unit (row_scale.h). A copy of entry (r, i) and
// its scaled dual u are
//   x = z - u - (mu / rho_r) a,   u = delta_i - (q_r / rho_r) a,
// with one q per row and one delta per variable; both follow from Boyd's updates by substitution:
//   mu    = prox of the row at  t = a'(z - delta) + (q / rho_r) |a|^2 + b
//   q     <- (1 - relaxation) q + relaxation mu
//   z     <- prox of f_i at  z + (1 - relaxation) delta - (A'q)_i / (rho D_i)
//   delta <- (1 - relaxation) delta + z_before - z
// where D_i is the sum of d_r over the rows of i.
class Admm {
 public:
  Admm(const Problem& problem, PrimalDual start, ThreadPool& pool)
      : problem_(problem),
        pool_(pool),
        parts_(std::clamp<std::size_t>(problem.num_rows() / kRowsPerPart, 1, pool.num_threads())),
        point_(std::move(start)),
        q_(point_.multipliers),
        delta_(problem.num_variables, 0.0),
        hint_(problem.num_variables, 0),
        grouped_(problem.num_variables, false),
        cells_(parts_) {
    for (std::vector<Cell>& cells : cells_) {
      cells.resize(problem.num_variables);
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i].shifted = point_.x[i];
    }
    for (const std::uint32_t i : problem.group_variables) grouped_[i] = true;
    sum_scales();
    anchor_x_ = point_.x;
    anchor_multipliers_ = point_.multipliers;
  }

  // One iteration. If `keep_multipliers`, those of the rows are stored for a check.
  void iterate(bool keep_multipliers) {
    run_parts([&](std::size_t p) { keep_multipliers ? row_pass<true>(p) : row_pass<false>(p); });
    run_parts([&](std::size_t p) { variable_pass(part_of(problem_.num_variables, parts_, p)); });
    if (!problem_.groups.empty()) {
      run_parts([&](std::size_t p) { group_pass(part_of(problem_.groups.size(), parts_, p)); });
    }
  }

  // Moves rho towards the ratio of how far multipliers and variables have moved from an anchor,
  // which follows half way.
  void adapt_rho() {
    double dual = 0.0, primal = 0.0;
    for (const RowBlock& block : problem_.blocks) {
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        const double d = row_scale(block.kind, problem_.weight[r]);
        if (d <= 0.0) continue;
        const double move = point_.multipliers[r] - anchor_multipliers_[r];
        dual += move * move / d;
        anchor_multipliers_[r] += 0.5 * move;
      }
    }
    for (std::size_t i = 0; i < problem_.num_variables; ++i) {
      const double move = point_.x[i] - anchor_x_[i];
      primal += scale_[i] * move * move;
      anchor_x_[i] += 0.5 * move;
    }
    if (!(dual > 0.0 && primal > 0.0)) return;
    const double wanted = std::sqrt(rho_ * std::sqrt(dual / primal));  // half way, in logarithms
    const double factor = wanted / rho_;
    if (factor < kLeastRhoFactor && factor > 1.0 / kLeastRhoFactor) return;
    rho_ = wanted;
    for (std::size_t i = 0; i < problem_.num_variables; ++i) {  // rho u stays what it is
      delta_[i] /= factor;
      for (std::vector<Cell>& cells : cells_) cells[i].shifted = point_.x[i] - delta_[i];
    }
  }

  PrimalDual& point() { return point_; }

 private:
  template <class Task>
  void run_parts(const Task& task) {
    if (parts_ == 1) {
      task(0);
    } else {
      pool_.for_each(parts_, task);
    }
  }

  void sum_scales() {
    scale_.assign(problem_.num_variables, 0.0);
    double total = 0.0;
    for (const RowBlock& block : problem_.blocks) {
      for (std::size_t r = block.first_row; r < block.end_row(); ++r) {
        const double d = row_scale(block.kind, problem_.weight[r]);
        for (const std::uint32_t i : problem_.variables_of(block, r)) scale_[i] += d;
        total += d * static_cast<double>(block.width());
      }
    }
    // A member of a group that stands in no row gets a row of its own without potential.
    const double typical = total > 0.0 ? total / static_cast<double>(problem_.num_variables) : 1.0;
    for (const std::uint32_t i : problem_.group_variables) {
      if (scale_[i] == 0.0) scale_[i] = typical;
    }
  }

  // What a row reads and writes of a variable stands together, one for each part of the rows.
  struct Cell {
    double shifted = 0.0;  // z - delta
    double sum = 0.0;      // of a q over the rows of the part
  };

  template <bool kKeep>
  void row_pass(std::size_t p) {
    Cell* cells = cells_[p].data();
    const Part part = part_of(problem_.num_rows(), parts_, p);
    for_blocks(problem_,
               part,
               [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
                 switch (block.kind) {
                   case TermKind::kHinge:
                     return rows<kKeep, TermKind::kHinge>(block, width, first, last, cells);
                   case TermKind::kSquaredHinge:
                     return rows<kKeep, TermKind::kSquaredHinge>(block, width, first, last, cells);
                   case TermKind::kAtMost:
                     return rows<kKeep, TermKind::kAtMost>(block, width, first, last, cells);
                   case TermKind::kEqual:
                     return rows<kKeep, TermKind::kEqual>(block, width, first, last, cells);
                 }
               });
  }

  template <bool kKeep, TermKind kKind, class W>
  void rows(const RowBlock& block, W, std::size_t first, std::size_t last, Cell* cells) {
    const std::size_t width = W::value(block);
    const double* a = block.coefficients.data();
    const std::uint32_t* entry = problem_.variables_of(block, first).data();
    const std::uint32_t* end = entry + (last - first) * width;
    const double n = block.norm2;
    for (std::size_t r = first; r < last; ++r, entry += width) {
      // Cells are all over memory, but which ones is known well ahead.
      if (end - entry >= kPrefetch + static_cast<std::ptrdiff_t>(width)) {
        for (std::size_t k = 0; k < width; ++k) __builtin_prefetch(cells + entry[kPrefetch + k], 1);
      }
      const double w = problem_.weight[r];
      const double penalty = rho_ * row_scale(kKind, w);
      if (penalty <= 0.0) continue;
      const double flexibility = n / penalty;
      double t = q_[r] * flexibility + problem_.offset[r];
      for (std::size_t k = 0; k < width; ++k) t += a[k] * cells[entry[k]].shifted;
      const double mu = proximal_multiplier<kKind>(w, flexibility, t);
      if constexpr (kKeep) point_.multipliers[r] = mu;
      const double q = q_[r] + kRelaxation * (mu - q_[r]);
      q_[r] = q;
      if (q == 0.0) continue;
      for (std::size_t k = 0; k < width; ++k) cells[entry[k]].sum += a[k] * q;
    }
  }

  // The centre of the proximal step of a variable, times its penalty.
  double pull(std::size_t i, double penalty) const {
    double sum = 0.0;
    for (const std::vector<Cell>& cells : cells_) sum += cells[i].sum;
    return penalty * (point_.x[i] + (1.0 - kRelaxation) * delta_[i]) - sum;
  }

  void move(std::size_t i, double x) {
    delta_[i] = (1.0 - kRelaxation) * delta_[i] + point_.x[i] - x;
    point_.x[i] = x;
    for (std::vector<Cell>& cells : cells_) cells[i] = {x - delta_[i], 0.0};
  }

  void variable_pass(Part part) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const double penalty = rho_ * scale_[i];
      if (penalty == 0.0 || grouped_[i]) continue;
      move(i,
           minimise(problem_.folded.of(i), problem_.upper[i], -pull(i, penalty), penalty, hint_[i])
               .x);
    }
  }

  void group_pass(Part part) {
    std::vector<double> pulls, next;
    for (std::size_t g = part.begin; g < part.end; ++g) {
      const Group& group = problem_.groups[g];
      const std::uint32_t* members = problem_.group_variables.data() + group.first;
      pulls.resize(group.count);
      next.resize(group.count);
      for (std::size_t k = 0; k < group.count; ++k) {
        pulls[k] = pull(members[k], rho_ * scale_[members[k]]);
      }
      find_group_multiplier(
          [&](double lambda, double& slope) {
            double sum = 0.0;
            for (std::size_t k = 0; k < group.count; ++k) {
              const std::size_t i = members[k];
              const Minimum minimum = minimise(problem_.folded.of(i),
                                               problem_.upper[i],
                                               lambda - pulls[k],
                                               rho_ * scale_[i],
                                               hint_[i]);
              sum += next[k] = minimum.x;
              slope -= minimum.inverse_curvature;
            }
            return sum;
          },
          group.total,
          rho_ * scale_[members[0]],
          point_.group_multipliers[g]);
      for (std::size_t k = 0; k < group.count; ++k) move(members[k], next[k]);
    }
  }

  const Problem& problem_;
  ThreadPool& pool_;
  std::size_t parts_;
  double rho_ = kFirstRho;           // rows are in their units
  PrimalDual point_;                 // z, and the multipliers of the last check
  std::vector<double> q_;            // per row
  std::vector<double> delta_;        // per variable
  std::vector<double> scale_;        // per variable: D
  std::vector<std::uint32_t> hint_;  // per variable: the segment found last
  std::vector<bool> grouped_;
  std::vector<std::vector<Cell>> cells_;  // per part of the rows, per variable
  std::vector<double> anchor_x_, anchor_multipliers_;
};

}  // namespace

SolverResult solve_admm(const Problem& problem,
                        PrimalDual start,
                        const SolveOptions& options,
                        ThreadPool& pool) {
  const std::uint64_t limit =
      options.max_iterations > 0 ? options.max_iterations : kDefaultMaxIterations;
  StoppingRule rule(problem, options, name_of(Solver::kAdmm), pool);
  Admm admm(problem, std::move(start), pool);
  SolverResult result;
  std::uint64_t last_check = 0;
  for (std::uint64_t iteration = 1; iteration <= limit; ++iteration) {
    const bool is_check = is_time_to_check(iteration, last_check) || iteration == limit;
    admm.iterate(is_check);
    result.iterations = iteration;
    if (!is_check) continue;
    last_check = iteration;
    if (const auto status = rule.check(admm.point(), iteration)) {
      result.status = *status;
      break;
    }
    admm.adapt_rho();
  }
  result.bounds = rule.bounds();
  result.point = std::move(admm.point());
  return result;
}

}  // namespace sorites
