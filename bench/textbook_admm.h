// The yardstick of the solve benchmark: consensus ADMM as it stands in Boyd et al. (2011), section
// 7.2, on the ground model as it is: a copy and a scaled dual for every nonzero, residual balancing
// (section 3.4.1), no presolve. Stops by the same certificate as the solvers of Sorites.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "hinge/problem/certificate.h"
#include "hinge/problem/problem.h"
#include "hinge/problem/term_chunks.h"

namespace sorites {

class TextbookAdmm {
 public:
  TextbookAdmm(const Model& model, const Parameters& parameters, ThreadPool& pool)
      : model_(model), parameters_(parameters), pool_(pool), chunks_(chunks_of(model)) {
    std::size_t entries = 0;
    for (const TermBlock& block : model.blocks) {
      first_entry_.push_back(entries);
      entries += block.num_terms * block.width();
    }
    copies_.assign(entries, 0.5);
    duals_.assign(entries, 0.0);
    consensus_.assign(model.num_atoms, 0.5);
    multipliers_.assign(model.num_terms(), 0.0);
    num_copies_.assign(model.num_atoms, 0.0);
    for (const TermBlock& block : model.blocks) {
      for (const AtomId atom : block.atoms) num_copies_[atom] += 1.0;
    }
    sums_.resize(pool.num_threads());
  }

  Solution solve(const SolveOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    Solution solution;
    solution.solver = "textbook ADMM";
    const std::uint64_t limit = options.max_iterations > 0 ? options.max_iterations : 25000;
    for (std::uint64_t iteration = 1; iteration <= limit; ++iteration) {
      iterate();
      solution.iterations = iteration;
      if (iteration % 25 != 0 && iteration != limit) continue;
      const Certificate certificate = certify(model_, parameters_, consensus_, multipliers_, pool_);
      solution.objective = certificate.objective;
      solution.lower_bound = certificate.lower_bound;
      solution.max_violation = certificate.max_violation;
      solution.relative_gap = relative_gap(solution.objective, solution.lower_bound);
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      solution.seconds = seconds;
      if (std::abs(solution.relative_gap) <= options.gap &&
          solution.max_violation <= options.violation) {
        solution.status = SolveStatus::kOptimal;
        break;
      }
      if (seconds > options.time_limit_seconds) {
        solution.status = SolveStatus::kTimeLimit;
        break;
      }
      balance();
    }
    return solution;
  }

 private:
  void iterate() {
    const std::size_t parts = pool_.num_threads();
    std::vector<double> primal(parts, 0.0);
    pool_.for_each(parts, [&](std::size_t p) {
      sums_[p].assign(model_.num_atoms, 0.0);
      const Part mine = part_of(chunks_.size(), parts, p);
      for (std::size_t c = mine.begin; c < mine.end; ++c) move_copies(chunks_[c], sums_[p]);
    });
    dual_residual_ = 0.0;
    for (std::size_t i = 0; i < model_.num_atoms; ++i) {
      if (num_copies_[i] == 0.0) continue;
      double sum = 0.0;
      for (const std::vector<double>& part : sums_) sum += part[i];
      const double next = std::clamp(sum / num_copies_[i], 0.0, 1.0);
      dual_residual_ += num_copies_[i] * (next - consensus_[i]) * (next - consensus_[i]);
      consensus_[i] = next;
    }
    pool_.for_each(parts, [&](std::size_t p) {
      const Part mine = part_of(chunks_.size(), parts, p);
      for (std::size_t c = mine.begin; c < mine.end; ++c) primal[p] += move_duals(chunks_[c]);
    });
    primal_residual_ = 0.0;
    for (const double part : primal) primal_residual_ += part;
    dual_residual_ *= rho_ * rho_;
  }

  // x <- argmin phi(a'x + b) + rho/2 |x - (z - u)|^2; adds x + u to the sums of its atoms.
  void move_copies(const TermChunk& chunk, std::vector<double>& sums) {
    const TermBlock& block = model_.blocks[chunk.block];
    const double weight = parameters_.weights[block.rule];
    const std::size_t width = block.width();
    double norm2 = 0.0;
    for (const double a : block.coefficients) norm2 += a * a;
    for (std::size_t t = chunk.first; t < chunk.last; ++t) {
      const std::size_t first = first_entry_[chunk.block] + t * width;
      const AtomId* atoms = block.atoms.data() + t * width;
      double residual = offset_of(block, t, parameters_.outputs);
      for (std::size_t k = 0; k < width; ++k) {
        residual += block.coefficients[k] * (consensus_[atoms[k]] - duals_[first + k]);
      }
      const double mu = proximal_multiplier(block.kind, weight, residual, norm2);
      multipliers_[chunk.first_term + (t - chunk.first)] = mu;
      for (std::size_t k = 0; k < width; ++k) {
        copies_[first + k] =
            consensus_[atoms[k]] - duals_[first + k] - mu / rho_ * block.coefficients[k];
        sums[atoms[k]] += copies_[first + k] + duals_[first + k];
      }
    }
  }

  double proximal_multiplier(TermKind kind, double weight, double residual, double norm2) const {
    switch (kind) {
      case TermKind::kHinge:
        return std::clamp(residual * rho_ / norm2, 0.0, weight);
      case TermKind::kSquaredHinge:
        return 2.0 * weight * std::max(residual, 0.0) / (1.0 + 2.0 * weight * norm2 / rho_);
      case TermKind::kAtMost:
        return std::max(residual, 0.0) * rho_ / norm2;
      case TermKind::kEqual:
        return residual * rho_ / norm2;
    }
    return 0.0;  // not reached
  }

  // u <- u + x - z; the squared primal residual.
  double move_duals(const TermChunk& chunk) {
    const TermBlock& block = model_.blocks[chunk.block];
    const std::size_t width = block.width();
    double residual = 0.0;
    for (std::size_t e = chunk.first * width; e < chunk.last * width; ++e) {
      const std::size_t at = first_entry_[chunk.block] + e;
      const double difference = copies_[at] - consensus_[block.atoms[e]];
      duals_[at] += difference;
      residual += difference * difference;
    }
    return residual;
  }

  // Doubles or halves rho if one residual is ten times the other.
  void balance() {
    const double ratio = std::sqrt(primal_residual_ / std::max(dual_residual_, 1e-300));
    if (ratio <= 10.0 && ratio >= 0.1) return;
    const double factor = ratio > 10.0 ? 2.0 : 0.5;
    rho_ *= factor;
    for (double& dual : duals_) dual /= factor;
  }

  const Model& model_;
  const Parameters& parameters_;
  ThreadPool& pool_;
  std::vector<TermChunk> chunks_;
  double rho_ = 1.0;
  double primal_residual_ = 0.0, dual_residual_ = 0.0;  // squared
  std::vector<std::size_t> first_entry_;                // per block
  std::vector<double> copies_, duals_;                  // per nonzero
  std::vector<double> consensus_, num_copies_;          // per atom
  std::vector<double> multipliers_;                     // per term
  std::vector<std::vector<double>> sums_;               // per thread, per atom
};

}  // namespace sorites
