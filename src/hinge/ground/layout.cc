#include "hinge/ground/layout.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/diagnostics.h"

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

namespace {

bool same(const std::vector<AtomRange>& a, const std::vector<AtomRange>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](auto& left, auto& right) {
    return left.predicate == right.predicate && left.first == right.first &&
           left.count == right.count;
  });
}

bool fits(const Model& model, const Program& program, const Database& database) {
  Model expected;
  lay_out(program, database, expected);
  return model.num_atoms == expected.num_atoms && model.num_outputs == expected.num_outputs &&
         same(model.atom_ranges, expected.atom_ranges) &&
         same(model.output_ranges, expected.output_ranges) &&
         std::equal(
             model.rules.begin(),
             model.rules.end(),
             program.rules.begin(),
             program.rules.end(),
             [](const GroundRule& own, const Rule& rule) { return own.hard == !rule.weight; });
}

}  // namespace

Model fitting(Model model,
              const std::string& path,
              const Program& program,
              const Database& database) {
  if (fits(model, program, database)) return model;
  Diagnostics sink;
  sink.error(DiagnosticCode::kBadSnapshot,
             Span{path},
             "cannot use the snapshot: it has other atoms or rules than the model")
      .notes.push_back({"make it again with `sorites ground`", {}});
  throw InputError(sink.take_sorted());
}

}  // namespace sorites
