#include "meanfield/hidden_facts.h"

#include <algorithm>
#include <random>

namespace sorites {

HidingFacts::HidingFacts(MeanFieldModel& model, const HiddenFacts& options) : options_(options) {
  std::vector<MeanFieldAtom> facts, presumed;
  for (std::uint32_t p = 0; p < model.predicates.size(); ++p) {
    const MeanFieldPredicate& predicate = model.predicates[p];
    known_.push_back(predicate.closed ? std::vector<KnownAtom>{} : known_atoms(model, p));
    num_atoms_.push_back(num_atoms(model, p));
    if (predicate.closed) continue;
    const bool has_classes = predicate.num_classes() > 0;
    bool all_true = known_[p].size() == model.facts[p].size();
    for (const KnownAtom& fact : model.facts[p]) {
      facts.push_back({p, fact.atom, has_classes ? fact.value : 1});
      labels_.push_back(has_classes ? 1.0 : fact.value);
      all_true = all_true && fact.value == 1;
    }
    if (all_true && !has_classes) presumed.insert(presumed.end(), model.facts[p].size(), {p, 0, 1});
  }
  model.task.targets = std::move(facts);
  model.task.labels = labels_;
  model.task.targets.insert(model.task.targets.end(), presumed.begin(), presumed.end());
  model.task.labels.resize(model.task.targets.size(), kLatent);
}

std::vector<std::vector<KnownAtom>> HidingFacts::draw(MeanFieldTask& task) {
  std::seed_seq seeds{options_.seed, num_draws_++};
  std::mt19937_64 random(seeds);
  std::bernoulli_distribution is_hidden(options_.share);
  std::vector<std::vector<KnownAtom>> shown = known_;
  for (std::size_t t = 0; t < labels_.size(); ++t) {
    const bool hidden = is_hidden(random);
    task.labels[t] = hidden ? labels_[t] : kLatent;
    if (!hidden) continue;
    std::vector<KnownAtom>& known = shown[task.targets[t].predicate];
    known.erase(std::lower_bound(known.begin(), known.end(), KnownAtom{task.targets[t].atom, 0}));
  }
  for (std::size_t t = labels_.size(); t < task.targets.size(); ++t) {
    MeanFieldAtom& target = task.targets[t];
    const std::vector<KnownAtom>& known = known_[target.predicate];
    target.atom =
        std::uniform_int_distribution<std::uint64_t>(0, num_atoms_[target.predicate] - 1)(random);
    const auto at = std::lower_bound(known.begin(), known.end(), KnownAtom{target.atom, 0});
    const bool is_fact = at != known.end() && at->atom == target.atom;
    task.labels[t] = is_fact ? kLatent : 0.0;
  }
  return shown;
}

}  // namespace sorites
