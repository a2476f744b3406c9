// The ground rules around one target, by how hard they pull.
//
// At a solution, the slope of the objective along an atom is the sum over its terms of coefficient
// times multiplier: a term with multiplier mu >= 0 pulls the atom up by -a mu.
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "hinge/explain/effects.h"
#include "hinge/problem/term_chunks.h"

namespace sorites {
namespace {

constexpr double kNoForce = 1e-9;  // below this a ground rule does not pull

using Effects = std::vector<TermEffect>;

// All terms of the model in which the atom stands.
Effects effects_on(const Explained& what, AtomId atom, unsigned threads) {
  const std::vector<TermChunk> chunks = chunks_of(what.model);
  std::vector<Effects> parts(chunks.size());
  ThreadPool(threads).for_each(chunks.size(), [&](std::size_t c) {
    const TermBlock& block = what.model.blocks[chunks[c].block];
    const std::size_t width = block.width();
    for (std::size_t t = chunks[c].first; t < chunks[c].last; ++t) {
      const AtomId* atoms = block.atoms.data() + t * width;
      for (std::size_t i = 0; i < width; ++i) {
        if (atoms[i] != atom) continue;
        const std::size_t number = chunks[c].first_term + (t - chunks[c].first);
        parts[c].push_back(effect_of(
            what, {chunks[c].block, static_cast<std::uint32_t>(t)}, number, block.coefficients[i]));
      }
    }
  });
  Effects all;
  for (Effects& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

void keep_strongest(Effects& effects, std::size_t limit) {
  std::stable_sort(effects.begin(), effects.end(), [](const auto& a, const auto& b) {
    return std::abs(a.force) > std::abs(b.force);
  });
  if (effects.size() > limit) effects.resize(limit);
}

std::vector<RuleForce> strongest_first(const std::map<std::uint32_t, double>& force_of_rule) {
  std::vector<RuleForce> rules;
  for (const auto& [rule, force] : force_of_rule) {
    if (std::abs(force) > kNoForce) rules.push_back({rule, force});
  }
  std::stable_sort(rules.begin(), rules.end(), [](const RuleForce& a, const RuleForce& b) {
    return std::abs(a.force) > std::abs(b.force);
  });
  return rules;
}

// The three lists with their ground rules as text, which are found in one pass.
void add_texts(const Explained& what,
               const GroundOptions& options,
               const Effects& up,
               const Effects& down,
               const Effects& tight,
               AtomExplanation& result) {
  Effects all = up;
  all.insert(all.end(), down.begin(), down.end());
  all.insert(all.end(), tight.begin(), tight.end());
  const std::vector<GroundRuleEffect> texts = with_texts(what, options, std::move(all));
  const auto first_down = texts.begin() + static_cast<std::ptrdiff_t>(up.size());
  const auto first_tight = first_down + static_cast<std::ptrdiff_t>(down.size());
  result.up.assign(texts.begin(), first_down);
  result.down.assign(first_down, first_tight);
  result.tight.assign(first_tight, texts.end());
}

}  // namespace

AtomExplanation explain_atom(const Explained& what, AtomId atom, const ExplainOptions& options) {
  check_fit(what);
  if (atom >= what.model.num_atoms) throw std::invalid_argument("explain_atom: no such atom");
  AtomExplanation result;
  for (const AtomRange& range : what.model.atom_ranges) {
    if (atom < range.first || atom - range.first >= range.count) continue;
    result.atom =
        atom_text(what.database, range.predicate, {Partition::kTarget, atom - range.first});
  }
  result.value = what.solution.truth[atom];
  Effects up, down, tight;
  std::map<std::uint32_t, double> force_of_rule;
  for (const TermEffect& effect : effects_on(what, atom, options.ground.threads)) {
    ++result.terms;
    if (effect.force > kNoForce) {
      ++result.pull_up;
      result.force_up += effect.force;
      up.push_back(effect);
    } else if (effect.force < -kNoForce) {
      ++result.pull_down;
      result.force_down -= effect.force;
      down.push_back(effect);
    } else if (effect.tight) {
      tight.push_back(effect);
    }
    force_of_rule[effect.rule] += effect.force;
  }
  result.rules = strongest_first(force_of_rule);
  for (Effects* effects : {&up, &down, &tight}) keep_strongest(*effects, options.limit);
  add_texts(what, options.ground, up, down, tight, result);
  return result;
}

}  // namespace sorites
