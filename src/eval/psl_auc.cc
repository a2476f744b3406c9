// The areas as PSL 3 computes them, for comparison with its numbers:
//   - equal values are not grouped: they stand in the order of their arguments
//   - precision and recall are joined by straight lines, from precision 1 at recall 0
//   - recall divides by the atoms with truth >= threshold, but counts those with truth > threshold
//   - the negative class is looked for by high values, as the positive one
#include <algorithm>

#include "eval/evaluators.h"

namespace sorites {
namespace {

// By value, descending, then by arguments in the order of their domains.
void sort_as_psl(std::vector<LabelledAtom>& atoms,
                 const Database& database,
                 PredicateId predicate) {
  const Relation& relation = database.relation(predicate);
  const Predicate& declared = database.predicates()[predicate];
  const auto code = [&](const LabelledAtom& atom, std::size_t k) {
    return relation.table(atom.row.partition).columns[k][atom.row.row];
  };
  std::sort(atoms.begin(), atoms.end(), [&](const LabelledAtom& a, const LabelledAtom& b) {
    if (a.value != b.value) return a.value > b.value;
    for (std::size_t k = 0; k < declared.arity(); ++k) {
      const Code left = code(a, k), right = code(b, k);
      if (left != right) return database.dictionary(declared.domain(k)).less(left, right);
    }
    return false;
  });
}

double area_under_roc(const std::vector<LabelledAtom>& atoms, double threshold) {
  double positive = 0, negative = 0, pairs = 0;
  for (const LabelledAtom& atom : atoms) {
    if (atom.truth > threshold) {
      ++positive;
    } else {
      ++negative;
      pairs += positive;
    }
  }
  if (positive == 0) return 0.0;
  return negative == 0 ? 1.0 : pairs / (positive * negative);
}

double area_under_precision_recall(const std::vector<LabelledAtom>& atoms,
                                   double threshold,
                                   bool positive_class) {
  const auto num_wanted = std::count_if(atoms.begin(), atoms.end(), [&](const LabelledAtom& atom) {
    return (atom.truth >= threshold) == positive_class;
  });
  if (num_wanted == 0) return 0.0;
  double area = 0.0, found = 0.0, passed = 0.0;
  double last_precision = 1.0, last_recall = 0.0;
  for (const LabelledAtom& atom : atoms) {
    ++passed;
    if ((atom.truth > threshold) == positive_class) ++found;
    const double precision = found / passed;
    const double recall = found / static_cast<double>(num_wanted);
    area += (recall - last_recall) * 0.5 * (precision + last_precision);
    last_precision = precision;
    last_recall = recall;
  }
  return area;
}

}  // namespace

std::vector<Metric> psl_auc_metrics(std::vector<LabelledAtom> atoms,
                                    const Database& database,
                                    PredicateId predicate,
                                    double threshold) {
  sort_as_psl(atoms, database, predicate);
  return {{"auroc", area_under_roc(atoms, threshold)},
          {"auprc", area_under_precision_recall(atoms, threshold, true)},
          {"negative_auprc", area_under_precision_recall(atoms, threshold, false)}};
}

}  // namespace sorites
