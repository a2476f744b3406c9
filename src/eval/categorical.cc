// Each identifier is put into the category of its highest value; is it a true one?
#include <algorithm>
#include <optional>

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

// Whether the category of `left` comes before that of `right`, in the order of their domains.
bool has_lower_category(const Database& database,
                        PredicateId predicate,
                        const std::vector<bool>& is_category,
                        RowId left,
                        RowId right) {
  const Relation& relation = database.relation(predicate);
  const Predicate& declared = database.predicates()[predicate];
  for (std::size_t k = 0; k < is_category.size(); ++k) {
    const Code a = relation.table(left.partition).columns[k][left.row];
    const Code b = relation.table(right.partition).columns[k][right.row];
    if (is_category[k] && a != b) return database.dictionary(declared.domain(k)).less(a, b);
  }
  return false;
}

}  // namespace

std::vector<Metric> categorical_metrics(const Database& database,
                                        PredicateId predicate,
                                        std::span<const double> target_values,
                                        const std::vector<bool>& is_category,
                                        bool include_observed) {
  const Relation& relation = database.relation(predicate);
  const Candidates candidates = candidates_of(relation, target_values, include_observed);
  const auto groups = group_by_identifier(relation, candidates.rows, is_category);
  double hits = 0.0, expected_hits = 0.0, num_ties = 0.0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    double highest = 0.0;
    for (const std::uint32_t i : groups.group(g)) {
      highest = std::max(highest, candidates.values[i]);
    }
    double num_best = 0.0, num_true = 0.0;
    std::optional<RowId> predicted;  // of tied ones, the lowest category
    for (const std::uint32_t i : groups.group(g)) {
      if (candidates.values[i] < highest - kTie) continue;
      const RowId row = candidates.rows[i];
      if (!predicted || has_lower_category(database, predicate, is_category, row, *predicted)) {
        predicted = row;
      }
      ++num_best;
      if (is_true(relation, row)) ++num_true;
    }
    if (predicted && is_true(relation, *predicted)) ++hits;
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
