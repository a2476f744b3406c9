#include "eval/labels.h"

#include <set>

namespace sorites {
namespace {

// Entities whose class is known: one of their atoms is true. The last argument is the class.
std::set<std::vector<Code>> classified_entities(const Relation& relation) {
  std::set<std::vector<Code>> entities;
  const Table& truth = relation.table(Partition::kTruth);
  for (std::uint32_t row = 0; row < truth.num_rows; ++row) {
    if (truth.value(row) < 1.0) continue;
    std::vector<Code> entity = arguments_of(relation, {Partition::kTruth, row});
    entity.pop_back();
    entities.insert(std::move(entity));
  }
  return entities;
}

class Labeller {
 public:
  Labeller(const Relation& relation, bool has_classes, const EvaluationOptions& options)
      : relation_(relation), options_(options), arguments_(relation.arity()) {
    if (has_classes) classified_ = classified_entities(relation);
  }

  void add(RowId row, double value, bool without_truth_is_false) {
    const Table& table = relation_.table(row.partition);
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      arguments_[k] = table.columns[k][row.row];
    }
    if (const auto found = relation_.find_truth(arguments_)) {
      const double truth = relation_.table(Partition::kTruth).value(*found);
      atoms_.push_back({rounded(value), rounded(truth), row});
    } else if (without_truth_is_false || is_another_class()) {
      atoms_.push_back({rounded(value), 0.0, row});
    }
  }

  std::vector<LabelledAtom> take() { return std::move(atoms_); }

 private:
  // Than the true one: of classes, exactly one is true, and truth may list that one alone.
  bool is_another_class() const {
    return !classified_.empty() && classified_.contains({arguments_.begin(), arguments_.end() - 1});
  }

  double rounded(double value) const {
    return options_.psl_compatible ? static_cast<double>(static_cast<float>(value)) : value;
  }

  const Relation& relation_;
  const EvaluationOptions& options_;
  std::set<std::vector<Code>> classified_;  // empty without classes
  std::vector<Code> arguments_;             // of the row at hand
  std::vector<LabelledAtom> atoms_;
};

}  // namespace

std::vector<LabelledAtom> labelled_atoms(const Relation& relation,
                                         bool has_classes,
                                         std::span<const double> target_values,
                                         const EvaluationOptions& options) {
  Labeller labeller(relation, has_classes, options);
  for (std::uint32_t row = 0; row < target_values.size(); ++row) {
    labeller.add({Partition::kTarget, row}, target_values[row], options.close_truth);
  }
  const Table& observed = relation.table(Partition::kObserved);
  for (std::uint32_t row = 0; options.include_observed && row < observed.num_rows; ++row) {
    labeller.add({Partition::kObserved, row}, observed.value(row), false);
  }
  return labeller.take();
}

std::vector<Code> arguments_of(const Relation& relation, RowId row) {
  std::vector<Code> arguments;
  for (const auto& column : relation.table(row.partition).columns) {
    arguments.push_back(column[row.row]);
  }
  return arguments;
}

}  // namespace sorites
