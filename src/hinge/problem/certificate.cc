#include "hinge/problem/certificate.h"

#include <algorithm>
#include <cmath>

#include "hinge/problem/problem.h"
#include "hinge/problem/term_chunks.h"

namespace sorites {
namespace {

void add_chunk(const TermBlock& block,
               const TermChunk& chunk,
               double weight,
               std::span<const double> outputs,
               std::span<const double> truth,
               std::span<const double> multipliers,
               Certificate& sums,
               std::vector<double>& gradient) {
  const Interval domain = domain_of(block.kind, weight);
  const std::size_t width = block.width();
  const AtomId* atoms = block.atoms.data() + chunk.first * width;
  for (std::size_t t = chunk.first; t < chunk.last; ++t, atoms += width) {
    const double b = offset_of(block, t, outputs);
    double residual = b;
    for (std::size_t k = 0; k < width; ++k) residual += block.coefficients[k] * truth[atoms[k]];
    sums.objective += potential(block.kind, weight, residual);
    sums.max_violation = std::max(sums.max_violation, violation(block.kind, residual));
    if (multipliers.empty()) continue;
    const double given = multipliers[chunk.first_term + (t - chunk.first)];
    const double mu = std::isnan(given) ? 0.0 : std::clamp(given, domain.low, domain.high);
    if (mu == 0.0) continue;
    sums.lower_bound += mu * b - conjugate(block.kind, weight, mu);
    for (std::size_t k = 0; k < width; ++k) gradient[atoms[k]] += mu * block.coefficients[k];
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
  std::vector<Certificate> sums(parts);
  std::vector<std::vector<double>> gradients(parts);
  pool.for_each(parts, [&](std::size_t p) {
    gradients[p].assign(model.num_atoms, 0.0);
    const Part mine = part_of(chunks.size(), parts, p);
    for (std::size_t c = mine.begin; c < mine.end; ++c) {
      const TermBlock& block = model.blocks[chunks[c].block];
      add_chunk(block,
                chunks[c],
                parameters.weights[block.rule],
                parameters.outputs,
                truth,
                multipliers,
                sums[p],
                gradients[p]);
    }
  });
  Certificate total;
  for (const Certificate& part : sums) {
    total.objective += part.objective;
    total.lower_bound += part.lower_bound;
    total.max_violation = std::max(total.max_violation, part.max_violation);
  }
  if (multipliers.empty() && !chunks.empty()) {
    total.lower_bound = -INFINITY;
    return total;
  }
  for (std::size_t i = 0; i < model.num_atoms; ++i) {
    double slope = 0.0;
    for (const std::vector<double>& gradient : gradients) slope += gradient[i];
    total.lower_bound += std::min(0.0, slope);  // min over y_i in [0, 1] of slope y_i
  }
  return total;
}

}  // namespace sorites
