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
};

void add_chunk(const TermBlock& block,
               const TermChunk& chunk,
               const Parameters& parameters,
               const Claim& claim,
               Sums& sums) {
  const double weight = parameters.weights[block.rule];
  const Interval domain = domain_of(block.kind, weight);
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
    const double given = claim.multipliers[chunk.first_term + (t - chunk.first)];
    const double mu = std::isnan(given) ? 0.0 : std::clamp(given, domain.low, domain.high);
    if (mu == 0.0) continue;
    certificate.lower_bound += mu * b - conjugate(block.kind, weight, mu);
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
  for (const auto& [part, gradient] : sums) {
    total.objective += part.objective;
    total.lower_bound += part.lower_bound;
    total.max_violation = std::max(total.max_violation, part.max_violation);
  }
  if (multipliers.empty() && !chunks.empty()) {
    total.lower_bound = -std::numeric_limits<double>::infinity();
    return total;
  }
  for (std::size_t i = 0; i < model.num_atoms; ++i) {
    double slope = 0.0;
    for (const Sums& part : sums) slope += part.gradient[i];
    total.lower_bound += std::min(0.0, slope);  // min over y_i in [0, 1] of slope y_i
  }
  return total;
}

}  // namespace sorites
