#include "hinge/problem/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hinge/problem/problem.h"
#include "hinge/problem/term_chunks.h"

namespace sorites {
namespace {

// What is certified: a state, and a multiplier per term (none: no bound).
struct Claim {
  std::span<const double> truth;
  std::span<const double> multipliers;
};

struct Sums {
  Certificate certificate;
  std::vector<double> gradient;  // per atom, of the Lagrangian
  double size = 0.0;             // of what the bound adds up, signs apart
};

constexpr double kRounding = std::numeric_limits<double>::epsilon();

// The multiplier of a term, within its domain.
double multiplier_of(const Claim& claim, std::size_t term, const Interval& domain) {
  const double given = claim.multipliers[term];
  return std::isnan(given) ? 0.0 : std::clamp(given, domain.low, domain.high);
}

// Large multipliers may cancel out in a bound and leave their rounding errors. In other sums these
// are far behind all digits that matter.
bool may_show_rounding(const Certificate& total, double size) {
  constexpr double kVisible = 1e-12;
  return kRounding * size >
         kVisible * std::max(std::abs(total.lower_bound), std::abs(total.objective));
}

// Of the bound. Slopes that are positive for certain have no part in it.
double rounding_of(const Model& model,
                   const Parameters& parameters,
                   const Claim& claim,
                   std::span<const double> slopes) {
  double sum = 0.0;
  std::vector<double> size(model.num_atoms, 0.0);  // of a slope, signs apart
  for (const TermChunk& chunk : chunks_of(model)) {
    const TermBlock& block = model.blocks[chunk.block];
    const Interval domain = domain_of(block.kind, parameters.weights[block.rule]);
    for (std::size_t t = chunk.first; t < chunk.last; ++t) {
      const double mu = multiplier_of(claim, chunk.first_term + (t - chunk.first), domain);
      sum += kRounding * std::abs(mu * offset_of(block, t, parameters.outputs));
      const auto atoms = block.atoms_of(t);
      for (std::size_t k = 0; k < atoms.size(); ++k) {
        size[atoms[k]] += std::abs(mu * block.coefficients[k]);
      }
    }
  }
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (slopes[i] < kRounding * size[i]) sum += kRounding * size[i];
  }
  return sum;
}

void add_chunk(const TermBlock& block,
               const TermChunk& chunk,
               const Parameters& parameters,
               const Claim& claim,
               Sums& sums) {
  const double weight = parameters.weights[block.rule];
  const Interval domain = domain_of(block.kind, weight);
  double reach = 0.0;  // of a residual, its constant apart
  for (const double a : block.coefficients) reach += std::abs(a);
  Certificate& certificate = sums.certificate;
  const std::size_t width = block.width();
  const AtomId* atoms = block.atoms.data() + chunk.first * width;
  for (std::size_t t = chunk.first; t < chunk.last; ++t, atoms += width) {
    const double b = offset_of(block, t, parameters.outputs);
    double residual = b;
    for (std::size_t k = 0; k < width; ++k)
      residual += block.coefficients[k] * claim.truth[atoms[k]];
    certificate.objective += potential(block.kind, weight, residual);
    certificate.max_violation =
        std::max(certificate.max_violation, violation(block.kind, residual));
    if (claim.multipliers.empty()) continue;
    const double mu = multiplier_of(claim, chunk.first_term + (t - chunk.first), domain);
    if (mu == 0.0) continue;
    certificate.lower_bound += mu * b - conjugate(block.kind, weight, mu);
    sums.size += std::abs(mu) * (std::abs(b) + reach);
    for (std::size_t k = 0; k < width; ++k) sums.gradient[atoms[k]] += mu * block.coefficients[k];
  }
}

}  // namespace

Certificate certify(const Model& model,
                    const Parameters& parameters,
                    std::span<const double> truth,
                    std::span<const double> multipliers,
                    ThreadPool& pool) {
  const std::vector<TermChunk> chunks = chunks_of(model);
  const std::size_t parts = pool.num_threads();
  std::vector<Sums> sums(parts);
  pool.for_each(parts, [&](std::size_t p) {
    sums[p].gradient.assign(model.num_atoms, 0.0);
    const Part mine = part_of(chunks.size(), parts, p);
    for (std::size_t c = mine.begin; c < mine.end; ++c) {
      const TermBlock& block = model.blocks[chunks[c].block];
      add_chunk(block, chunks[c], parameters, {truth, multipliers}, sums[p]);
    }
  });
  Certificate total;
  double size = 0.0;
  for (const Sums& part : sums) {
    total.objective += part.certificate.objective;
    total.lower_bound += part.certificate.lower_bound;
    total.max_violation = std::max(total.max_violation, part.certificate.max_violation);
    size += part.size;
  }
  if (multipliers.empty() && !chunks.empty()) {
    total.lower_bound = -std::numeric_limits<double>::infinity();
    return total;
  }
  std::vector<double>& slopes = sums[0].gradient;
  for (std::size_t i = 0; i < model.num_atoms; ++i) {
    for (std::size_t p = 1; p < parts; ++p) slopes[i] += sums[p].gradient[i];
    total.lower_bound += std::min(0.0, slopes[i]);  // min over y_i in [0, 1] of slope y_i
  }
  if (may_show_rounding(total, size)) {
    total.lower_bound -= rounding_of(model, parameters, {truth, multipliers}, slopes);
  }
  return total;
}

}  // namespace sorites
