#include "learn/implicit.h"

#include <algorithm>
#include <cmath>

#include "learn/conjugate_gradient.h"
#include "learn/potentials.h"
#include "model/residual.h"
#include "model/term_kind.h"
#include "solve/normal_matrix.h"

namespace sorites {
namespace {

constexpr double kAtBound = 1e-6;          // atoms nearer to 0 or 1 do not move
constexpr double kAtEnd = 1e-3;            // hinges whose multiplier is nearer to 0 or w are not tight
constexpr double kStiffness = 1e7;         // of tight terms, in units of the largest curvature
constexpr double kSmallestMovement = 1e-9;  // curvature of all atoms, in the same units
constexpr std::size_t kMostFactorEntries = 30'000'000;
constexpr std::uint32_t kStuck = ~std::uint32_t{0};

enum class TermState : std::uint8_t {
  kIdle,    // no slope near the solution
  kLinear,  // slope w
  kCurved,  // slope 2 w r
  kTight,   // r stays 0
};

TermState state_of(TermKind kind, double weight, double residual, double multiplier) {
  switch (kind) {
    case TermKind::kSquaredHinge:
      return residual > 0.0 && weight > 0.0 ? TermState::kCurved : TermState::kIdle;
    case TermKind::kHinge:
      if (multiplier <= kAtEnd * weight) return TermState::kIdle;
      return multiplier < (1.0 - kAtEnd) * weight ? TermState::kTight : TermState::kLinear;
    case TermKind::kAtMost:
      return multiplier > 0.0 && residual > -1e-4 ? TermState::kTight : TermState::kIdle;
    case TermKind::kEqual:
      return TermState::kTight;
  }
  return TermState::kIdle;  // not reached: the switch is complete
}

// The terms that say how free atoms move, as rows over the free atoms.
struct ActiveSet {
  std::vector<std::uint32_t> number;  // per atom: among the free ones, or kStuck
  std::size_t num_free = 0;
  std::vector<TermState> state;   // per term
  std::vector<double> residual;   // per term
  SparseRows rows;                // of curved and tight terms with free atoms
  std::vector<double> curvature;  // per row
  double largest = 0.0;           // curvature of a curved term
};

void find_free_atoms(std::span<const double> truth, ActiveSet& active) {
  active.number.assign(truth.size(), kStuck);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] > kAtBound && truth[i] < 1.0 - kAtBound) {
      active.number[i] = static_cast<std::uint32_t>(active.num_free++);
    }
  }
}

ActiveSet active_set(const Model& model, const Parameters& parameters, const Solution& solution) {
  ActiveSet active;
  find_free_atoms(solution.truth, active);
  std::vector<std::uint32_t> free;
  std::vector<double> coefficients;
  std::size_t number = 0;  // of the term
  for (const TermBlock& block : model.blocks) {
    const double w = parameters.weights[block.rule];
    for (std::size_t t = 0; t < block.num_terms; ++t, ++number) {
      const double r = residual_of(block, t, solution.truth, parameters.outputs);
      const TermState state = state_of(block.kind, w, r, solution.multipliers[number]);
      active.state.push_back(state);
      active.residual.push_back(r);
      if (state != TermState::kCurved && state != TermState::kTight) continue;
      free.clear();
      coefficients.clear();
      const auto atoms = block.atoms_of(t);
      for (std::size_t k = 0; k < atoms.size(); ++k) {
        if (active.number[atoms[k]] == kStuck) continue;
        free.push_back(active.number[atoms[k]]);
        coefficients.push_back(block.coefficients[k]);
      }
      if (free.empty()) continue;
      active.rows.add(free, coefficients);
      active.curvature.push_back(state == TermState::kCurved ? 2.0 * w : INFINITY);
      if (state == TermState::kCurved) active.largest = std::max(active.largest, 2.0 * w);
    }
  }
  if (active.largest == 0.0) active.largest = 1.0;
  for (double& d : active.curvature) {
    if (std::isinf(d)) d = kStiffness * active.largest;
  }
  return active;
}

// u of (curvatures) u = loss_in_state over the free atoms.
std::vector<double> adjoint(const ActiveSet& active, std::span<const double> loss_in_state) {
  std::vector<double> right(active.num_free);
  for (std::size_t i = 0; i < active.number.size(); ++i) {
    if (active.number[i] != kStuck) right[active.number[i]] = loss_in_state[i];
  }
  const std::vector<double> diagonal(active.num_free, kSmallestMovement * active.largest);
  std::vector<double> u(active.num_free, 0.0);
  auto matrix = NormalMatrix::make(active.num_free, active.rows, kMostFactorEntries);
  if (matrix && matrix->factorise(diagonal, active.curvature)) {
    matrix->solve(right, u);
  } else {
    solve_by_conjugate_gradient(active.rows, active.curvature, diagonal, right, u);
  }
  return u;
}

}  // namespace

ParameterGradient implicit_gradient(const Model& model,
                                    const Parameters& parameters,
                                    const Solution& solution,
                                    std::span<const double> loss_in_state) {
  const ActiveSet active = active_set(model, parameters, solution);
  const std::vector<double> u = adjoint(active, loss_in_state);
  ParameterGradient gradient;
  gradient.in_weights.assign(model.rules.size(), 0.0);
  std::vector<double> in_offsets(active.state.size(), 0.0);
  std::size_t number = 0;  // of the term
  for (const TermBlock& block : model.blocks) {
    const double w = parameters.weights[block.rule];
    for (std::size_t t = 0; t < block.num_terms; ++t, ++number) {
      const TermState state = active.state[number];
      if (state == TermState::kIdle) continue;
      double au = 0.0;
      const auto atoms = block.atoms_of(t);
      for (std::size_t k = 0; k < atoms.size(); ++k) {
        const std::uint32_t i = active.number[atoms[k]];
        if (i != kStuck) au += block.coefficients[k] * u[i];
      }
      if (state == TermState::kLinear) gradient.in_weights[block.rule] -= au;
      if (state == TermState::kCurved) {
        gradient.in_weights[block.rule] -= 2.0 * active.residual[number] * au;
        in_offsets[number] = -2.0 * w * au;
      }
      if (state == TermState::kTight) in_offsets[number] = -kStiffness * active.largest * au;
    }
  }
  gradient.in_outputs.assign(model.num_outputs, 0.0);
  add_output_slopes(model, in_offsets, gradient.in_outputs);
  return gradient;
}

}  // namespace sorites
