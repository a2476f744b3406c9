#include <algorithm>
#include <stdexcept>

#include "hinge/explain/explain.h"
#include "hinge/model/residual.h"
#include "hinge/model/term_kind.h"
#include "hinge/problem/term_chunks.h"

namespace sorites {
namespace {

RuleStatistics statistics_of(const TermBlock& block,
                             const TermChunk& chunk,
                             double weight,
                             std::span<const double> truth,
                             std::span<const double> outputs) {
  RuleStatistics sum;
  sum.terms = static_cast<double>(chunk.last - chunk.first);
  for (std::size_t t = chunk.first; t < chunk.last; ++t) {
    const double distance = distance_of(block.kind, residual_of(block, t, truth, outputs));
    sum.satisfied += distance <= kSatisfied ? 1.0 : 0.0;
    sum.energy += potential(block.kind, weight, distance);
    sum.distance += distance;
    sum.worst = std::max(sum.worst.value_or(0.0), distance);
  }
  return sum;
}

}  // namespace

std::vector<RuleStatistics> rule_statistics(const Model& model,
                                            const Parameters& parameters,
                                            std::span<const double> truth,
                                            unsigned threads) {
  if (truth.size() != model.num_atoms || parameters.weights.size() != model.rules.size() ||
      parameters.outputs.size() != model.num_outputs) {
    throw std::invalid_argument("rule_statistics: truth or parameters do not fit the model");
  }
  const std::vector<TermChunk> chunks = chunks_of(model);
  std::vector<RuleStatistics> parts(chunks.size());
  ThreadPool(threads).for_each(chunks.size(), [&](std::size_t c) {
    const TermBlock& block = model.blocks[chunks[c].block];
    parts[c] =
        statistics_of(block, chunks[c], parameters.weights[block.rule], truth, parameters.outputs);
  });
  std::vector<RuleStatistics> rules(model.rules.size(),
                                    {.worst = 0.0});  // summed in order: always the same bits
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    RuleStatistics& rule = rules[model.blocks[chunks[c].block].rule];
    rule.terms += parts[c].terms;
    rule.satisfied += parts[c].satisfied;
    rule.energy += parts[c].energy;
    rule.distance += parts[c].distance;
    rule.worst = std::max(rule.worst, parts[c].worst);
  }
  return rules;
}

}  // namespace sorites
