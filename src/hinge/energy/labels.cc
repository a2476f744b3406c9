#include "hinge/energy/hinge_energy.h"

namespace sorites {

std::vector<double> labels_of(const Model& model, const Database& database) {
  std::vector<double> labels(model.num_atoms, kLatent);
  for (const AtomRange& range : model.atom_ranges) {
    const Relation& relation = database.relation(range.predicate);
    const Table& truth = relation.table(Partition::kTruth);
    std::vector<Code> arguments(relation.arity());
    for (std::uint32_t row = 0; row < truth.num_rows; ++row) {
      for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = truth.columns[k][row];
      const auto found = relation.find(arguments);
      if (found && found->partition == Partition::kTarget && found->row < range.count) {
        labels[range.first + found->row] = truth.value(row);
      }
    }
  }
  return labels;
}

}  // namespace sorites
