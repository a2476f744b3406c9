#include "meanfield/fact_draws.h"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

namespace sorites {
namespace {

// Fewer facts than this are all learned from: a part of them would judge by chance.
constexpr std::size_t kFewFacts = 20;

// The number of the draw that judges: none that is learned from.
constexpr std::uint64_t kValidationDraw = std::numeric_limits<std::uint64_t>::max();

bool stands_before(const DrawnFact& a, const DrawnFact& b) {
  return std::pair(a.predicate, a.atom.atom) < std::pair(b.predicate, b.atom.atom);
}

}  // namespace

FactDraws::FactDraws(const MeanFieldModel& model,
                     double hidden_share,
                     double validation_share,
                     std::uint64_t seed)
    : hidden_share_(hidden_share), seed_(seed) {
  std::vector<DrawnFact> facts;
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
  validation_ = draw_from(facts, held_out_ ? validation_share : hidden_share, kValidationDraw);
  for (const DrawnFact& fact : facts) {
    const bool judged = std::binary_search(
        validation_.hidden.begin(), validation_.hidden.end(), fact, stands_before);
    if (!held_out_ || !judged) training_.push_back(fact);
  }
}

double FactDraws::mean_size() const {
  double size = 0.0;
  for (const DrawnFact& fact : training_) {
    const OfPredicate& from = predicates_[fact.predicate];
    const double unknown =
        1.0 - static_cast<double>(from.known.size()) / static_cast<double>(from.num_atoms);
    size += hidden_share_ * (from.all_true ? 1.0 + unknown : 1.0);
  }
  return std::max(size, 1.0);
}

FactDraw FactDraws::draw_from(const std::vector<DrawnFact>& facts,
                              double share,
                              std::uint64_t number) const {
  FactDraw draw;
  if (facts.empty()) return draw;
  std::seed_seq seeds{seed_, seed_ >> 32U, number, number >> 32U};
  std::mt19937_64 random(seeds);
  std::bernoulli_distribution is_hidden(share);
  const auto pick = [&](std::uint64_t count) {
    return std::uniform_int_distribution<std::uint64_t>(0, count - 1)(random);
  };
  for (const DrawnFact& fact : facts) {
    if (is_hidden(random)) draw.hidden.push_back(fact);
  }
  if (draw.hidden.empty()) draw.hidden.push_back(facts[pick(facts.size())]);
  for (const DrawnFact& fact : draw.hidden) {
    const OfPredicate& from = predicates_[fact.predicate];
    if (!from.all_true) continue;
    const KnownAtom atom{pick(from.num_atoms), 0};
    const auto at = std::lower_bound(from.known.begin(), from.known.end(), atom);
    const bool is_known = at != from.known.end() && at->atom == atom.atom;
    if (!is_known) draw.presumed.push_back({fact.predicate, atom});
  }
  return draw;
}

std::vector<std::vector<KnownAtom>> FactDraws::known_without(const FactDraw& draw) const {
  std::vector<DrawnFact> hidden = draw.hidden;
  if (held_out_) {
    hidden.insert(hidden.end(), validation_.hidden.begin(), validation_.hidden.end());
    std::sort(hidden.begin(), hidden.end(), stands_before);
  }
  std::vector<std::vector<KnownAtom>> result;
  for (std::size_t p = 0; p < predicates_.size(); ++p) {
    std::vector<KnownAtom>& known = result.emplace_back();
    for (const KnownAtom& atom : predicates_[p].known) {
      if (!std::binary_search(hidden.begin(), hidden.end(), DrawnFact{p, atom}, stands_before)) {
        known.push_back(atom);
      }
    }
  }
  return result;
}

}  // namespace sorites
