// Each identifier is put into the category of its highest value; is it a true one?
#include <algorithm>

#include "eval/evaluators.h"
#include "eval/identifiers.h"

namespace sorites {
namespace {

constexpr double kTie = 1e-6;  // values nearer than this to the highest tie with it

struct Candidates {
  std::vector<RowId> rows;
  std::vector<double> values;
};

Candidates candidates_of(const Relation& relation,
                         std::span<const double> target_values,
                         bool include_observed) {
  Candidates candidates;
  for (std::uint32_t row = 0; row < target_values.size(); ++row) {
    candidates.rows.push_back({Partition::kTarget, row});
    candidates.values.push_back(target_values[row]);
  }
  const Table& observed = relation.table(Partition::kObserved);
  for (std::uint32_t row = 0; include_observed && row < observed.num_rows; ++row) {
    candidates.rows.push_back({Partition::kObserved, row});
    candidates.values.push_back(observed.value(row));
  }
  return candidates;
}

bool is_true(const Relation& relation, RowId row) {
  const auto found = relation.find_truth(arguments_of(relation, row));
  return found && relation.table(Partition::kTruth).value(*found) >= 1.0;
}

}  // namespace

std::vector<Metric> categorical_metrics(const Relation& relation,
                                        std::span<const double> target_values,
                                        const std::vector<bool>& is_category,
                                        bool include_observed) {
  const Candidates candidates = candidates_of(relation, target_values, include_observed);
  const auto groups = group_by_identifier(relation, candidates.rows, is_category);
  double hits = 0.0, expected_hits = 0.0, num_ties = 0.0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    double highest = 0.0;
    for (const std::uint32_t i : groups.group(g)) {
      highest = std::max(highest, candidates.values[i]);
    }
    double num_best = 0.0, num_true = 0.0;
    for (const std::uint32_t i : groups.group(g)) {
      if (candidates.values[i] < highest - kTie) continue;
      const bool hit = is_true(relation, candidates.rows[i]);
      if (num_best == 0.0 && hit) ++hits;  // of tied ones, the first row is the prediction
      ++num_best;
      if (hit) ++num_true;
    }
    expected_hits += num_true / num_best;
    if (num_best > 1.0) ++num_ties;
  }
  // Every true atom is to be found, be it a target or not.
  const Table& truth = relation.table(Partition::kTruth);
  double all = 0.0;
  for (std::size_t row = 0; row < truth.num_rows; ++row) all += truth.value(row) >= 1.0 ? 1.0 : 0.0;
  const double count = std::max(all, 1.0);
  return {{"categorical_accuracy", hits / count},
          {"categorical_accuracy_expected", expected_hits / count},
          {"categorical_ties", num_ties, false}};
}

}  // namespace sorites
