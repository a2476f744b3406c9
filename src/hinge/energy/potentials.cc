#include "hinge/energy/potentials.h"

#include <algorithm>

#include "hinge/model/residual.h"
#include "hinge/model/term_kind.h"
#include "hinge/problem/term_chunks.h"

namespace sorites {
namespace {

// Of terms [first, last) of a block; the compiler knows their kind, and their width unless it is 0.
template <TermKind kKind, std::size_t kWidth>
double sum_of_potentials(const TermBlock& block,
                         std::size_t first,
                         std::size_t last,
                         std::span<const double> truth,
                         std::span<const double> outputs) {
  const std::size_t width = kWidth > 0 ? kWidth : block.width();
  const bool has_outputs = !block.output_coefficients.empty();
  const AtomId* atoms = block.atoms.data() + first * width;
  double sum = 0.0;
  for (std::size_t t = first; t < last; ++t, atoms += width) {
    double residual = block.offset_of(t);
    for (std::size_t k = 0; k < width; ++k) residual += block.coefficients[k] * truth[atoms[k]];
    if (has_outputs) {
      const std::span<const std::uint32_t> ids = block.outputs_of(t);
      for (std::size_t k = 0; k < ids.size(); ++k) {
        residual += block.output_coefficients[k] * outputs[ids[k]];
      }
    }
    const double distance = std::max(residual, 0.0);  // no branch: there is no telling its way
    sum += kKind == TermKind::kHinge ? distance : distance * distance;
  }
  return sum;
}

template <TermKind kKind>
auto sum_for_width(std::size_t width) {
  switch (width) {
    case 1:
      return &sum_of_potentials<kKind, 1>;
    case 2:
      return &sum_of_potentials<kKind, 2>;
    case 3:
      return &sum_of_potentials<kKind, 3>;
    default:
      return &sum_of_potentials<kKind, 0>;
  }
}

}  // namespace

std::vector<double> potentials_by_rule(const Model& model,
                                       std::span<const double> truth,
                                       std::span<const double> outputs,
                                       ThreadPool& pool) {
  const std::vector<TermChunk> chunks = chunks_of(model);
  std::vector<double> sums(chunks.size());
  pool.for_each(chunks.size(), [&](std::size_t c) {
    const TermBlock& block = model.blocks[chunks[c].block];
    if (is_hard(block.kind)) return;
    const auto sum = block.kind == TermKind::kHinge
                         ? sum_for_width<TermKind::kHinge>(block.width())
                         : sum_for_width<TermKind::kSquaredHinge>(block.width());
    sums[c] = sum(block, chunks[c].first, chunks[c].last, truth, outputs);
  });
  // In the order of the chunks, so that the number of threads does not matter.
  std::vector<double> by_rule(model.rules.size(), 0.0);
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    by_rule[model.blocks[chunks[c].block].rule] += sums[c];
  }
  return by_rule;
}

void add_output_slopes(const Model& model,
                       std::span<const double> multipliers,
                       std::vector<double>& slopes) {
  std::size_t before = 0;  // terms of the blocks so far
  for (const TermBlock& block : model.blocks) {
    if (!block.output_coefficients.empty()) {
      for (std::size_t t = 0; t < block.num_terms; ++t) {
        const double mu = multipliers[before + t];
        const auto links = block.outputs_of(t);
        for (std::size_t j = 0; j < links.size(); ++j) {
          slopes[links[j]] += block.output_coefficients[j] * mu;
        }
      }
    }
    before += block.num_terms;
  }
}

std::vector<double> slopes_at(const Model& model,
                              const Parameters& parameters,
                              std::span<const double> truth) {
  std::vector<double> slopes;
  slopes.reserve(model.num_terms());
  for (const TermBlock& block : model.blocks) {
    const double weight = parameters.weights[block.rule];
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      slopes.push_back(slope(block.kind, weight, residual_of(block, t, truth, parameters.outputs)));
    }
  }
  return slopes;
}

}  // namespace sorites
