#include "meanfield/fact_draws.h"

#include <algorithm>
#include <utility>

namespace sorites {
namespace {

// Fewer facts than this are all learned from: a part of them would judge by chance.
constexpr std::size_t kFewFacts = 20;

bool stands_before(const Fact& a, const Fact& b) {
  return std::pair(a.predicate, a.atom.atom) < std::pair(b.predicate, b.atom.atom);
}

}  // namespace

FactDraws::FactDraws(const MeanFieldModel& model,
                     double hidden_share,
                     double validation_share,
                     std::uint64_t seed)
    : hidden_share_(hidden_share), random_(~seed) {
  std::vector<Fact> facts;
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    OfPredicate& predicate = predicates_.emplace_back();
    if (model.predicates[p].closed) continue;
    predicate.known = known_atoms(model, p);
    predicate.num_atoms = num_atoms(model, p);
    predicate.all_true =
        model.predicates[p].num_classes() == 0 && predicate.known.size() == model.facts[p].size();
    for (const KnownAtom& atom : model.facts[p]) {
      predicate.all_true = predicate.all_true && atom.value == 1;
      facts.push_back({p, atom});
    }
  }
  held_out_ = validation_share > 0.0 && facts.size() >= kFewFacts;
  validation_ = draw_from(facts, held_out_ ? validation_share : hidden_share);
  for (const Fact& fact : facts) {
    const bool judged = std::binary_search(
        validation_.hidden.begin(), validation_.hidden.end(), fact, stands_before);
    if (!held_out_ || !judged) training_.push_back(fact);
  }
  random_.seed(seed);  // what is judged by has no part in what is learned from
}

FactDraw FactDraws::draw_from(const std::vector<Fact>& facts, double share) {
  FactDraw draw;
  std::bernoulli_distribution is_hidden(share);
  std::vector<std::size_t> num_hidden(predicates_.size(), 0);
  for (const Fact& fact : facts) {
    if (!is_hidden(random_)) continue;
    draw.hidden.push_back(fact);
    ++num_hidden[fact.predicate];
  }
  for (std::size_t p = 0; p < predicates_.size(); ++p) {
    if (predicates_[p].all_true) presume_false(p, num_hidden[p], draw.presumed);
  }
  return draw;
}

// Draws so many atoms; those that are known are none.
void FactDraws::presume_false(std::size_t predicate,
                              std::size_t count,
                              std::vector<Fact>& presumed) {
  const OfPredicate& from = predicates_[predicate];
  std::uniform_int_distribution<std::uint64_t> any(0, from.num_atoms - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t atom = any(random_);
    const auto at = std::lower_bound(from.known.begin(), from.known.end(), KnownAtom{atom, 0});
    if (at == from.known.end() || at->atom != atom) presumed.push_back({predicate, {atom, 0}});
  }
}

std::vector<std::vector<KnownAtom>> FactDraws::known_without(const FactDraw& draw) const {
  std::vector<Fact> hidden = draw.hidden;
  if (held_out_) {
    hidden.insert(hidden.end(), validation_.hidden.begin(), validation_.hidden.end());
    std::sort(hidden.begin(), hidden.end(), stands_before);
  }
  std::vector<std::vector<KnownAtom>> result;
  for (std::size_t p = 0; p < predicates_.size(); ++p) {
    std::vector<KnownAtom>& known = result.emplace_back();
    for (const KnownAtom& atom : predicates_[p].known) {
      if (!std::binary_search(hidden.begin(), hidden.end(), Fact{p, atom}, stands_before)) {
        known.push_back(atom);
      }
    }
  }
  return result;
}

}  // namespace sorites
