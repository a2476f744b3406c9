#include "hinge/energy/implicit.h"

#include <algorithm>
#include <cmath>

#include "hinge/energy/conjugate_gradient.h"
#include "hinge/energy/potentials.h"
#include "hinge/methods/normal_matrix.h"
#include "hinge/model/residual.h"
#include "hinge/model/term_kind.h"

namespace sorites {
namespace {

// What holds at the solution, which is known to a gap and a violation of 1e-4 by default.
constexpr double kAtBound = 1e-6;   // atoms nearer to 0 or 1 do not move: solvers put them there
constexpr double kAtEnd = 1e-3;     // multipliers nearer to 0 or w are at the end of their domain
constexpr double kBinding = -1e-4;  // residual of hard rules that bind: the default violation
// Of hard rules that bind, in units of the largest curvature: they give way by 1e-7, and the factor
// keeps nine of sixteen digits.
constexpr double kStiffness = 1e7;
constexpr double kLeastCurvature = 1e-12;  // in the same units: of atoms that nothing holds
constexpr std::size_t kMostFactorEntries = 30'000'000;  // 240 MB; beyond, conjugate gradients
constexpr std::uint32_t kStuck = ~std::uint32_t{0};

// How the slope mu of a term's potential changes: d mu = curvature dr + in_weight dw.
struct Response {
  double curvature = 0.0;  // infinite: r stays what it is
  double in_weight = 0.0;
};

Response response_of(
    TermKind kind, double weight, double residual, double multiplier, double smoothing) {
  switch (kind) {
    case TermKind::kSquaredHinge:
      if (residual <= 0.0 || weight <= 0.0) return {};
      return {2.0 * weight, 2.0 * residual};
    case TermKind::kHinge: {
      if (weight <= 0.0) return {};
      const double share = std::clamp(multiplier / weight, 0.0, 1.0);
      const bool at_kink =
          std::abs(residual) <= smoothing || (share > kAtEnd && share < 1.0 - kAtEnd);
      return {at_kink ? weight / (2.0 * smoothing) : 0.0, share > kAtEnd ? share : 0.0};
    }
    case TermKind::kAtMost:
      return {multiplier > 0.0 && residual > kBinding ? INFINITY : 0.0, 0.0};
    case TermKind::kEqual:
      return {INFINITY, 0.0};
  }
  return {};  // not reached: the switch is complete
}

// The terms that say how free atoms move, as rows over the free atoms.
struct ActiveSet {
  std::vector<std::uint32_t> number;  // per atom: among the free ones, or kStuck
  std::size_t num_free = 0;
  std::vector<Response> response;  // per term
  SparseRows rows;                 // of terms with curvature and free atoms
  std::vector<double> curvature;   // per row
  std::vector<double> diagonal;    // per free atom: its own curvature
};

void find_free_atoms(std::span<const double> truth, ActiveSet& active) {
  active.number.assign(truth.size(), kStuck);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] > kAtBound && truth[i] < 1.0 - kAtBound) {
      active.number[i] = static_cast<std::uint32_t>(active.num_free++);
    }
  }
}

ActiveSet active_set(const Model& model,
                     const Parameters& parameters,
                     const SolutionView& solution,
                     double smoothing) {
  ActiveSet active;
  find_free_atoms(solution.truth, active);
  active.diagonal.assign(active.num_free, 0.0);
  std::vector<std::uint32_t> free;
  std::vector<double> coefficients;
  std::size_t number = 0;  // of the term
  for (const TermBlock& block : model.blocks) {
    const double w = is_hard(block.kind) ? 0.0 : parameters.weights[block.rule];
    for (std::size_t t = 0; t < block.num_terms; ++t, ++number) {
      const double r = residual_of(block, t, solution.truth, parameters.outputs);
      active.response.push_back(
          response_of(block.kind, w, r, solution.multipliers[number], smoothing));
      free.clear();
      coefficients.clear();
      const auto atoms = block.atoms_of(t);
      for (std::size_t k = 0; k < atoms.size(); ++k) {
        const std::uint32_t i = active.number[atoms[k]];
        if (i == kStuck) continue;
        const double a = block.coefficients[k];
        active.diagonal[i] += smoothing * w * a * a;
        free.push_back(i);
        coefficients.push_back(a);
      }
      const double curvature = active.response.back().curvature;
      if (curvature == 0.0 || free.empty()) continue;
      active.rows.add(free, coefficients);
      active.curvature.push_back(curvature);
    }
  }
  return active;
}

// Puts a large number for infinite curvatures, and a small one where there is none at all.
void make_finite(ActiveSet& active) {
  double largest = 0.0;
  for (const double d : active.curvature) largest = std::isinf(d) ? largest : std::max(largest, d);
  for (const double d : active.diagonal) largest = std::max(largest, d);
  if (largest == 0.0) largest = 1.0;
  for (double& d : active.diagonal) d = std::max(d, kLeastCurvature * largest);
  const auto limit = [&](double& d) { d = std::min(d, kStiffness * largest); };
  std::for_each(active.curvature.begin(), active.curvature.end(), limit);
  for (Response& response : active.response) limit(response.curvature);
}

// u of (curvatures) u = loss_in_state over the free atoms.
std::vector<double> adjoint(const ActiveSet& active,
                            std::span<const double> loss_in_state,
                            const std::stop_token& stop) {
  std::vector<double> right(active.num_free);
  for (std::size_t i = 0; i < active.number.size(); ++i) {
    if (active.number[i] != kStuck) right[active.number[i]] = loss_in_state[i];
  }
  std::vector<double> u(active.num_free, 0.0);
  const GiveUp give_up = [&] { return stop.stop_requested(); };
  auto matrix = NormalMatrix::make(active.num_free, active.rows, kMostFactorEntries, give_up);
  if (matrix && matrix->factorise(active.diagonal, active.curvature, give_up)) {
    matrix->solve(right, u);
  } else if (!give_up()) {
    solve_by_conjugate_gradient(active.rows, active.curvature, active.diagonal, right, u);
  }
  return u;
}

}  // namespace

ParameterGradient implicit_gradient(const Model& model,
                                    const Parameters& parameters,
                                    const SolutionView& solution,
                                    std::span<const double> loss_in_state,
                                    double smoothing,
                                    const std::stop_token& stop) {
  ActiveSet active = active_set(model, parameters, solution, smoothing);
  make_finite(active);
  const std::vector<double> u = adjoint(active, loss_in_state, stop);
  ParameterGradient gradient;
  gradient.in_weights.assign(model.rules.size(), 0.0);
  std::vector<double> in_offsets(active.response.size(), 0.0);
  std::size_t number = 0;  // of the term
  for (const TermBlock& block : model.blocks) {
    for (std::size_t t = 0; t < block.num_terms; ++t, ++number) {
      const Response response = active.response[number];
      double au = 0.0;
      const auto atoms = block.atoms_of(t);
      for (std::size_t k = 0; k < atoms.size(); ++k) {
        const std::uint32_t i = active.number[atoms[k]];
        if (i != kStuck) au += block.coefficients[k] * u[i];
      }
      gradient.in_weights[block.rule] -= response.in_weight * au;
      in_offsets[number] = -response.curvature * au;
    }
  }
  gradient.in_outputs.assign(model.num_outputs, 0.0);
  add_output_slopes(model, in_offsets, gradient.in_outputs);
  return gradient;
}

}  // namespace sorites
