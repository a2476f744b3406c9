// Areas under curves over all thresholds. Atoms of equal value pass a threshold together, so they
// enter a curve as one group.
#include <algorithm>

#include "eval/evaluators.h"

namespace sorites {
namespace {

struct Scored {
  double score;
  bool positive;
};

struct Group {
  double num_positive = 0, num_negative = 0;
};

// The atoms of equal score, from the highest score down.
std::vector<Group> groups_by_score(std::vector<Scored> atoms) {
  std::sort(atoms.begin(), atoms.end(), [](const Scored& a, const Scored& b) {
    return a.score > b.score;
  });
  std::vector<Group> groups;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (i == 0 || atoms[i].score != atoms[i - 1].score) groups.emplace_back();
    ++(atoms[i].positive ? groups.back().num_positive : groups.back().num_negative);
  }
  return groups;
}

Group total_of(const std::vector<Group>& groups) {
  Group total;
  for (const Group& group : groups) {
    total.num_positive += group.num_positive;
    total.num_negative += group.num_negative;
  }
  return total;
}

// How likely a positive atom stands above a negative one, half if they tie: the statistic of Mann
// and Whitney, 1947, with midranks.
double area_under_roc(const std::vector<Group>& groups) {
  const Group total = total_of(groups);
  if (total.num_positive == 0) return 0.0;
  if (total.num_negative == 0) return 1.0;
  double pairs = 0.0, positive_above = 0.0;
  for (const Group& group : groups) {
    pairs += group.num_negative * (positive_above + 0.5 * group.num_positive);
    positive_above += group.num_positive;
  }
  return pairs / (total.num_positive * total.num_negative);
}

// Average precision: the precision at each group times the recall that it adds. No straight lines
// between points, which would promise precision that no threshold gives (Davis and Goadrich, 2006).
double area_under_precision_recall(const std::vector<Group>& groups) {
  const double all_positive = total_of(groups).num_positive;
  if (all_positive == 0) return 0.0;
  double area = 0.0, positive = 0.0, passed = 0.0;
  for (const Group& group : groups) {
    positive += group.num_positive;
    passed += group.num_positive + group.num_negative;
    area += group.num_positive * positive / passed;
  }
  return area / all_positive;
}

}  // namespace

std::vector<Metric> auc_metrics(std::span<const LabelledAtom> atoms, double threshold) {
  std::vector<Scored> scored;
  scored.reserve(atoms.size());
  for (const LabelledAtom& atom : atoms) scored.push_back({atom.value, atom.truth > threshold});
  const std::vector<Group> groups = groups_by_score(std::move(scored));

  // The negative class is found by low values: the same groups, from below.
  std::vector<Group> reversed;
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    reversed.push_back({group->num_negative, group->num_positive});
  }
  return {{"auroc", area_under_roc(groups)},
          {"auprc", area_under_precision_recall(groups)},
          {"negative_auprc", area_under_precision_recall(reversed)}};
}

}  // namespace sorites
