#include "eval/labels.h"

namespace sorites {
namespace {

class Labeller {
 public:
  Labeller(const Relation& relation, const EvaluationOptions& options)
      : relation_(relation), options_(options), arguments_(relation.arity()) {}

  void add(RowId row, double value, bool without_truth_is_false) {
    const Table& table = relation_.table(row.partition);
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      arguments_[k] = table.columns[k][row.row];
    }
    if (const auto found = relation_.find_truth(arguments_)) {
      const double truth = relation_.table(Partition::kTruth).value(*found);
      atoms_.push_back({rounded(value), rounded(truth), row});
    } else if (without_truth_is_false) {
      atoms_.push_back({rounded(value), 0.0, row});
    }
  }

  std::vector<LabelledAtom> take() { return std::move(atoms_); }

 private:
  double rounded(double value) const {
    return options_.psl_compatible ? static_cast<double>(static_cast<float>(value)) : value;
  }

  const Relation& relation_;
  const EvaluationOptions& options_;
  std::vector<Code> arguments_;  // of the row at hand
  std::vector<LabelledAtom> atoms_;
};

}  // namespace

std::vector<LabelledAtom> labelled_atoms(const Relation& relation,
                                         std::span<const double> target_values,
                                         const EvaluationOptions& options) {
  Labeller labeller(relation, options);
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
