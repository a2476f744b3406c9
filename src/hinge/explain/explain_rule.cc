// The ground rules of one rule that are farthest from being satisfied.
#include <algorithm>
#include <stdexcept>

#include "hinge/explain/effects.h"
#include "hinge/problem/term_chunks.h"

namespace sorites {
namespace {

// A term's place in the order: farther from satisfaction first, then as they stand in the model.
struct Candidate {
  double distance = 0.0;
  TermId term;
  std::size_t number = 0;  // among all terms

  bool operator<(const Candidate& other) const {
    return distance != other.distance ? distance > other.distance : number < other.number;
  }
};

void keep_worst(std::vector<Candidate>& candidates, std::size_t limit) {
  if (candidates.size() <= limit) return;
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(limit);
  std::nth_element(candidates.begin(), end, candidates.end());
  candidates.erase(end, candidates.end());
}

std::vector<Candidate> worst_of(const Explained& what, const TermChunk& chunk, std::size_t limit) {
  const TermBlock& block = what.model.blocks[chunk.block];
  constexpr std::size_t kSpare = 1000;  // so that most are dropped when they are sorted out
  std::vector<Candidate> worst;
  for (std::size_t t = chunk.first; t < chunk.last; ++t) {
    const double distance = distance_of(
        block.kind, residual_of(block, t, what.solution.truth, what.parameters.outputs));
    if (distance <= kSatisfied) continue;
    worst.push_back({distance,
                     {chunk.block, static_cast<std::uint32_t>(t)},
                     chunk.first_term + (t - chunk.first)});
    if (worst.size() > 2 * limit + kSpare) keep_worst(worst, limit);
  }
  keep_worst(worst, limit);
  return worst;
}

}  // namespace

RuleExplanation explain_rule(const Explained& what,
                             std::uint32_t rule,
                             const ExplainOptions& options) {
  check_fit(what);
  if (rule >= what.model.rules.size()) throw std::invalid_argument("explain_rule: no such rule");
  std::vector<TermChunk> chunks = chunks_of(what.model);
  std::erase_if(
      chunks, [&](const TermChunk& chunk) { return what.model.blocks[chunk.block].rule != rule; });
  std::vector<std::vector<Candidate>> parts(chunks.size());
  ThreadPool(options.ground.threads).for_each(chunks.size(), [&](std::size_t c) {
    parts[c] = worst_of(what, chunks[c], options.limit);
  });
  std::vector<Candidate> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  keep_worst(all, options.limit);
  std::sort(all.begin(), all.end());
  RuleExplanation result;
  result.rule = rule;
  result.statistics = rule_statistics(
      what.model, what.parameters, what.solution.truth, options.ground.threads)[rule];
  std::vector<TermEffect> worst;
  worst.reserve(all.size());
  for (const Candidate& candidate : all) {
    worst.push_back(effect_of(what, candidate.term, candidate.number, 0.0));
  }
  result.worst = with_texts(what, options.ground, std::move(worst));
  return result;
}

}  // namespace sorites
