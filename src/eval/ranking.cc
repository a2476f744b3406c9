// For each identifier: how high do the true candidates stand among its atoms? Atoms of equal value
// stand in random order; the metrics are their expectations over it.
#include <algorithm>
#include <cmath>
#include <functional>

#include "eval/evaluators.h"
#include "eval/identifiers.h"

namespace sorites {
namespace {

constexpr std::size_t kFewHits = 1, kManyHits = 10;  // as papers on link prediction report them

struct Scores {
  double reciprocal_rank = 0, hits_few = 0, hits_many = 0, gain = 0;
};

double discount(std::size_t position) { return 1.0 / std::log2(static_cast<double>(position) + 1); }

// `order` by value, descending. [begin, end): the atoms that tie with the one at `begin`.
std::size_t end_of_tie(std::span<const LabelledAtom> order, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < order.size() && order[end].value == order[begin].value) ++end;
  return end;
}

// Where the first true atom stands. All before `begin` are false; of the tied atoms from there to
// `end`, `num_true` are true.
void add_first_hit(std::size_t begin, std::size_t end, std::size_t num_true, Scores& scores) {
  double still_none = 1.0;  // probability that no true one stands before the position
  for (std::size_t position = begin + 1; position <= end && still_none > 0.0; ++position) {
    const double left = static_cast<double>(end - position + 1);
    const double here = static_cast<double>(num_true) / left;
    const double first = still_none * here;
    scores.reciprocal_rank += first / static_cast<double>(position);
    if (position <= kFewHits) scores.hits_few += first;
    if (position <= kManyHits) scores.hits_many += first;
    still_none -= first;
  }
}

// Jarvelin and Kekalainen, 2002, with the truth as gain; tied atoms share the mean gain (McSherry
// and Najork, 2008).
double normalised_gain(std::span<const LabelledAtom> order) {
  double gain = 0.0;
  for (std::size_t begin = 0; begin < order.size();) {
    const std::size_t end = end_of_tie(order, begin);
    double truth = 0.0, discounts = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      truth += order[i].truth;
      discounts += discount(i + 1);
    }
    gain += truth * discounts / static_cast<double>(end - begin);
    begin = end;
  }
  std::vector<double> truths;
  for (const LabelledAtom& atom : order) truths.push_back(atom.truth);
  std::sort(truths.begin(), truths.end(), std::greater<>());
  double ideal = 0.0;
  for (std::size_t i = 0; i < truths.size(); ++i) ideal += truths[i] * discount(i + 1);
  return gain / ideal;
}

Scores scores_of(std::span<const LabelledAtom> order, double threshold) {
  Scores scores;
  for (std::size_t begin = 0; begin < order.size();) {
    const std::size_t end = end_of_tie(order, begin);
    const auto num_true = static_cast<std::size_t>(
        std::count_if(order.begin() + static_cast<std::ptrdiff_t>(begin),
                      order.begin() + static_cast<std::ptrdiff_t>(end),
                      [&](const LabelledAtom& atom) { return atom.truth > threshold; }));
    if (num_true > 0) {
      add_first_hit(begin, end, num_true, scores);
      break;
    }
    begin = end;
  }
  scores.gain = normalised_gain(order);
  return scores;
}

}  // namespace

std::vector<Metric> ranking_metrics(std::span<const LabelledAtom> atoms,
                                    const Relation& relation,
                                    const std::vector<bool>& is_category,
                                    double threshold) {
  std::vector<RowId> rows;
  for (const LabelledAtom& atom : atoms) rows.push_back(atom.row);
  const auto groups = group_by_identifier(relation, rows, is_category);
  Scores sum;
  double num_asked = 0.0;  // identifiers with something to be found
  std::vector<LabelledAtom> order;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    order.clear();
    for (const std::uint32_t i : groups.group(g)) order.push_back(atoms[i]);
    const auto is_true = [&](const LabelledAtom& atom) { return atom.truth > threshold; };
    if (std::none_of(order.begin(), order.end(), is_true)) continue;
    std::sort(order.begin(), order.end(), [](const LabelledAtom& a, const LabelledAtom& b) {
      return a.value > b.value;
    });
    const Scores scores = scores_of(order, threshold);
    sum.reciprocal_rank += scores.reciprocal_rank;
    sum.hits_few += scores.hits_few;
    sum.hits_many += scores.hits_many;
    sum.gain += scores.gain;
    ++num_asked;
  }
  const double count = std::max(num_asked, 1.0);
  return {{"mrr", sum.reciprocal_rank / count},
          {"hits_at_1", sum.hits_few / count},
          {"hits_at_10", sum.hits_many / count},
          {"ndcg", sum.gain / count}};
}

}  // namespace sorites
