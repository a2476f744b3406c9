#include "hinge/ground/layout.h"

#include <limits>
#include <stdexcept>

namespace sorites {

std::vector<PredicateLayout> lay_out(const Program& program,
                                     const Database& database,
                                     Model& model) {
  std::vector<PredicateLayout> layout;
  for (PredicateId p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    const Relation& relation = database.relation(p);
    const Table& observed = relation.table(Partition::kObserved);
    const std::size_t targets = relation.table(Partition::kTarget).num_rows;
    std::size_t& next = predicate.neural ? model.num_outputs : model.num_atoms;
    if (next + targets > std::numeric_limits<AtomId>::max()) {
      throw std::length_error("more than 2^32 - 1 targets");
    }
    const AtomRange range{p, static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(targets)};
    layout.push_back(
        {.num_observed = static_cast<std::uint32_t>(observed.num_rows),
         .first = range.first,
         .open = predicate.open || predicate.neural,
         .neural = predicate.neural,
         .observed_values = observed.values.empty() ? nullptr : observed.values.data()});
    if (targets > 0) (predicate.neural ? model.output_ranges : model.atom_ranges).push_back(range);
    next += targets;
  }
  return layout;
}

}  // namespace sorites
